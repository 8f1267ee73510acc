// Package discovery builds the published documents from content, contract and base
// address, and keeps them in the form in which they are sent.
package discovery
