package middleware

import (
	"cmp"
	"net/http"

	"frontdesk/internal/span"
)

// exchange is the response writer that RequestLog hands to the layers below it. It
// records what the log line and the metrics need to know about the answer.
type exchange struct {
	http.ResponseWriter
	span    span.Span
	id      string
	route   string // the name of the route that serves the request; empty without one
	status  int    // 0 until the answer has begun
	bytes   int64
	err     error      // why the request failed, with its private cause
	failed  bool       // the service failed, although the status may say otherwise
	advice  string     // what the operator can do about it
	stack   []byte     // where a handler panicked
	session ClientKind // the MCP client whose session the request began
}

// NoteFailure makes the log line report a failure that the status does not show:
// MCP answers errors with 200. The stack may be nil.
func (e *exchange) NoteFailure(err error, stack []byte) {
	e.err, e.stack, e.failed = err, stack, true
}

// NoteSession records the name of an MCP client that begins a session.
func (e *exchange) NoteSession(client string) { e.session = clientKindByName(client) }

// NameRoute names the route that serves a request, for the log and the metrics.
func NameRoute(w http.ResponseWriter, route string) { exchangeOf(w).route = route }

// WriteHeader records the final status. Informational ones (1xx) come before it.
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

// finalStatus is the status of a finished answer. net/http sends 200 for a handler
// that writes nothing.
func (e *exchange) finalStatus() int { return cmp.Or(e.status, http.StatusOK) }

// exchangeOf returns the exchange that w is or wraps. A layer that is used without
// RequestLog gets a new one, which is not logged.
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
