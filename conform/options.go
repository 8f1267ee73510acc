package conform

import (
	"cmp"
	"crypto/x509"
	"fmt"
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
	// RootCAs verifies the certificate of an https target; nil means the system's.
	RootCAs *x509.CertPool
	// Timeout is the longest that one request may take; zero means 20 seconds.
	Timeout time.Duration
	// Progress is called after each check, from one goroutine at a time.
	Progress func(done, total int)
}

const defaultTimeout = 20 * time.Second

func (o Options) timeout() time.Duration { return cmp.Or(o.Timeout, defaultTimeout) }

// Status is how a check ended.
type Status string

// The values of Status.
const (
	Pass Status = "pass"
	Fail Status = "fail"
	Skip Status = "skip"
)

// Result is the result of one check. Expected, Got and Curl are set when it failed,
// Reason when it was skipped.
type Result struct {
	Name     string `json:"name"`
	Section  string `json:"section"`
	Sentence string `json:"says"`
	Status   Status `json:"status"`
	Expected string `json:"expected,omitempty"`
	Got      string `json:"got,omitempty"`
	// Curl holds shell commands that send what the check sent.
	Curl   string `json:"curl,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Slots is how many slots of a limit the check would have taken, if it was skipped
	// because the run had used them all.
	Slots int `json:"slots,omitempty"`
	// Millis is how long the check took, in milliseconds.
	Millis int64 `json:"ms"`
}

// Report is the result of a run. Its results are in the order of the contract.
type Report struct {
	URL  string `json:"url"`
	Mode string `json:"mode"` // how the checks were run, and why
	// Passed, Failed and Skipped count the results.
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
	Millis  int64    `json:"ms"`
	Results []Result `json:"results"`
}

// count sets the counts.
func (r *Report) count() {
	for _, result := range r.Results {
		switch result.Status {
		case Pass:
			r.Passed++
		case Fail:
			r.Failed++
		case Skip:
			r.Skipped++
		}
	}
}

// UnreachableError reports that the service cannot be reached.
type UnreachableError struct {
	URL string
	Err error
}

func (e *UnreachableError) Error() string { return fmt.Sprintf("cannot reach %s: %v", e.URL, e.Err) }

func (e *UnreachableError) Unwrap() error { return e.Err }

// UsageError reports invalid options.
type UsageError struct{ Problem string }

func (e *UsageError) Error() string { return e.Problem }
