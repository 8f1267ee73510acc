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

func (f *failure) Error() string { return f.summary }

// refused returns the failure for a problem record of the service.
func refused(problem contract.Problem, r received) *failure {
	verb, broken := "refused", r.StatusCode >= http.StatusInternalServerError
	if broken {
		verb = "failed"
	}
	return &failure{
		code:    ExitRefused,
		summary: fmt.Sprintf("the service %s: %s (%s, HTTP %d)", verb, problem.Title, problem.Code, r.StatusCode),
		notes:   append(describe(problem), advise(problem, r.Header)...),
		record:  r.body,
		retry:   broken,
	}
}

// describe says what went wrong: the detail, and the fields when there are several.
func describe(problem contract.Problem) []string {
	if len(problem.Errors) == 0 {
		return []string{problem.Detail}
	}
	var notes []string
	// The contract joins the messages of the fields into the detail; a list reads better.
	if problem.Detail != contract.InvalidFields(problem.Errors).Detail {
		notes = append(notes, problem.Detail)
	}
	for _, field := range problem.Errors {
		notes = append(notes, "- "+field.Message)
	}
	return notes
}

// advise says what to do about it: the hint, and when to try again.
func advise(problem contract.Problem, header http.Header) []string {
	var notes []string
	if problem.Hint != "" {
		notes = append(notes, "Hint: "+problem.Hint)
	}
	if seconds, err := strconv.Atoi(header.Get(contract.HeaderRetryAfter)); err == nil && seconds > 0 {
		notes = append(notes, fmt.Sprintf("Try again in %d s.", seconds))
	}
	return notes
}

// foreign returns the failure for an answer that frontdesk would not give.
func foreign(a address, what string) *failure {
	return &failure{
		code:      ExitRefused,
		summary:   fmt.Sprintf("%s answered with %s, which is not an answer of %s", a, what, contract.Product),
		notes:     []string{"Hint: Another program may be listening there; see " + urlSetting + "."},
		uncertain: true,
	}
}

// redirected returns the failure for a redirected POST.
func redirected(a address, target string) *failure {
	return &failure{
		code:    ExitRefused,
		summary: fmt.Sprintf("%s redirects to %s, and nothing was sent there", a, target),
		notes:   []string{"Hint: If you trust that address, give its base with " + urlSetting + "."},
	}
}

// lost returns the failure for a call without an answer. ctx is the caller's context,
// without the timeout of the call; connected says whether the request may have been
// sent.
func (a address) lost(ctx context.Context, err error, timeout time.Duration, connected bool) *failure {
	f := &failure{code: ExitUnreachable, uncertain: connected}
	if ctx.Err() != nil {
		f.summary = fmt.Sprintf("interrupted before %s answered", a)
		return f
	}
	f.summary = fmt.Sprintf("cannot reach %s: %s", a, reason(err, timeout))
	f.notes = []string{"Hint: Start the service with `" + contract.Product +
		" serve`, or give its address with " + urlSetting + "."}
	return f
}

// reason words a transport error.
func reason(err error, timeout time.Duration) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("no answer within %s", timeout)
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // the wrapper's text repeats the URL, password included
	}
	return err.Error()
}

// checkUTF8 refuses text in another encoding, which JSON would silently turn into
// replacement characters. Text with that character is refused too, because kong has
// already replaced such bytes in an argument.
func checkUTF8(values ...string) error {
	if slices.ContainsFunc(values, func(s string) bool { return strings.ContainsRune(s, utf8.RuneError) }) {
		return usage("the text is not valid UTF-8, or holds its replacement character")
	}
	return nil
}

func usage(summary string) error { return &failure{code: ExitUsage, summary: summary} }
