package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"frontdesk/contract"
)

// failure is why a command failed, worded for a person.
type failure struct {
	code    int
	summary string
	notes   []string // one line each: what went wrong and what to do
	record  []byte   // the problem record, for --json
	// uncertain is set when the request was sent and no clear answer came back: the
	// service may have acted on it.
	uncertain bool
	// retry is set when the service itself failed: the same request may succeed later.
	retry bool
}

// refused returns the failure for a problem record of the service: the detail, the fields
// when there are several, the hint, and when to try again.
func refused(problem contract.Problem, r received) *failure {
	f := &failure{code: ExitRefused, record: r.body, retry: r.StatusCode >= http.StatusInternalServerError}
	verb := "refused"
	if f.retry {
		verb = "failed"
	}
	f.summary = fmt.Sprintf("the service %s: %s (%s, HTTP %d)", verb, problem.Title, problem.Code, r.StatusCode)
	if len(problem.Errors) < 2 { // else the detail is their messages, joined
		f.notes = append(f.notes, problem.Detail)
	} else {
		for _, field := range problem.Errors {
			f.notes = append(f.notes, "- "+field.Message)
		}
	}
	if problem.Hint != "" {
		f.notes = append(f.notes, "Hint: "+problem.Hint)
	}
	if seconds, err := strconv.Atoi(r.Header.Get(contract.HeaderRetryAfter)); err == nil && seconds > 0 {
		f.notes = append(f.notes, fmt.Sprintf("Try again in %d s.", seconds))
	}
	return f
}

// foreign returns the failure for an answer that frontdesk would not give.
func (c Connection) foreign(what string) *failure {
	return &failure{
		code:      ExitRefused,
		summary:   fmt.Sprintf("%s answered with %s, which is not an answer of %s", c.address(), what, contract.Product),
		notes:     []string{"Hint: Another program may be listening there; see " + urlSetting + "."},
		uncertain: true,
	}
}

// lost returns the failure for a call without an answer. ctx is the caller's context,
// without the timeout of the call; connected says whether the request may have been
// sent.
func (c Connection) lost(ctx context.Context, err error, timeout time.Duration, connected bool) *failure {
	f := &failure{code: ExitUnreachable, uncertain: connected}
	if ctx.Err() != nil {
		f.summary = fmt.Sprintf("interrupted before %s answered", c.address())
		return f
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // the wrapper's text repeats the URL, password included
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %s", timeout)
	}
	f.summary = fmt.Sprintf("cannot reach %s: %v", c.address(), err)
	f.notes = []string{"Hint: Start the service with `" + contract.Product + " serve`, or give its address with " +
		urlSetting + "."}
	return f
}

// checkUTF8 refuses text in another encoding, which JSON would silently turn into
// replacement characters. Text with that character is refused too, because kong has
// already replaced such bytes in an argument.
func checkUTF8(values ...string) *failure {
	if slices.ContainsFunc(values, func(s string) bool { return strings.ContainsRune(s, utf8.RuneError) }) {
		return usage("the text is not valid UTF-8, or holds its replacement character")
	}
	return nil
}

func usage(summary string) *failure { return &failure{code: ExitUsage, summary: summary} }
