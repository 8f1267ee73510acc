// Package contract is the published contract of frontdesk as Go values: error
// codes, body caps, field bounds, rate-limit policies, header and path names,
// the shapes of requests and answers, and the one validator.
//
// A number or a name that a caller can see is defined here and nowhere else; every
// other package and every document takes it from here. Section numbers in comments
// refer to the Public Agent API of the Service; "decisions" is the page that settles
// what the contract leaves open.
//
// The package imports nothing else of this module.
package contract
