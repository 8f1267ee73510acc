package middleware

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

const (
	shop = "https://shop.example"
	app  = "https://app.example"
	evil = "https://evil.example"
	card = "/mcp/server-card"
)

var origins = Origins{Base: base, Extra: []string{shop}, Workspace: app, OpenPaths: map[string]bool{card: true}}

// TestOrigin sends requests with Origin headers, and those that no route answers. The transcripts show the other
// headers of a preflight.
func TestOrigin(t *testing.T) {
	t.Parallel()
	methods := map[string][]string{"/v1/catalog": {"GET", "HEAD"}, "/v1/ask": {"POST"}, card: {"GET", "HEAD"},
		contract.PathMCP: {"POST"}, contract.PathWorkspaceMCP: {"POST"}}
	problems := &Problems{BaseURL: base}
	unrouted := Unrouted(func(path string) []string { return methods[path] }, noHint, problems)
	handler := Origin(origins, problems)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(methods[RoutedPath(r)], r.Method) {
			fine(w, r)
			return
		}
		unrouted(w, r)
	}))
	for _, tt := range []struct {
		name, method, path string
		origin             []string
		status             int
		cors, allow        string
	}{
		{"further own", "GET", "/v1/catalog", []string{shop}, 200, shop, ""},

		{"workspace", "POST", contract.PathWorkspaceMCP, []string{app}, 200, app, ""},
		{"workspace elsewhere", "POST", contract.PathMCP, []string{app}, 403, "", ""},
		{"preflight of the workspace", "OPTIONS", contract.PathWorkspaceMCP, []string{app}, 204, app, ""},

		{"open, foreign", "OPTIONS", card, []string{evil}, 204, "*", ""},
		{"open, further own", "OPTIONS", card, []string{shop}, 204, "*", ""},
		{"open, none", "OPTIONS", card, nil, 204, "*", ""},
		{"open, another path", "OPTIONS", card + "/", []string{evil}, 403, "", ""},

		{"preflight of the own origin", "OPTIONS", "/v1/ask", []string{base}, 405, "", "POST"},
		{"preflight of nothing", "OPTIONS", "/v1/nope", []string{shop}, 404, shop, ""},
		{"preflight of a foreign origin", "OPTIONS", "/v1/ask", []string{evil}, 403, "", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, nil)
		r.Header["Origin"] = tt.origin
		if tt.method == "OPTIONS" {
			r.Header.Set("Access-Control-Request-Method", "POST")
		}
		w := serve(handler, r)
		expect.Same(t, tt.name,
			[]any{tt.status, tt.cors, tt.allow}, []any{w.Code, w.Header().Get(headerAllowOrigin), w.Header().Get("Allow")})
		expect.Same(t, tt.name+": Vary, lest a cache confuse the origins", tt.path != card, w.Header().Get("Vary") == "Origin")
		if tt.status != 403 {
			continue
		}
		shown := strconv.Quote(strings.Join(tt.origin, ", "))
		got := problemOf(t, w)
		expect.Same(t, tt.name, contract.Forbidden, got.Code)
		expect.Holds(t, tt.name, got.Detail, shown)
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
		expect.Same(t, tt.origin+" at "+tt.host, tt.explained, strings.Contains(log.String(), "FRONTDESK_BASE_URL"))
	}
}
