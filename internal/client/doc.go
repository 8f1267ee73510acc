// Package client is the client side of frontdesk: the commands catalog, service,
// ask, contact and health, which call a running service over its public HTTP API
// (sections 1 and 4; "Running it" of the decisions).
//
// A command is a kong struct that package main embeds through Commands. Its Run
// makes one call, prints the answer for a person or, with --json, as it was
// served, and on failure tells what happened on the terminal's Err and returns an
// *ExitError with the exit code.
//
// What a service sends is untrusted: it is capped in size, checked for its shape,
// and printed by a page alone, which removes every control character.
//
// The package knows contract and nothing else of this module.
package client
