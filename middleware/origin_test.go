package middleware

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/contract"
)

var origins = Origins{Base: base, Extra: []string{"https://shop.example"}}

func TestOrigin(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		origin []string
		status int
		cors   string
	}{
		{"none", nil, 200, ""},
		{"own", []string{base}, 200, ""},
		{"further own", []string{"https://shop.example"}, 200, "https://shop.example"},
		{"foreign", []string{"https://evil.example"}, 403, ""},
		{"null", []string{"null"}, 403, ""},
		{"empty", []string{""}, 403, ""},
		{"other scheme", []string{"http://desk.example"}, 403, ""},
		{"other port", []string{base + ":8443"}, 403, ""},
		{"default port written", []string{base + ":443"}, 403, ""},
		{"subdomain", []string{"https://a.desk.example"}, 403, ""},
		{"prefix trap", []string{"https://desk.example.evil.example"}, 403, ""},
		{"upper case", []string{"HTTPS://DESK.EXAMPLE"}, 403, ""},
		{"trailing slash", []string{base + "/"}, 403, ""},
		{"user info", []string{"https://desk.example@evil.example"}, 403, ""},
		{"twice", []string{base, base}, 403, ""},
		{"own and foreign", []string{base, "https://evil.example"}, 403, ""},
		{"list in one", []string{base + ", https://evil.example"}, 403, ""},
		{"file", []string{"file://"}, 403, ""},
		{"extension", []string{"chrome-extension://abcdef"}, 403, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			if tt.origin != nil {
				header["Origin"] = tt.origin
			}
			w := serve(Origin(origins, &Problems{BaseURL: base})(http.HandlerFunc(fine)), get(t, "/v1/catalog", header))
			if w.Code != tt.status || w.Header().Get(headerAllowOrigin) != tt.cors {
				t.Errorf("status %d, allowed %q; want %d, %q", w.Code, w.Header().Get(headerAllowOrigin), tt.status, tt.cors)
			}
			if w.Header().Get("Vary") != "Origin" {
				t.Errorf("Vary = %q: a cache could mix the origins up", w.Header().Get("Vary"))
			}
			if tt.status == 403 && problemOf(t, w).Code != contract.Forbidden {
				t.Errorf("body = %s, want forbidden", w.Body)
			}
		})
	}
}

// TestOpenPaths holds the exemption of the discovery documents: the same answer and
// the same headers for every origin, and nothing of it on other paths.
func TestOpenPaths(t *testing.T) {
	t.Parallel()
	const card = "/mcp/server-card"
	opened := origins
	opened.OpenPaths = map[string]bool{card: true}
	methods := map[string][]string{card: {"GET", "HEAD"}}
	handler := Origin(opened, &Problems{BaseURL: base})(Unrouted(in(methods), &Problems{BaseURL: base}))
	tests := []struct {
		name, path string
		origin     []string
		status     int
		cors       string
	}{
		{"foreign", card, []string{"https://evil.example"}, 204, "*"},
		{"null", card, []string{"null"}, 204, "*"},
		{"further own", card, []string{"https://shop.example"}, 204, "*"},
		{"repeated", card, []string{base, base}, 204, "*"},
		{"none", card, nil, 204, "*"},
		{"another path", card + "/", []string{"https://evil.example"}, 403, ""},
		{"another case", "/MCP/server-card", []string{"https://evil.example"}, 403, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodOptions, tt.path, nil)
			r.Header.Set("Access-Control-Request-Method", "GET")
			if tt.origin != nil {
				r.Header["Origin"] = tt.origin
			}
			w := serve(handler, r)
			if w.Code != tt.status || w.Header().Get(headerAllowOrigin) != tt.cors {
				t.Errorf("status %d, allowed %q; want %d, %q", w.Code, w.Header().Get(headerAllowOrigin), tt.status, tt.cors)
			}
			if tt.cors != "*" {
				return
			}
			want := []string{"GET", "Content-Type, If-None-Match", "ETag", ""}
			got := []string{w.Header().Get(headerAllowMethods), w.Header().Get(headerAllowHeaders),
				w.Header().Get("Access-Control-Expose-Headers"), w.Header().Get("Vary")}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("headers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWorkspaceOrigin lets the workspace application's pages reach its own MCP
// server and nothing else.
func TestWorkspaceOrigin(t *testing.T) {
	t.Parallel()
	const app = "https://app.example"
	for _, extra := range [][]string{nil, {"https://shop.example"}} {
		handler := Origin(Origins{Base: base, Extra: extra, Workspace: app}, &Problems{BaseURL: base})(http.HandlerFunc(fine))
		for path, status := range map[string]int{
			contract.PathWorkspaceMCP: 200, contract.PathWorkspaceMCP + "/": 403, contract.PathMCP: 403, contract.PathCatalog: 403,
		} {
			w := serve(handler, get(t, path, http.Header{"Origin": {app}}))
			if w.Code != status || (w.Header().Get(headerAllowOrigin) == app) != (status == 200) {
				t.Errorf("%s: status %d, allowed %q; want %d", path, w.Code, w.Header().Get(headerAllowOrigin), status)
			}
		}
		for _, origin := range append([]string{base}, extra...) {
			if w := serve(handler, get(t, contract.PathWorkspaceMCP, http.Header{"Origin": {origin}})); w.Code != 200 {
				t.Errorf("%s at the workspace: %d, want 200", origin, w.Code)
			}
		}
		if w := serve(handler, get(t, contract.PathWorkspaceMCP, nil)); w.Header().Get("Vary") != "Origin" {
			t.Error("a cache could hand the workspace's answer to another origin")
		}
	}
}

func TestRefusedOriginThatEqualsTheHostIsExplained(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		origin, host string
		explained    bool
	}{
		{"http://192.0.2.7:8080", "192.0.2.7:8080", true},
		{"https://evil.example", "desk.example", false},
		{"null", "desk.example", false},
		{"%", "%", false},
	} {
		var log bytes.Buffer
		r := get(t, "/v1/ask", http.Header{"Origin": {tt.origin}})
		r.Host = tt.host
		serve(RequestLog(zerolog.New(&log), nil)(Origin(origins, &Problems{})(http.HandlerFunc(fine))), r)
		if got := strings.Contains(log.String(), "FRONTDESK_BASE_URL"); got != tt.explained {
			t.Errorf("%s at %s explained: %v, want %v: %s", tt.origin, tt.host, got, tt.explained, &log)
		}
	}
}

// in looks the methods of a path up.
func in(methods map[string][]string) func(path string) []string {
	return func(path string) []string { return methods[path] }
}

func TestUnrouted(t *testing.T) {
	t.Parallel()
	methods := map[string][]string{"/v1/catalog": {"GET", "HEAD"}, "/v1/ask": {"POST"}}
	handler := Origin(origins, &Problems{BaseURL: base})(Unrouted(in(methods), &Problems{BaseURL: base}))
	tests := []struct {
		name, method, path string
		origin             string
		status             int
		allow              string
	}{
		{"no path", "GET", "/v1/nope", "", 404, ""},
		{"unknown method, no path", "BREW", "/nope", "", 404, ""},
		{"encoded slash", "GET", "/v1%2Fcatalog", "", 404, ""},
		{"wrong method", "DELETE", "/v1/catalog", "", 405, "GET, HEAD"},
		{"wrong method on post", "GET", "/v1/ask", "", 405, "POST"},
		{"unknown method", "BREW", "/v1/ask", "", 405, "POST"},
		{"trace", "TRACE", "/v1/catalog", "", 405, "GET, HEAD"},
		{"options", "OPTIONS", "/v1/ask", "", 405, "POST"},
		{"preflight of the own origin", "OPTIONS", "/v1/ask", base, 405, "POST"},
		{"preflight of a further origin", "OPTIONS", "/v1/ask", "https://shop.example", 204, ""},
		{"preflight of nothing", "OPTIONS", "/v1/nope", "https://shop.example", 404, ""},
		{"preflight of a foreign origin", "OPTIONS", "/v1/ask", "https://evil.example", 403, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, nil)
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
				r.Header.Set("Access-Control-Request-Method", "POST")
			}
			w := serve(handler, r)
			if w.Code != tt.status || w.Header().Get("Allow") != tt.allow {
				t.Errorf("status %d, Allow %q; want %d, %q", w.Code, w.Header().Get("Allow"), tt.status, tt.allow)
			}
			if tt.status == 204 {
				want := []string{"POST", "Content-Type, X-Request-Id, Accept-Signature, Idempotency-Key, Authorization, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id", "https://shop.example", "600"}
				got := []string{w.Header().Get("Access-Control-Allow-Methods"), w.Header().Get("Access-Control-Allow-Headers"),
					w.Header().Get(headerAllowOrigin), w.Header().Get("Access-Control-Max-Age")}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("preflight (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestErrorForm(t *testing.T) {
	t.Parallel()
	problems := &Problems{BaseURL: base, Page: func(_ string, p *contract.Error, mediaType string) []byte {
		return []byte(mediaType + " page of " + string(p.Code))
	}}
	handler := Unrouted(in(nil), problems)
	tests := []struct {
		path, accept, want string
	}{
		{"/nope", "", contract.TypeProblem},
		{"/nope", "*/*", contract.TypeProblem},
		{"/nope", "application/json", contract.TypeProblem},
		{"/nope", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"},
		{"/nope", "text/markdown, text/html;q=0.5", "text/markdown; charset=utf-8"},
		{"/v1/nope", "text/html", contract.TypeProblem},
		{"/v1", "text/html", contract.TypeProblem},
		{"/api/nope", "text/markdown", contract.TypeProblem},
		{"/apis", "text/html", "text/html; charset=utf-8"},
		{"/mcp", "text/html", contract.TypeProblem},
		{"/mcp/", "text/html", "text/html; charset=utf-8"},
	}
	for _, tt := range tests {
		w := serve(handler, get(t, tt.path, http.Header{"Accept": {tt.accept}}))
		if got := w.Header().Get("Content-Type"); w.Code != 404 || got != tt.want {
			t.Errorf("%s for %q: %d %s, want 404 %s", tt.path, tt.accept, w.Code, got, tt.want)
		}
		if w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: an error may be cached", tt.path)
		}
	}
}
