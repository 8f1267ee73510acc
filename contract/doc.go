// Package contract is the published contract of frontdesk as Go values: error
// codes, body caps, field bounds, rate-limit policies, header and path names,
// the shapes of requests and answers, and the one validator.
//
// A number or a name that a caller can see stands here and nowhere else; every
// other package, document and test takes it from here. Section numbers in the
// comments are those of the Public Agent API of the Service; "decisions" is the
// page that settles what the contract leaves open.
//
// The package imports nothing else of this module.
package contract
