package middleware

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/span"
)

func TestRequestLog(t *testing.T) {
	t.Parallel()
	cause := errors.New("disk on fire")
	line := func(level, path string, status, bytes float64, more ...string) map[string]any {
		fields := map[string]any{
			"level": level, "message": "request", "method": "GET", "path": path, "status": status, "bytes": bytes,
		}
		for pair := range slices.Chunk(more, 2) {
			fields[pair[0]] = pair[1]
		}
		return fields
	}
	for _, tt := range []struct {
		name, path string
		handler    http.HandlerFunc
		want       map[string]any // the whole line but id, ms and time
	}{
		{"writes nothing", "/a", func(http.ResponseWriter, *http.Request) {}, line("info", "/a", 200, 0)},
		{"writes", "/b?q=secret+question", fine, line("info", "/b", 200, 4)},
		{"informational first", "/c", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(204)
		}, line("info", "/c", 204, 0)},
		{"terminal escapes in the path", "/%1b%5b31m", fine, line("info", "/%1b%5b31m", 200, 4)},
		{"fails", "/d", func(w http.ResponseWriter, r *http.Request) {
			(&Problems{BaseURL: base}).Write(w, r, cause)
		}, line("error", "/d", 500, 341, "error",
			"internal_error: The service failed to handle the request.: disk on fire")},
		{"fails behind a 200", "/e", func(w http.ResponseWriter, r *http.Request) {
			w.(interface{ NoteFailure(error, []byte) }).NoteFailure(cause, []byte("stack"))
			fine(w, r)
		}, line("error", "/e", 200, 4, "error", "disk on fire", "stack", "stack")},
	} {
		var log bytes.Buffer
		r := get(t, tt.path, http.Header{"Authorization": {"Bearer secret"}})
		w := serve(RequestLog(zerolog.New(&log), nil)(tt.handler), r)
		expect.Same(t, tt.name+": log lines", 1, strings.Count(log.String(), "\n"))
		line := expect.JSON[map[string]any](t, log.Bytes())
		id := w.Header().Get(contract.HeaderRequestID)
		expect.Same(t, tt.name+": there is one id", []any{true, id}, []any{id != "", line["id"]})
		expect.Same(t, tt.name+": X-Content-Type-Options", "nosniff", w.Header().Get("X-Content-Type-Options"))
		delete(line, "id")
		delete(line, "ms")
		expect.Same(t, tt.name+": line", tt.want, line)
		expect.Lacks(t, tt.name+": the log", log.String(), "secret")
	}
}

// Only then its line says what it waited for.
func TestSlowRequest(t *testing.T) {
	t.Parallel()
	wait := func(ctx context.Context, part span.Part, d time.Duration) {
		defer span.Since(ctx, part, time.Now())
		time.Sleep(d)
	}
	for _, tt := range []struct {
		name string
		mail time.Duration
		want any
	}{
		{"just fast enough", slowRequest - 2*time.Millisecond, nil},
		{"slow", 2 * time.Second, map[string]any{"database": 1.0, "mail": 2000.0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			handler := ClientAddress(nil, nil, zerolog.Nop())(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				wait(r.Context(), span.Database, time.Millisecond)
				wait(context.WithoutCancel(r.Context()), span.Mail, tt.mail)
			}))
			serve(RequestLog(zerolog.New(&log), nil)(handler), get(t, "/", nil))
			expect.Same(t, tt.name, tt.want, expect.JSON[map[string]any](t, log.Bytes())["waited_ms"])
		})
	}
}

func TestTraceInTheLog(t *testing.T) {
	t.Parallel()
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for given, want := range map[string]any{"00-" + trace + "-" + parent + "-01": trace, "00-secret": nil} {
		var log bytes.Buffer
		serve(RequestLog(zerolog.New(&log), nil)(http.HandlerFunc(fine)), get(t, "/", http.Header{"Traceparent": {given}}))
		line := expect.JSON[map[string]any](t, log.Bytes())
		expect.Same(t, given, []any{want, want != nil}, []any{line["trace_id"], line["parent_id"] == parent})
		expect.Lacks(t, given, log.String(), "secret")
	}
}

// What is sent is signed, also where an error takes the place of an answer that was begun.
func TestSignOnRequest(t *testing.T) {
	t.Parallel()
	failing := func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = w.Write([]byte("half an answer"))
		return &contract.Error{Code: contract.BadGateway, Detail: "Then it broke."}
	}
	signed := ""
	sign := SignOnRequest(func(_ []string, status int, _ http.Header, body []byte) {
		signed = strconv.Itoa(status) + string(body)
	})
	please := http.Header{"Accept-Signature": {"sig1=()"}}
	w := serve(sign((&Problems{BaseURL: base}).Handle(failing)), get(t, "/v1/catalog", please))
	expect.Same(t, "status, code, and what is signed",
		[]any{502, contract.BadGateway, "502" + w.Body.String()}, []any{w.Code, problemOf(t, w).Code, signed})
	head := get(t, "/v1/catalog", please)
	head.Method = "HEAD"
	serve(sign(http.HandlerFunc(fine)), head)
	expect.Same(t, "signed of an answer without content", "200", signed)
	signed = ""
	serve(sign(http.HandlerFunc(fine)), get(t, "/v1/catalog", nil))
	expect.Same(t, "signed without a request", "", signed)
}
