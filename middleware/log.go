package middleware

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
)

// maxRequestID is the longest request id that is taken over from a caller.
const maxRequestID = 64

// maxLoggedPath is how much of a path the log keeps.
const maxLoggedPath = 200

var nosniff = []string{"nosniff"}

// RequestLog gives each request an id, puts the headers on its answer that every
// answer has, and writes one log line when it is done. The line holds no query
// string, no header and no part of a body: those may hold what a person wrote.
//
// An observer, which may be nil, is told of the request too.
func RequestLog(log zerolog.Logger, observer Observer) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			began := time.Now()
			e, r := newExchange(w, r)
			header := w.Header()
			header[contract.HeaderRequestID] = e.id[:]
			header["X-Content-Type-Options"] = nosniff
			// Deferred, because a handler may end the connection with a panic.
			defer func() {
				took := time.Since(began)
				e.tell(observer, r, took)
				writeLine(log, e, r, took)
				routeContexts.Put(e.scope.route)
			}()
			next.ServeHTTP(e, r)
		})
	}
}

func writeLine(log zerolog.Logger, e *exchange, r *http.Request, took time.Duration) {
	status := e.status
	if status == 0 {
		status = http.StatusOK // what net/http answers when a handler writes nothing
	}
	level := zerolog.InfoLevel
	if e.failed || status >= http.StatusInternalServerError {
		level = zerolog.ErrorLevel
	}
	event := log.WithLevel(level)
	if event == nil {
		return
	}
	path := r.URL.EscapedPath()
	event.Str("id", e.id[0]).Str("method", r.Method).Str("path", path[:min(len(path), maxLoggedPath)])
	if r.Pattern != "" {
		event.Str("route", r.Pattern)
	}
	event.Int("status", status).Int64("bytes", e.bytes).Dur("ms", took)
	if e.signed != nil {
		event.Str("agent_signature", e.signed.outcome)
		if e.signed.agent != "" {
			event.Str("agent", e.signed.agent)
		}
	}
	if e.err != nil {
		event.Err(e.err)
	}
	if e.advice != "" {
		event.Str("advice", e.advice)
	}
	if e.stack != nil {
		event.Bytes("stack", e.stack)
	}
	event.Msg("request")
}

// requestID is the caller's own id when it gives one that is safe to log, or a
// new one. Ids tell requests apart; they are no secret.
func requestID(r *http.Request) string {
	if given := r.Header[contract.HeaderRequestID]; len(given) == 1 && validRequestID(given[0]) {
		return given[0]
	}
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], rand.Uint64())
	var id [2 * len(number)]byte
	hex.Encode(id[:], number[:])
	return string(id[:])
}

func validRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
