// Package client is the client side of frontdesk: the commands catalog, service,
// ask, contact and health, which call a running service over its public HTTP API
// (sections 1 and 4; "Running it" of the decisions).
//
// A command is a kong struct that the command line embeds through Commands. Its Run
// makes one call and prints the answer, formatted for a person or, with --json, as it
// was served. On failure it prints what happened to the terminal's Err and returns an
// *ExitError with the exit code.
//
// A service's answer is untrusted: it is capped in size, checked for its shape,
// and printed only through a page, which removes every control character.
//
// The package imports only contract of this module.
package client
