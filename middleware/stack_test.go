package middleware

import (
	"bytes"
	"errors"
	"net/http"
	"path/filepath"
	"regexp"
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
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			before(w)
			panic(value)
		})
		return RequestLog(zerolog.New(&log), func(done Finished) { failed = done.Failed })(Recover(problems)(handler))
	}
	nothing := func(http.ResponseWriter) {}

	w := serve(panics("the secret is 42", nothing), get(t, "/v1/ask", nil))
	expect.Same(t, "answer", []any{500, true, contract.InternalError}, []any{w.Code, failed, problemOf(t, w).Code})
	expect.Lacks(t, "the answer", w.Body.String(), "secret")
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

// See CONTRIBUTING, "A middleware".
func TestEveryLayerIsExplained(t *testing.T) {
	t.Parallel()
	layer := regexp.MustCompile(`(?m)^func ([A-Z]\w+)\(.*(http\.Handler\) http\.Handler|\) Layer|http\.HandlerFunc) \{$`)
	read := func(name string) string {
		return expect.File(t, name)
	}
	files := expect.Value(filepath.Glob("*.go"))(t)
	order, stack, layers := read("doc.go"), read("../routes/stack.go"), 0
	for _, file := range files {
		for _, found := range layer.FindAllStringSubmatch(read(file), -1) {
			layers++
			expect.Holds(t, "middleware/doc.go, which gives places and reasons,", order, found[1]+" ("+file)
			expect.Holds(t, "routes/stack.go", stack, "middleware."+found[1])
		}
	}
	expect.AtLeast(t, "layers", 10, layers)
}
