// Package discovery builds the documents that the service publishes from content,
// contract and base address, and keeps them in the form in which they are sent.
package discovery
