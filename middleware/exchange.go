package middleware

import (
	"context"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"frontdesk/internal/limits"
)

// exchange is one request on its way: the response writer of every layer and
// handler, which notes what the log line needs. All that a request needs for itself
// is made with it at once, because every request pays for it.
type exchange struct {
	http.ResponseWriter
	scope  scope
	id     [1]string // as the header of the answer holds it
	status int
	bytes  int64
	err    error          // why the request failed, with its private cause
	failed bool           // the service failed, whatever the status says
	advice string         // what the operator can do about it, if anything
	stack  []byte         // where a handler panicked
	signed *signatureNote // what is known of the request's signature; nil without one
}

type signatureNote struct{ outcome, agent string }

// scope is the context of a request behind RequestLog. It knows what the layers
// and the router keep there, so that they need not copy the request again to add
// it: http.Request has no other way to change its context.
type scope struct {
	context.Context
	route  *chi.Context
	client limits.Client
}

// Value implements context.Context.
func (s *scope) Value(key any) any {
	switch key {
	case chi.RouteCtxKey:
		return s.route
	case limits.ClientKey{}:
		return &s.client
	}
	return s.Context.Value(key)
}

// routeContexts are used again, as chi does it: each holds several slices.
var routeContexts = sync.Pool{New: func() any { return chi.NewRouteContext() }}

// newExchange begins an exchange. The request that it returns carries the scope.
func newExchange(w http.ResponseWriter, r *http.Request) (*exchange, *http.Request) {
	route := routeContexts.Get().(*chi.Context)
	route.Reset()
	e := &exchange{ResponseWriter: w, id: [1]string{requestID(r)}}
	e.scope = scope{Context: r.Context(), route: route}
	return e, r.WithContext(&e.scope)
}

// withClient returns r with whom the limits count. Behind RequestLog the scope has
// a place for it.
func withClient(w http.ResponseWriter, r *http.Request, client limits.Client) *http.Request {
	if e := exchangeOf(w); r.Context() == &e.scope {
		e.scope.client = client
		return r
	}
	return r.WithContext(limits.WithClient(r.Context(), client))
}

// NoteFailure tells the log of a failure whose answer has the status 200, as
// MCP's have. The stack may be nil.
func (e *exchange) NoteFailure(err error, stack []byte) {
	e.err, e.stack, e.failed = err, stack, true
}

// WriteHeader notes the final status; informational ones (1xx) come before it.
func (e *exchange) WriteHeader(status int) {
	if e.status == 0 && status >= http.StatusOK {
		e.status = status
	}
	e.ResponseWriter.WriteHeader(status)
}

func (e *exchange) Write(body []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	n, err := e.ResponseWriter.Write(body)
	e.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// answered reports whether a status has been written: then it is too late for
// another answer.
func (e *exchange) answered() bool { return e.status != 0 }

// exchangeOf returns the exchange that w is or wraps. Layers used without
// RequestLog get one that nobody reads.
func exchangeOf(w http.ResponseWriter) *exchange {
	for inner := w; ; {
		switch writer := inner.(type) {
		case *exchange:
			return writer
		case interface{ Unwrap() http.ResponseWriter }:
			inner = writer.Unwrap()
		default:
			return &exchange{ResponseWriter: w}
		}
	}
}
