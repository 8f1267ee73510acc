package middleware

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/payload"
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
// observe is called with each finished request, and must not block; it may be nil.
func RequestLog(log zerolog.Logger, observe func(Finished)) Layer {
	return layer(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
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
	if given := r.Header.Values(contract.HeaderRequestID); len(given) == 1 && given[0] != "" &&
		len(given[0]) <= maxRequestID && strings.Trim(given[0], requestIDCharacters) == "" {
		return given[0]
	}
	return fmt.Sprintf("%016x", rand.Uint64())
}

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
	if e, ok := payload.WriterAs[*exchange](w); ok {
		return e
	}
	return &exchange{ResponseWriter: w}
}

// Finished is a request that is done.
type Finished struct {
	Method string // as sent: any text
	Route  string // the name of the route; empty without one
	Status int
	Failed bool // by the service, although the status may say otherwise
	Ended  time.Time
	Took   time.Duration
	Policy string // the name of the limit that the client is over, if any

	// Client is the kind of program that asks, by User-Agent. It is empty for a request that was refused, and for
	// what a page or a monitor fetches by itself.
	Client ClientKind
	// Session is the MCP client whose session the request began.
	Session ClientKind
}

// fetched are the routes of what a page or a monitor fetches by itself.
var fetched = []string{contract.PathHealth, content.RouteAsset, contract.PathFavicon,
	contract.PathTouchIcon, contract.PathEmbed}

func finished(e *exchange, r *http.Request, began time.Time, took time.Duration) Finished {
	f := Finished{
		Method: r.Method, Route: e.route, Status: e.finalStatus(), Ended: began.Add(took), Took: took, Session: e.session,
	}
	f.Failed = e.failed || f.Status >= http.StatusInternalServerError
	if failure, ok := errors.AsType[*contract.Error](e.err); ok {
		f.Policy = failure.Policy
	}
	if f.Status < http.StatusBadRequest && !slices.Contains(fetched, e.route) {
		f.Client = clientKindByUserAgent(r.UserAgent())
	}
	return f
}

// ClientKind is the kind of program that a request comes from, for the counts of a day: an
// assistant, another program or a browser; empty for none. It follows from what a program
// says of itself, never from a person.
type ClientKind string

const (
	ChatGPT    ClientKind = "chatgpt"
	Claude     ClientKind = "claude"
	Gemini     ClientKind = "gemini"
	Perplexity ClientKind = "perplexity"
	Copilot    ClientKind = "copilot"
	Programs   ClientKind = "programs"
	Browsers   ClientKind = "browsers"
)

// ClientKinds are all kinds.
var ClientKinds = []ClientKind{ChatGPT, Claude, Gemini, Perplexity, Copilot, Programs, Browsers}

// marks are parts, in small letters, of the names of assistants and of their programs: in
// User-Agent headers and in the clientInfo of MCP.
var marks = []struct {
	kind  ClientKind
	parts []string
}{
	{ChatGPT, []string{"chatgpt", "openai", "gptbot", "oai-searchbot"}},
	{Claude, []string{"claude", "anthropic"}},
	{Gemini, []string{"gemini", "googleagent", "notebooklm"}},
	{Perplexity, []string{"perplexity"}},
	{Copilot, []string{"copilot", "visual studio code"}},
}

// robots are marks of programs whose User-Agent looks like a browser's.
var robots = []string{"bot", "crawl", "spider", "headless", "http:", "https:"}

// maxName is how many bytes of a name are read.
const maxName = 256

func lower(name string) string { return strings.ToLower(atMost(name, maxName)) }

// clientKindByName is the kind of a program with a name, such as the one in clientInfo.
func clientKindByName(name string) ClientKind {
	name = lower(name)
	for _, mark := range marks {
		if containsAny(name, mark.parts) {
			return mark.kind
		}
	}
	return Programs
}

// clientKindByUserAgent is the kind of a program with a User-Agent header.
func clientKindByUserAgent(header string) ClientKind {
	kind, name := clientKindByName(header), lower(header)
	if kind == Programs && strings.HasPrefix(header, "Mozilla/") && strings.Contains(name, "gecko") &&
		!containsAny(name, robots) {
		return Browsers
	}
	return kind
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
