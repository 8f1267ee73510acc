package middleware

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/limits"
)

func TestAPIVersion(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/v1": true, "/v1/": true, "/v1/health": true, "/v1/nope": true, "/v1%2Fhealth": true,
		"/v10/health": false, "/api/ask": false, "/": false, "/V1/health": false,
	} {
		w := serve(APIVersion(http.HandlerFunc(fine)), get(t, path, nil))
		if got := w.Header().Get(contract.HeaderAPIVersion) != ""; got != want {
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

func TestLimitLayers(t *testing.T) {
	t.Parallel()
	problems := &Problems{BaseURL: base}
	limiter := limits.New(contract.AskPolicy)
	handler := BodyCap(8, limiter, problems)(Limit(limiter, problems)(http.HandlerFunc(fine)))
	post := func(body string) *httptest.ResponseRecorder {
		return serve(handler, httptest.NewRequestWithContext(t.Context(), http.MethodPost, contract.PathAsk, strings.NewReader(body)))
	}
	rate := func(w *httptest.ResponseRecorder) string { return w.Header().Get(contract.HeaderRateLimit) }

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
	if got := w.Header().Get(contract.HeaderRateLimitPolicy); got != `"ask";q=5;w=60` {
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
