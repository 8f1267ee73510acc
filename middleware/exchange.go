package middleware

import "net/http"

// exchange is one request on its way: the response writer of every layer and
// handler, which notes what the log line needs.
type exchange struct {
	http.ResponseWriter
	id     string
	status int
	bytes  int64
	err    error          // why the request failed, with its private cause
	failed bool           // the service failed, whatever the status says
	advice string         // what the operator can do about it, if anything
	stack  []byte         // where a handler panicked
	signed *signatureNote // what is known of the request's signature; nil without one
}

type signatureNote struct{ outcome, agent string }

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
