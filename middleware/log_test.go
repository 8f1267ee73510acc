package middleware

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/contract"
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
			w.WriteHeader(http.StatusNoContent)
		}, map[string]any{"level": "info", "message": "request", "method": "GET", "path": "/c", "status": 204.0, "bytes": 0.0}},
		{"terminal escapes in the path", "/%1b%5b31m", fine,
			map[string]any{"level": "info", "message": "request", "method": "GET", "path": "/%1b%5b31m", "status": 200.0, "bytes": 4.0}},
		{"fails", "/d", func(w http.ResponseWriter, r *http.Request) {
			(&Problems{BaseURL: base}).Write(w, r, cause)
		}, map[string]any{"level": "error", "message": "request", "method": "GET", "path": "/d", "status": 500.0,
			"bytes": 309.0, "error": "internal_error: The service failed to handle the request.: disk on fire"}},
		{"fails behind a 200", "/e", func(w http.ResponseWriter, r *http.Request) {
			w.(interface{ NoteFailure(error, []byte) }).NoteFailure(cause, []byte("stack"))
			fine(w, r)
		}, map[string]any{"level": "error", "message": "request", "method": "GET", "path": "/e", "status": 200.0,
			"bytes": 4.0, "error": "disk on fire", "stack": "stack"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			w := serve(RequestLog(zerolog.New(&log), nil)(tt.handler), get(t, tt.path, http.Header{"Authorization": {"Bearer secret"}}))
			if lines := strings.Count(log.String(), "\n"); lines != 1 {
				t.Fatalf("%d log lines, want 1: %s", lines, &log)
			}
			var line map[string]any
			if err := json.Unmarshal(log.Bytes(), &line); err != nil {
				t.Fatal(err)
			}
			if line["id"] != w.Header().Get(contract.HeaderRequestID) || line["id"] == "" {
				t.Errorf("id = %v, want that of the answer, %q", line["id"], w.Header().Get(contract.HeaderRequestID))
			}
			delete(line, "id")
			delete(line, "ms")
			if diff := cmp.Diff(tt.want, line); diff != "" {
				t.Errorf("line (-want +got):\n%s", diff)
			}
			if strings.Contains(log.String(), "secret") {
				t.Errorf("the log tells what it must not: %s", &log)
			}
		})
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		given []string
		kept  bool
	}{
		{"none", nil, false},
		{"plain", []string{"Abc-1.2_3"}, true},
		{"64 characters", []string{strings.Repeat("a", 64)}, true},
		{"65 characters", []string{strings.Repeat("a", 65)}, false},
		{"empty", []string{""}, false},
		{"space", []string{"a b"}, false},
		{"not ASCII", []string{"é"}, false},
		{"two", []string{"a", "b"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			if tt.given != nil {
				header[contract.HeaderRequestID] = tt.given
			}
			w := serve(RequestLog(zerolog.Nop(), nil)(http.HandlerFunc(fine)), get(t, "/", header))
			got := w.Header().Get(contract.HeaderRequestID)
			if tt.kept != (len(tt.given) == 1 && got == tt.given[0]) || !validRequestID(got) {
				t.Errorf("id = %q for %q, kept want %v", got, tt.given, tt.kept)
			}
			if w.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Error("the answer lacks nosniff")
			}
		})
	}
}
