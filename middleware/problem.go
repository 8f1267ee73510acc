package middleware

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// HandlerFunc is a handler that returns its error instead of answering it.
type HandlerFunc func(http.ResponseWriter, *http.Request) error

// Layer wraps a handler.
type Layer = func(http.Handler) http.Handler

// layer makes a Layer of a function that answers a request itself or passes it to next.
func layer(serve func(w http.ResponseWriter, r *http.Request, next http.Handler)) Layer {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(w, r, next) })
	}
}

// Problems writes errors. Nothing else turns a *contract.Error into an answer.
type Problems struct {
	BaseURL string
	// Page makes the body of an error outside the API for a client that accepts
	// HTML or Markdown by name, in the language of the path. With a nil Page all
	// errors are JSON records.
	Page func(path string, err *contract.Error, mediaType string) []byte
}

// Handle adapts h to net/http.
func (p *Problems) Handle(h HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			p.Write(w, r, err)
		}
	})
}

// refusal prepares an error that a layer answers to many requests: its record is encoded once, without its last member,
// the request id, and the closing brace. Only Retry-After and the request id differ from answer to answer.
func (p *Problems) refusal(err *contract.Error) func(http.ResponseWriter, *http.Request, time.Duration) {
	record := bytes.TrimSuffix(payload.JSON(err.Problem(p.BaseURL)), []byte("}\n"))
	return func(w http.ResponseWriter, r *http.Request, retryAfter time.Duration) {
		failure := *err
		failure.RetryAfter = retryAfter
		p.write(w, r, &failure, record)
	}
}

// Write answers a request with an error. An error that is not a *contract.Error is
// answered as internal_error, and its text goes only to the log. When the answer has
// begun already, the error is only logged.
func (p *Problems) Write(w http.ResponseWriter, r *http.Request, err error) {
	p.write(w, r, contract.AsError(err), nil)
}

// write answers with a failure. A nil record is encoded when it is needed.
func (p *Problems) write(w http.ResponseWriter, r *http.Request, failure *contract.Error, record []byte) {
	e := exchangeOf(w)
	e.err = failure
	if e.status != 0 { // too late for another answer
		return
	}
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	failure.SetRetryAfter(header)
	contentType, body := contract.TypeProblem, []byte(nil)
	mediaType := ""
	if p.Page != nil && !isAPI(r.URL.Path) {
		header.Add("Vary", "Accept")
		mediaType = pageType(r)
	}
	switch {
	case mediaType != "":
		contentType, body = mediaType+contract.CharsetUTF8, p.Page(r.URL.Path, failure, mediaType)
	case record == nil:
		body = p.record(failure, e.id)
	default: // the characters of an id need no escapes
		body = slices.Concat(record, []byte(`,"request_id":"`+e.id+"\"}\n"))
	}
	if acceptsOnlyJSON(r) {
		contentType = contract.TypeJSON
	}
	header.Set("Content-Type", contentType)
	w.WriteHeader(failure.HTTPStatus())
	_, _ = w.Write(body) // fails only when the client has gone
}

func (p *Problems) record(failure *contract.Error, id string) []byte {
	problem := failure.Problem(p.BaseURL)
	problem.RequestID = id
	if failure.RPC != nil {
		return payload.JSON(failure.RPC.Problem(problem))
	}
	return payload.JSON(problem)
}

// pageType is the media type of the page that a client gets instead of a record:
// HTML or Markdown if it accepts one of them by name, else "".
func pageType(r *http.Request) string {
	accept := payload.ParseAccept(r.Header.Values("Accept"))
	best := accept.Best(contract.TypeProblem, contract.TypeHTML, contract.TypeMarkdown)
	if best == contract.TypeProblem {
		return ""
	}
	return best
}

// isAPI reports whether a path never answers with a page.
func isAPI(path string) bool {
	return under(path, contract.PrefixV1) || under(path, contract.PrefixAPI) || path == contract.PathMCP
}

// acceptsOnlyJSON reports whether a record is sent as plain JSON: to clients of the MCP
// servers that list JSON and not problem+json. They parse no other type (decisions,
// MCP).
func acceptsOnlyJSON(r *http.Request) bool {
	if r.URL.Path != contract.PathMCP && r.URL.Path != contract.PathWorkspaceMCP {
		return false
	}
	accept := payload.ParseAccept(r.Header.Values("Accept"))
	return accept.Lists(contract.TypeJSON) && !accept.Lists(contract.TypeProblem)
}

// Recover answers a panic with internal_error. Its text and its stack go to the log
// only. http.ErrAbortHandler passes: with it a handler ends a connection on purpose.
func Recover(problems *Problems) Layer {
	return layer(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		defer func() {
			value := recover()
			if value == nil {
				return
			}
			if err, ok := value.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(value)
			}
			exchangeOf(w).stack = debug.Stack()
			problems.Write(w, r, contract.Internal(fmt.Errorf("panic: %v", value)))
		}()
		next.ServeHTTP(w, r)
	})
}
