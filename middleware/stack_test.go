package middleware

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/limits"
)

const base = "https://desk.example"

func get(t *testing.T, path string, header http.Header) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for name, values := range header {
		r.Header[name] = values
	}
	return r
}

func serve(handler http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// onWire is a header whose name stands in the map as it goes on the wire, where
// http.Header.Get does not look.
func onWire(header http.Header, name string) string { return strings.Join(header[name], "|") }

func fine(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("fine")) }

// problemOf reads the record of an answer.
func problemOf(t *testing.T, w *httptest.ResponseRecorder) contract.Problem {
	t.Helper()
	if got := w.Header().Get("Content-Type"); got != contract.TypeProblem {
		t.Fatalf("Content-Type = %q, want a problem record", got)
	}
	var problem contract.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil {
		t.Fatal(err)
	}
	return problem
}

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

func TestAPIVersion(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/v1": true, "/v1/": true, "/v1/health": true, "/v1/nope": true, "/v1%2Fhealth": true,
		"/v10/health": false, "/api/ask": false, "/": false, "/V1/health": false,
	} {
		w := serve(APIVersion(http.HandlerFunc(fine)), get(t, path, nil))
		if got := onWire(w.Header(), contract.HeaderAPIVersion) != ""; got != want {
			t.Errorf("%s carries the version: %v, want %v", path, got, want)
		}
	}
}

func TestRecover(t *testing.T) {
	t.Parallel()
	problems := &Problems{BaseURL: base}
	var log bytes.Buffer
	panics := func(value any, before func(http.ResponseWriter)) http.Handler {
		return RequestLog(zerolog.New(&log), nil)(Recover(problems)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			before(w)
			panic(value)
		})))
	}
	nothing := func(http.ResponseWriter) {}

	w := serve(panics("the secret is 42", nothing), get(t, "/v1/ask", nil))
	if problem := problemOf(t, w); w.Code != 500 || problem.Code != contract.InternalError || strings.Contains(w.Body.String(), "42") {
		t.Errorf("answer = %d %s, want internal_error without the panic's text", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "the secret is 42") || !strings.Contains(log.String(), "stack_test.go") {
		t.Errorf("the log lacks the panic or its stack: %s", &log)
	}

	w = serve(panics("late", func(w http.ResponseWriter) { w.WriteHeader(http.StatusAccepted) }), get(t, "/", nil))
	if w.Code != http.StatusAccepted || w.Body.Len() != 0 {
		t.Errorf("after an answer has begun: %d %q, want it left alone", w.Code, w.Body)
	}

	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("recovered %v, want http.ErrAbortHandler to go on", err)
		}
	}()
	serve(panics(http.ErrAbortHandler, nothing), get(t, "/", nil))
}

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48")}
	tests := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no header", "192.0.2.1:5000", nil, "192.0.2.1"},
		{"untrusted peer", "192.0.2.1:5000", []string{"198.51.100.1"}, "192.0.2.1"},
		{"trusted peer", "10.0.0.1:5000", []string{"198.51.100.1"}, "198.51.100.1"},
		{"spoofed left", "10.0.0.1:5000", []string{"203.0.113.9, 198.51.100.1"}, "198.51.100.1"},
		{"two proxies", "10.0.0.1:5000", []string{"203.0.113.9, 198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"two lines", "10.0.0.1:5000", []string{"203.0.113.9", "198.51.100.1,10.0.0.2"}, "198.51.100.1"},
		{"IPv6 proxy", "[2001:db8:ffff::1]:5000", []string{"198.51.100.1"}, "198.51.100.1"},
		{"mapped peer", "[::ffff:10.0.0.1]:5000", []string{"198.51.100.1"}, "198.51.100.1"},
		{"entry with a port", "10.0.0.1:5000", []string{"198.51.100.1:443"}, "198.51.100.1"},
		{"IPv6 entry with a port", "10.0.0.1:5000", []string{"[2001:db8::5]:443"}, "2001:db8::5"},
		{"proxy sent nothing", "10.0.0.1:5000", nil, "10.0.0.1"},
		{"all trusted", "10.0.0.1:5000", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"garbage nearest", "10.0.0.1:5000", []string{"198.51.100.1, unknown"}, "10.0.0.1"},
		{"garbage behind a proxy", "10.0.0.1:5000", []string{"198.51.100.1, unknown, 10.0.0.2"}, "10.0.0.2"},
		{"empty entry", "10.0.0.1:5000", []string{"198.51.100.1, "}, "10.0.0.1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got limits.Client
			handler := ClientAddress(proxies, zerolog.Nop())(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = limits.ClientFrom(r.Context())
			}))
			r := get(t, "/", http.Header{forwardedFor: tt.forwarded})
			r.RemoteAddr = tt.peer
			serve(handler, r)
			if want := limits.ClientOf(netip.MustParseAddr(tt.want)); got != want {
				t.Errorf("client = %v, want %v", got, want)
			}
		})
	}
}

func TestUntrustedForwardingIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	handler := ClientAddress(nil, zerolog.New(&log))(http.HandlerFunc(fine))
	for range 3 {
		serve(handler, get(t, "/", http.Header{forwardedFor: {"198.51.100.1"}}))
	}
	if n := strings.Count(log.String(), "FRONTDESK_TRUSTED_PROXIES"); n != 1 {
		t.Errorf("warned %d times, want once: %s", n, &log)
	}
}

func TestLimitLayers(t *testing.T) {
	t.Parallel()
	problems := &Problems{BaseURL: base}
	limiter := limits.New(contract.AskPolicy)
	handler := BodyCap(8, limiter, problems)(Limit(limiter, problems)(http.HandlerFunc(fine)))
	post := func(body string) *httptest.ResponseRecorder {
		return serve(handler, httptest.NewRequestWithContext(t.Context(), http.MethodPost, contract.PathAsk, strings.NewReader(body)))
	}
	rate := func(w *httptest.ResponseRecorder) string { return onWire(w.Header(), contract.HeaderRateLimit) }

	if w := post("too long a body"); w.Code != 413 || rate(w) != `"ask";r=5` {
		t.Errorf("413: %d %s, want no slot taken", w.Code, rate(w))
	}
	for remaining := 4; remaining >= 0; remaining-- {
		if w := post("ok"); w.Code != 200 || rate(w) != contract.AskPolicy.Remaining(remaining) {
			t.Errorf("accepted: %d %s, want %d remaining", w.Code, rate(w), remaining)
		}
	}
	w := post("ok")
	if w.Code != 429 || rate(w) != `"ask";r=0` || w.Header().Get("Retry-After") != "60" {
		t.Errorf("over the limit: %d %s, Retry-After %s", w.Code, rate(w), w.Header().Get("Retry-After"))
	}
	if got := onWire(w.Header(), contract.HeaderRateLimitPolicy); got != `"ask";q=5;w=60` {
		t.Errorf("policy = %s", got)
	}
	if w := post("too long a body"); w.Code != 413 || rate(w) != `"ask";r=0` {
		t.Errorf("413 over the limit: %d %s, want 413 first", w.Code, rate(w))
	}
}

func TestRetired(t *testing.T) {
	t.Parallel()
	announced := time.Date(2027, time.January, 1, 0, 0, 0, 0, time.UTC)
	handler := Retired(Retirement{announced, announced.Add(minRetirement)})(http.HandlerFunc(fine))
	w := serve(handler, get(t, "/", nil))
	if got := w.Header().Get("Deprecation"); got != "@1798761600" {
		t.Errorf("Deprecation = %q, want @1798761600", got)
	}
	if got := w.Header().Get("Sunset"); got != "Sun, 04 Jul 2027 00:00:00 GMT" {
		t.Errorf("Sunset = %q", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("Retired takes an end that comes too soon")
		}
	}()
	Retired(Retirement{announced, announced.Add(minRetirement - time.Second)})
}
