package server

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestRedirectToHTTPS(t *testing.T) {
	t.Parallel()
	redirect := redirectToHTTPS("https://desk.example:8443", []string{"desk.example", "www.desk.example"})
	for _, tt := range []struct{ request, host, location string }{
		{"GET /faq?a=b", "desk.example", "https://desk.example:8443/faq?a=b"},
		{"GET /", "www.desk.example:80", "https://www.desk.example:8443/"},
		{"GET /", "evil.example", "https://desk.example:8443/"},
		{"GET //evil.example/", "desk.example", "https://desk.example:8443//evil.example/"},
		{"GET x:.evil.example/p", "desk.example", ""}, // the scheme would continue the name
		{"GET x:@evil.example/p", "desk.example", ""}, // or begin credentials
		{"GET http://desk.example/faq", "desk.example", ""},
		{"OPTIONS *", "desk.example", ""},
	} {
		request := tt.request + " HTTP/1.1\r\nHost: " + tt.host + "\r\n\r\n"
		w := httptest.NewRecorder()
		redirect.ServeHTTP(w, expect.Value(http.ReadRequest(bufio.NewReader(strings.NewReader(request))))(t))
		status := 308
		if tt.location == "" {
			status = 400
		}
		expect.Same(t, request, []any{status, tt.location}, []any{w.Code, w.Header().Get("Location")})
	}
}
