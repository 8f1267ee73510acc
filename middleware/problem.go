package middleware

import (
	"net/http"
	"strconv"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/negotiate"
	"frontdesk/internal/payload"
)

// HandlerFunc is a handler that returns its error instead of answering it.
type HandlerFunc func(http.ResponseWriter, *http.Request) error

// Problems writes errors: it alone turns a *contract.Error into an answer.
type Problems struct {
	BaseURL string
	// Page makes the body of an error outside the API for a client that asks for
	// HTML or Markdown by name. A nil Page means that all errors are records.
	Page func(problem contract.Problem, mediaType string) []byte
}

var (
	noStore     = []string{"no-store"}
	typeProblem = []string{contract.TypeProblem}
)

// Handle adapts h to net/http.
func (p *Problems) Handle(h HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			p.Write(w, r, err)
		}
	})
}

// Refusal is an error that a layer answers to many requests, with its record made
// once. Only what the header Retry-After says differs from answer to answer.
type Refusal struct {
	problems *Problems
	err      contract.Error
	record   []byte
}

// Refusal prepares an error.
func (p *Problems) Refusal(err *contract.Error) *Refusal {
	return &Refusal{problems: p, err: *err, record: payload.JSON(err.Problem(p.BaseURL))}
}

// Write answers a request with the error. A retryAfter of zero means no Retry-After.
func (f *Refusal) Write(w http.ResponseWriter, r *http.Request, retryAfter time.Duration) {
	err := f.err
	err.RetryAfter = retryAfter
	f.problems.write(w, r, &err, f.record)
}

// Write answers a request with an error. An error that is not the contract's own
// is answered as internal_error; its text goes to the log alone. When the answer
// has begun already, only the log learns of it.
func (p *Problems) Write(w http.ResponseWriter, r *http.Request, err error) {
	p.write(w, r, contract.AsError(err), nil)
}

// write is Write with the record of the failure, if there is one already.
func (p *Problems) write(w http.ResponseWriter, r *http.Request, failure *contract.Error, record []byte) {
	e := exchangeOf(w)
	e.err = failure
	if e.answered() {
		return
	}
	header := w.Header()
	header["Cache-Control"] = noStore
	if failure.RetryAfter > 0 {
		header[contract.HeaderRetryAfter] = []string{strconv.Itoa(int(failure.RetryAfter / time.Second))}
	}
	contentType, body := typeProblem, record
	if record == nil || p.mayBePage(r) {
		contentType, body = p.body(header, r, failure)
	}
	header["Content-Type"] = contentType
	w.WriteHeader(failure.HTTPStatus())
	_, _ = w.Write(body) // the client has gone; nothing is left to tell it
}

// body chooses the form of an error: a record for programs' paths whatever the
// client accepts, and elsewhere a page when it names one.
func (p *Problems) body(header http.Header, r *http.Request, failure *contract.Error) ([]string, []byte) {
	problem := failure.Problem(p.BaseURL)
	if failure.RPC != nil {
		return typeProblem, payload.JSON(failure.RPC.Problem(problem))
	}
	if p.mayBePage(r) {
		header.Add("Vary", "Accept")
		accept := negotiate.Parse(r.Header["Accept"])
		best := accept.Best(contract.TypeProblem, contract.TypeHTML, contract.TypeMarkdown)
		if best != "" && best != contract.TypeProblem {
			return []string{best + "; charset=utf-8"}, p.Page(problem, best)
		}
	}
	return typeProblem, payload.JSON(problem)
}

// mayBePage reports whether the body of an error depends on what the client accepts.
func (p *Problems) mayBePage(r *http.Request) bool { return p.Page != nil && !forPrograms(r.URL.Path) }

// forPrograms reports whether a path never answers with a page.
func forPrograms(path string) bool {
	return under(path, contract.PrefixV1) || under(path, contract.PrefixAPI) || path == contract.PathMCP
}
