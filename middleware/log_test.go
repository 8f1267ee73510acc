package middleware

import (
	"bytes"
	"context"
	"errors"
	"net/http"
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
	tests := []struct {
		name    string
		path    string
		handler http.HandlerFunc
		want    map[string]any // the whole line but id, ms and time
	}{
		{"writes nothing", "/a", func(http.ResponseWriter, *http.Request) {},
			map[string]any{"level": "info", "message": "request", "method": "GET", "path": "/a", "status": 200.0, "bytes": 0.0}},
		{"writes", "/b?q=secret+question", fine,
			map[string]any{"level": "info", "message": "request", "method": "GET", "path": "/b", "status": 200.0, "bytes": 4.0}},
		{"informational first", "/c", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(204)
		}, map[string]any{"level": "info", "message": "request", "method": "GET", "path": "/c", "status": 204.0, "bytes": 0.0}},
		{"terminal escapes in the path", "/%1b%5b31m", fine,
			map[string]any{"level": "info", "message": "request", "method": "GET", "path": "/%1b%5b31m", "status": 200.0, "bytes": 4.0}},
		{"fails", "/d", func(w http.ResponseWriter, r *http.Request) {
			(&Problems{BaseURL: base}).Write(w, r, cause)
		}, map[string]any{"level": "error", "message": "request", "method": "GET", "path": "/d", "status": 500.0,
			"bytes": 341.0, "error": "internal_error: The service failed to handle the request.: disk on fire"}},
		{"fails behind a 200", "/e", func(w http.ResponseWriter, r *http.Request) {
			w.(interface{ NoteFailure(error, []byte) }).NoteFailure(cause, []byte("stack"))
			fine(w, r)
		}, map[string]any{"level": "error", "message": "request", "method": "GET", "path": "/e", "status": 200.0,
			"bytes": 4.0, "error": "disk on fire", "stack": "stack"}},
	}
	for _, tt := range tests {
		var log bytes.Buffer
		w := serve(RequestLog(zerolog.New(&log), nil)(tt.handler), get(t, tt.path, http.Header{"Authorization": {"Bearer secret"}}))
		if lines := strings.Count(log.String(), "\n"); lines != 1 {
			t.Fatalf("%s: %d log lines, want 1: %s", tt.name, lines, &log)
		}
		line := expect.JSON[map[string]any](t, log.Bytes())
		if line["id"] != w.Header().Get(contract.HeaderRequestID) || line["id"] == "" {
			t.Errorf("%s: id = %v, want that of the answer, %q", tt.name, line["id"], w.Header().Get(contract.HeaderRequestID))
		}
		expect.Same(t, tt.name+": X-Content-Type-Options", "nosniff", w.Header().Get("X-Content-Type-Options"))
		delete(line, "id")
		delete(line, "ms")
		expect.Same(t, tt.name+": line", tt.want, line)
		expect.Lacks(t, tt.name+": the log", log.String(), "secret")
	}
}

// The line of a request says what it waited for once it is slow.
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

// A valid traceparent is in the line, and nothing of another.
func TestTraceInTheLog(t *testing.T) {
	t.Parallel()
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for given, want := range map[string]any{"00-" + trace + "-" + parent + "-01": trace, "00-secret": nil} {
		var log bytes.Buffer
		serve(RequestLog(zerolog.New(&log), nil)(http.HandlerFunc(fine)), get(t, "/", http.Header{"Traceparent": {given}}))
		line := expect.JSON[map[string]any](t, log.Bytes())
		if line["trace_id"] != want || want != nil && line["parent_id"] != parent || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: %s", given, &log)
		}
	}
}
