// Package pilot takes pilot requests (contract sections 2 and 4): it previews the mail
// of a dry run and sends the mail of a real send. Both are made by the same code, so a
// person can approve exactly what an agent then sends.
package pilot
