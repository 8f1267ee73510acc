package conform

import (
	"cmp"
	"fmt"
	"time"
)

// Options say what is checked, and how far a run may go.
type Options struct {
	URL string // base address of the service, such as http://localhost:8080
	// Only selects checks by name, as a glob, or by section: "8" is 8, 8.1 and so
	// on. Empty selects all.
	Only []string
	// Send allows real pilot requests and trials: a person may get mail.
	Send bool
	// Sink is the mail server that the service is set to. Without one, checks that
	// look at the mail are skipped.
	Sink *Sink
	// Slow allows checks that wait for a limit's window, and lets a polite run wait
	// for its turn instead of skipping.
	Slow bool
	// Polite makes a run on loopback behave as elsewhere: for a target behind a proxy
	// that hides the addresses of its clients.
	Polite bool
	// Readiness plays what agent-readiness scanners look at, in place of the
	// contract.
	Readiness bool
	// Timeout is the longest that one request may take; zero means 20 seconds.
	Timeout time.Duration
	// Progress is called after each check, from one goroutine at a time.
	Progress func(done, total int)
}

const defaultTimeout = 20 * time.Second

func (o Options) timeout() time.Duration { return cmp.Or(o.Timeout, defaultTimeout) }

// Status is how a check ended.
type Status string

// The ways a check ends.
const (
	Pass Status = "pass"
	Fail Status = "fail"
	Skip Status = "skip"
)

// Result is what came of one check. Expected, Got and Curl are set where it
// failed, Reason where it was skipped.
type Result struct {
	Name     string `json:"name"`
	Section  string `json:"section"`
	Says     string `json:"says"`
	Status   Status `json:"status"`
	Expected string `json:"expected,omitempty"`
	Got      string `json:"got,omitempty"`
	// Curl is the command that shows it: what the check sent, for a shell.
	Curl   string `json:"curl,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Slots is how many of a limit's slots a check takes that was skipped because
	// the run had used them.
	Slots int `json:"slots,omitempty"`
	// Millis is how long the check took, in milliseconds.
	Millis int64 `json:"ms"`
}

// Report is what came of a run, its results in the order of the contract.
type Report struct {
	URL  string `json:"url"`
	Mode string `json:"mode"` // how it was run, and why
	// Passed, Failed and Skipped count the results.
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
	Millis  int64    `json:"ms"`
	Results []Result `json:"results"`
}

// count fills in the sums.
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

// UnreachableError says that there is nobody to check.
type UnreachableError struct {
	URL string
	Err error
}

func (e *UnreachableError) Error() string { return fmt.Sprintf("cannot reach %s: %v", e.URL, e.Err) }

func (e *UnreachableError) Unwrap() error { return e.Err }

// UsageError says that a run cannot be begun as it was asked for.
type UsageError struct{ Problem string }

func (e *UsageError) Error() string { return e.Problem }
