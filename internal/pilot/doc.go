// Package pilot is the pilot request: what a dry run previews and what a real
// send mails (contract sections 2 and 4). Both make the same mail, so that a
// person can approve exactly what an agent then sends.
package pilot
