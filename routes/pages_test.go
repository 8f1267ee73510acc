package routes_test

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk/contract"
)

// TestNamedPaths requests the paths that the content and the binary name.
func TestNamedPaths(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	home := f.send(t, alice, http.MethodGet, "/", "").Body.String()
	_, rest, _ := strings.Cut(home, `href="/assets/`)
	asset, _, _ := strings.Cut(rest, `"`)
	tests := []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/privacy", 200, ""},
		{"HEAD", "/privacy.md", 200, ""},
		{"GET", "/assets/" + asset, 200, ""},
		{"POST", "/assets/" + asset, 405, "GET, HEAD"},
		{"POST", "/privacy", 405, "GET, HEAD"},
		{"BREW", "/privacy.md", 405, "GET, HEAD"},
		{"GET", "/assets/", 404, ""},
		{"GET", "/assets/site.000000000000.css", 404, ""},
		{"GET", "/assets%2F" + asset, 404, ""},
		{"POST", "/privacy/", 405, "GET, HEAD"},
		{"GET", "/privacy//", 404, ""},
		{"GET", "//privacy/", 404, ""},
		{"GET", "/privacy.md/", 404, ""},
		{"GET", "/assets/" + asset + "/", 404, ""},
		{"GET", "/favicon.ico", 200, ""},
		{"GET", "/apple-touch-icon.png", 200, ""},
		{"GET", "/favicon.ico/", 404, ""},
		{"GET", "/%70rivacy/", 404, ""},
		{"GET", contract.PathRegistryAuth, 404, ""},
		{"GET", contract.PathAppsChallenge, 404, ""},
		{"GET", "/home", 404, ""}, // the home page is only at /
		{"GET", "/nope", 404, ""},
		{"GET", "/nope.md", 404, ""},
		{"GET", "/.md", 404, ""},
		{"POST", "/nope", 404, ""},
	}
	for _, tt := range tests {
		w := f.send(t, alice, tt.method, tt.path, "")
		if w.Code != tt.status || w.Header().Get("Allow") != tt.allow {
			t.Errorf("%s %s: %d, Allow %q; want %d, %q", tt.method, tt.path, w.Code, w.Header().Get("Allow"), tt.status, tt.allow)
		}
	}
}

// TestPagesWithASlash checks that a page's path with one slash leads to the page, and that
// nothing of the request is in the Location.
func TestPagesWithASlash(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	for _, page := range []string{"/ask", "/contact", "/pricing", "/faq", "/developers", "/auth", "/privacy"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := f.send(t, alice, method, page+"/?next=//evil.example", "")
			if w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != page || w.Body.Len() > 0 {
				t.Errorf("%s %s/: %d, Location %q, %q", method, page, w.Code, w.Header().Get("Location"), w.Body)
			}
		}
	}
	for _, path := range []string{"/v1/health/", "/v1/", "/api/ask/", "/mcp/", "/openapi.json/", "/llms.txt/", "/index.md/", "/.well-known/api-catalog/", "/.well-known/", "/feedback/", "//"} {
		if w := f.send(t, alice, http.MethodGet, path, ""); w.Code != http.StatusNotFound || w.Header().Get("Location") != "" {
			t.Errorf("%s: %d, Location %q", path, w.Code, w.Header().Get("Location"))
		}
	}
}
