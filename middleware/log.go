package middleware

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/span"
)

// The most that a log line keeps of what a caller made up, in bytes.
const (
	maxLoggedPath   = 200
	maxLoggedMethod = 16
)

// slowRequest is how long a request takes when its log line says what it waited for.
const slowRequest = 500 * time.Millisecond

// RequestLog gives each request an id, sets the headers that every answer has, and
// writes one log line when the request is done. The line holds no query string, no
// part of a body and no header but a valid traceparent, because a person may have
// written them. When the request took slowRequest or longer, the line says what it
// waited for.
//
// observe is called with the request too, and must not block; it may be nil.
func RequestLog(log zerolog.Logger, observe func(Finished)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			began := time.Now()
			e := &exchange{ResponseWriter: w, id: requestID(r)}
			e.span.Parent, e.span.Request = span.ParentOf(r.Header), e.id
			w.Header().Set(contract.HeaderRequestID, e.id)
			w.Header().Set("X-Content-Type-Options", "nosniff")
			// Deferred, because a handler may end the connection with a panic.
			defer func() {
				took := time.Since(began)
				if observe != nil {
					observe(finished(e, r, began, took))
				}
				writeLine(log, e, r, took)
			}()
			next.ServeHTTP(e, r)
		})
	}
}

func writeLine(log zerolog.Logger, e *exchange, r *http.Request, took time.Duration) {
	level := zerolog.InfoLevel
	if e.failed || e.finalStatus() >= http.StatusInternalServerError {
		level = zerolog.ErrorLevel
	}
	event := log.WithLevel(level)
	if event == nil {
		return
	}
	optional := func(key, value string) {
		if value != "" {
			event.Str(key, value)
		}
	}
	event.Str("id", e.id).Str("method", atMost(r.Method, maxLoggedMethod)).Str("path",
		atMost(r.URL.EscapedPath(), maxLoggedPath))
	optional("route", e.route)
	event.Int("status", e.finalStatus()).Int64("bytes", e.bytes).Dur("ms", took)
	if took >= slowRequest {
		waits := zerolog.Dict()
		for part, spent := range e.span.Parts {
			waits.Dur(part.String(), spent)
		}
		event.Dict("waited_ms", waits)
	}
	optional("inquiry", e.span.Inquiry())
	if e.span.EncoderSkipped() {
		event.Bool("encoder_skipped", true)
	}
	if parent := e.span.Parent; parent.IsSet() {
		event.Str("trace_id", parent.Trace()).Str("parent_id", parent.Span())
	}
	if e.err != nil {
		event.Err(e.err)
	}
	optional("advice", e.advice)
	if e.stack != nil {
		event.Bytes("stack", e.stack)
	}
	event.Msg("request")
}

func atMost(text string, length int) string { return text[:min(len(text), length)] }

// maxRequestID is the longest request id that is accepted from a caller.
const maxRequestID = 64

const requestIDCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// requestID returns the caller's own id when it sends one that is safe to log, or a
// new one of sixteen hexadecimal digits. Ids distinguish requests; they are not secret.
func requestID(r *http.Request) string {
	if given := r.Header.Values(contract.HeaderRequestID); len(given) == 1 && validRequestID(given[0]) {
		return given[0]
	}
	return fmt.Sprintf("%016x", rand.Uint64())
}

func validRequestID(id string) bool {
	return id != "" && len(id) <= maxRequestID && strings.Trim(id, requestIDCharacters) == ""
}
