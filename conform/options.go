package conform

import (
	"crypto/x509"
	"errors"
	"time"
)

// Options select what is checked and what a run may do.
type Options struct {
	URL string // base address of the service, such as http://localhost:8080
	// Only selects checks by name, as a glob, or by section: "8" is 8, 8.1 and so
	// on. Empty selects all.
	Only []string
	// Send allows real pilot requests and trials: a person may get mail.
	Send bool
	// Sink is the mail server that the service uses. Without one, checks that read
	// mail are skipped.
	Sink *Sink
	// Slow allows checks that wait for a limit's window, and lets a polite run wait
	// for its turn instead of skipping.
	Slow bool
	// Polite makes a run on loopback behave as elsewhere, for a target behind a proxy that
	// hides client addresses.
	Polite bool
	// ToolErrors is how the service is set to answer errors of MCP tools:
	// contract.ToolErrorsContract, which empty means too, or contract.ToolErrorsResults.
	ToolErrors string
	// Versions is how the service is set to serve later protocol versions of MCP:
	// contract.MCPVersionsContract, which empty means too, or contract.MCPVersionsTolerant.
	Versions string
	// RootCAs verifies the certificate of an https target; nil means the system's.
	RootCAs *x509.CertPool
	// Timeout is the longest that one request may take; zero means 20 seconds.
	Timeout time.Duration
	// Progress is called after each check, from one goroutine at a time.
	Progress func(done, total int)
}

const defaultTimeout = 20 * time.Second

// ErrUnreachable means that the service cannot be reached.
var ErrUnreachable = errors.New("cannot reach")
