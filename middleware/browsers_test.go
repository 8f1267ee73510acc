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

// The transcripts show the other headers of a preflight.
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
		method, path, origin string
		status               int
		cors, allow          string
	}{
		{"GET", "/v1/catalog", shop, 200, shop, ""},

		{"POST", contract.PathWorkspaceMCP, app, 200, app, ""},
		{"POST", contract.PathMCP, app, 403, "", ""},
		{"OPTIONS", contract.PathWorkspaceMCP, app, 204, app, ""},

		{"OPTIONS", card, evil, 204, "*", ""}, // open to all
		{"OPTIONS", card, shop, 204, "*", ""},
		{"OPTIONS", card, "", 204, "*", ""},
		{"OPTIONS", card + "/", evil, 403, "", ""},

		{"OPTIONS", "/v1/ask", base, 405, "", "POST"},
		{"OPTIONS", "/v1/nope", shop, 404, shop, ""},
		{"OPTIONS", "/v1/ask", evil, 403, "", ""},
	} {
		name := tt.method + " " + tt.path + " from " + tt.origin
		r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, nil)
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		if tt.method == "OPTIONS" {
			r.Header.Set("Access-Control-Request-Method", "POST")
		}
		w := serve(handler, r)
		expect.Same(t, name,
			[]any{tt.status, tt.cors, tt.allow}, []any{w.Code, w.Header().Get(headerAllowOrigin), w.Header().Get("Allow")})
		expect.Same(t, name+": Vary, lest a cache confuse the origins", tt.path != card, w.Header().Get("Vary") == "Origin")
		if tt.status != 403 {
			continue
		}
		got := problemOf(t, w)
		expect.Same(t, name, contract.Forbidden, got.Code)
		expect.Holds(t, name, got.Detail, strconv.Quote(tt.origin))
	}
}

func TestRefusedOriginThatEqualsTheHostIsExplained(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		origin, host string
		explained    bool
	}{{"http://192.0.2.7:8080", "192.0.2.7:8080", true}, {evil, "desk.example", false}, {"%", "%", false}} {
		var log bytes.Buffer
		r := get(t, "/v1/ask", http.Header{"Origin": {tt.origin}})
		r.Host = tt.host
		serve(RequestLog(zerolog.New(&log), nil)(Origin(origins, &Problems{})(http.HandlerFunc(fine))), r)
		expect.Same(t, tt.origin+" at "+tt.host, tt.explained, strings.Contains(log.String(), "FRONTDESK_BASE_URL"))
	}
}
