package routes_test

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/middleware"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

// TestOrder sends requests with two faults: the answer shows which rule comes first
// (decisions, "Order").
func TestOrder(t *testing.T) {
	t.Parallel()
	const foreign = "Origin: https://evil.example"
	long := func(limit int) string { return strings.Repeat("x", limit+1) }
	tests := []struct {
		name, method, path, body string
		header                   []string
		code                     contract.Code
		rate                     string
	}{
		{"origin before body cap", "POST", "/v1/ask", long(contract.CapAsk), []string{foreign}, contract.Forbidden, ""},
		{"route before body cap", "POST", "/v1/nope", long(contract.CapAsk), nil, contract.NotFound, ""},
		{"method before policy headers", "PUT", "/v1/ask", ask, nil, contract.MethodNotAllowed, ""},
		{"limit before validation on ask", "POST", "/v1/ask", `nonsense`, nil, contract.InvalidRequest, left(1)},
		{"limit before coding on ask", "POST", "/v1/ask", ask, []string{"Content-Encoding: gzip"}, contract.InvalidRequest, left(1)},
		{"validation before limit on contact", "POST", "/v1/contact", `{}`, nil, contract.InvalidRequest, ""},
		{"MCP: origin before method", "GET", "/mcp", "", []string{foreign}, contract.Forbidden, ""},
		{"MCP: method before everything behind it", "GET", "/mcp", "", []string{"Accept: text/html"}, contract.MethodNotAllowed, ""},
		{"MCP: body cap before Accept", "POST", "/mcp", long(contract.CapMCP), []string{"Accept: text/html"}, contract.PayloadTooLarge, ""},
		{"MCP: no slot for a refused message", "POST", "/mcp", harness.ToolCall("ask_faq", ask), []string{"Mcp-Protocol-Version: x"}, contract.InvalidRequest, ""},
		{"MCP: no slot on the workspace either", "POST", "/api/public/mcp", "[]", nil, contract.InvalidRequest, ""},
		{"panic", "POST", "/v1/ask", `{"q":"panic"}`, nil, contract.InternalError, left(1)},
	}
	for _, tt := range tests {
		w := newFront(t).send(t, alice, tt.method, tt.path, tt.body, tt.header...)
		if !strings.Contains(w.Body.String(), `"code":"`+string(tt.code)+`"`) || rate(w) != tt.rate {
			t.Errorf("%s: answer %d %s, want %s %s: %s", tt.name, w.Code, rate(w), tt.code, tt.rate, w.Body)
		}
		expect.Same(t, tt.name+": status", tt.code.Status(), w.Code)
		if got := w.Header().Get(contract.HeaderAPIVersion); (got == "1") != strings.HasPrefix(tt.path, contract.PrefixV1) {
			t.Errorf("%s: version header = %q", tt.name, got)
		}
	}
}

// Every request is reported with its route: routes of the
// router, paths that the content names, and unknown paths.
func TestObserver(t *testing.T) {
	t.Parallel()
	var got []middleware.Finished
	f := newFrontWith(t, io.Discard, func(c *routes.Config) {
		c.Observe = func(done middleware.Finished) { got = append(got, done) }
	})
	f.send(t, alice, "GET", contract.PathCatalogAlias, "")
	f.send(t, alice, "GET", "/privacy", "")
	f.send(t, alice, "GET", "/privacy.md", "")
	f.send(t, alice, "GET", "/nothing", "")
	f.send(t, alice, "POST", contract.PathCatalog, "")
	f.post(t, alice, contract.PathAsk, `{"q":"panic"}`)
	f.post(t, alice, contract.PathMCP, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	want := []middleware.Finished{
		{Method: "GET", Route: "/agents.json", Status: 200, Client: middleware.Programs},
		{Method: "GET", Route: "/{page}", Status: 200, Client: middleware.Programs},
		{Method: "GET", Route: "/{page}.md", Status: 200, Client: middleware.Programs},
		{Method: "GET", Status: 404},
		{Method: "POST", Status: 405},
		{Method: "POST", Route: "/v1/ask", Status: 500, Failed: true},
		{Method: "POST", Route: "/mcp", Status: 202, Client: middleware.Programs},
	}
	expect.Same(t, "reported", want, got, cmpopts.IgnoreFields(middleware.Finished{}, "Took", "Ended"))
	for _, done := range got {
		if done.Took <= 0 {
			t.Errorf("%s took %v", done.Route, done.Took)
		}
	}
}
