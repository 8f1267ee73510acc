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
	redirect := redirectToHTTPS("https://desk.example", []string{"desk.example", "www.desk.example"})
	for _, tt := range []struct{ name, request, host, location string }{
		{"a path", "GET /faq?a=b", "desk.example", "https://desk.example/faq?a=b"},
		{"another name of the service", "GET /", "www.desk.example", "https://www.desk.example/"},
		{"a foreign name", "GET /", "evil.example", "https://desk.example/"},
		{"two slashes", "GET //evil.example/", "desk.example", "https://desk.example//evil.example/"},
		{"a scheme that continues the name", "GET x:.evil.example/p", "desk.example", ""},
		{"a scheme that begins credentials", "GET x:@evil.example/p", "desk.example", ""},
		{"the absolute form", "GET http://desk.example/faq", "desk.example", ""},
		{"the asterisk form", "OPTIONS *", "desk.example", ""},
	} {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(tt.request + " HTTP/1.1\r\nHost: " + tt.host + "\r\n\r\n")))
		expect.OK(t, err)
		w := httptest.NewRecorder()
		redirect.ServeHTTP(w, r)
		status := 308
		if tt.location == "" {
			status = 400
		}
		if got := w.Header().Get("Location"); w.Code != status || got != tt.location {
			t.Errorf("%s: %d %q, want %d %q", tt.name, w.Code, got, status, tt.location)
		}
	}
}
