package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

const base = "https://desk.example"

func get(t *testing.T, path string, header http.Header) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "GET", path, nil)
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

func noHint(string) string { return "" }

func fine(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("fine")) }

func problemOf(t *testing.T, w *httptest.ResponseRecorder) contract.Problem {
	t.Helper()
	expect.Same(t, "Content-Type", contract.TypeProblem, w.Header().Get("Content-Type"))
	return expect.JSON[contract.Problem](t, w.Body.Bytes())
}
