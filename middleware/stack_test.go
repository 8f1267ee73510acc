package middleware

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestRecover(t *testing.T) {
	t.Parallel()
	problems := &Problems{BaseURL: base}
	var log bytes.Buffer
	failed := false
	panics := func(value any, before func(http.ResponseWriter)) http.Handler {
		return RequestLog(zerolog.New(&log), func(done Finished) { failed = done.Failed })(Recover(problems)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			before(w)
			panic(value)
		})))
	}
	nothing := func(http.ResponseWriter) {}

	w := serve(panics("the secret is 42", nothing), get(t, "/v1/ask", nil))
	if problem := problemOf(t, w); w.Code != 500 || !failed || problem.Code != contract.InternalError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("answer = %d %s, want internal_error without the panic's text", w.Code, w.Body)
	}
	expect.Holds(t, "the log of a panic", log.String(), "the secret is 42", "stack_test.go")

	w = serve(panics("late", func(w http.ResponseWriter) { w.WriteHeader(202) }), get(t, "/", nil))
	expect.Same(t, "after an answer has begun", []any{202, 0}, []any{w.Code, w.Body.Len()})

	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("recovered %v, want http.ErrAbortHandler to go on", err)
		}
	}()
	serve(panics(http.ErrAbortHandler, nothing), get(t, "/", nil))
}
