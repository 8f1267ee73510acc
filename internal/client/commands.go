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
// The package imports only contract and payload of this module.
package client

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
)

// Commands are the client commands, for the command line to embed.
type Commands struct {
	Catalog CatalogCmd `cmd:""`
	Service ServiceCmd `cmd:""`
	Ask     AskCmd     `cmd:""`
	Contact ContactCmd `cmd:""`
	Health  HealthCmd  `cmd:""`
}

// Connection holds the flags that every client command has.
type Connection struct {
	URL  string `env:"FRONTDESK_URL" placeholder:"URL"`
	JSON bool

	*Terminal `kong:"-"`
	base      *url.URL // of URL
	dial      string   // host and port that are connected to; empty for those of URL
}

// Locate finds the desk of this machine: its address, and the host and port at which it listens.
type Locate func(context.Context) (url, dial string)

// AfterApply takes the terminal, and finds the address if none is given. It reports a malformed address as wrong usage.
// The flag's type does not check it, because kong reads the environment for all commands: a bad FRONTDESK_URL would
// then stop serve too.
func (c *Connection) AfterApply(ctx context.Context, t *Terminal) (err error) {
	if c.Terminal = t; c.URL == "" && t.Locate != nil {
		c.URL, c.dial = t.Locate(ctx)
	}
	c.base, err = parseAddress(cmp.Or(c.URL, "http://localhost:8080"))
	return err
}

// ExitError is the error of a failed command: Code is the exit code. Err is nil when the
// command has already printed what went wrong; otherwise its caller prints it.
type ExitError struct {
	Code int
	Err  error
}

// The exit codes of all commands other than 0 (decisions, "Running it").
const (
	ExitRefused     = 1 // the service refused, a check or the command failed, or there is no such thing
	ExitUsage       = 2
	ExitUnreachable = 3
)

func (e *ExitError) Error() string { return fmt.Sprintf("exit code %d: %v", e.Code, e.Err) }
