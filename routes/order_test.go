package routes_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
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
		{"origin before route", "GET", "/v1/nope", "", []string{foreign}, contract.Forbidden, ""},
		{"origin before method", "PUT", "/v1/ask", "", []string{foreign}, contract.Forbidden, ""},
		{"origin before body cap", "POST", "/v1/ask", long(contract.CapAsk), []string{foreign}, contract.Forbidden, ""},
		{"route before body cap", "POST", "/v1/nope", long(contract.CapAsk), nil, contract.NotFound, ""},
		{"method before policy headers", "PUT", "/v1/ask", ask, nil, contract.MethodNotAllowed, ""},
		{"policy headers before body cap", "POST", "/v1/ask", long(contract.CapAsk), nil, contract.PayloadTooLarge, `"ask";r=5`},
		{"body cap before validation", "POST", "/v1/contact", long(contract.CapContact), nil, contract.PayloadTooLarge, ""},
		{"limit before validation on ask", "POST", "/v1/ask", `nonsense`, nil, contract.InvalidRequest, `"ask";r=4`},
		{"limit before coding on ask", "POST", "/v1/ask", ask, []string{"Content-Encoding: gzip"}, contract.InvalidRequest, `"ask";r=4`},
		{"limit before query on ask", "POST", "/v1/ask?q=x", ask, nil, contract.InvalidRequest, `"ask";r=4`},
		{"validation before limit on contact", "POST", "/v1/contact", `{}`, nil, contract.InvalidRequest, ""},
		{"MCP: origin before method", "GET", "/mcp", "", []string{foreign}, contract.Forbidden, ""},
		{"MCP: origin before body cap", "POST", "/mcp", long(contract.CapMCP), []string{foreign}, contract.Forbidden, ""},
		{"MCP: method before everything behind it", "GET", "/mcp", "", []string{"Accept: text/html"}, contract.MethodNotAllowed, ""},
		{"MCP: body cap before Accept", "POST", "/mcp", long(contract.CapMCP), []string{"Accept: text/html"}, contract.PayloadTooLarge, ""},
		{"MCP: no slot for a refused message", "POST", "/mcp", harness.ToolCall("ask_faq", ask), []string{"Mcp-Protocol-Version: x"}, contract.InvalidRequest, ""},
		{"MCP: no slot on the workspace either", "POST", "/api/public/mcp", "[]", nil, contract.InvalidRequest, ""},
		{"panic", "POST", "/v1/ask", `{"q":"panic"}`, nil, contract.InternalError, `"ask";r=4`},
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

func TestContentTypes(t *testing.T) {
	t.Parallel()
	const form = "name=Ada&business=AE&email=ada%40example.com&message=Hello&dry_run=true"
	tests := []struct {
		name, body string
		types      []string
		want       int
	}{
		{"empty", dry, []string{""}, 200},
		{"JSON", dry, []string{"application/json"}, 200},
		{"curl's default on JSON after a space", " " + dry, []string{"application/x-www-form-urlencoded"}, 200},
		{"form", form, []string{"application/x-www-form-urlencoded"}, 200},
		{"form declared as JSON", form, []string{"application/json"}, 400},
		{"form without a type", form, nil, 400},
		{"a parameter without a value", dry, []string{"application/json; charset"}, 400},
		{"a quote that does not end", dry, []string{`application/json; charset="utf-8`}, 400},
		{"a parameter given twice", dry, []string{"application/json; charset=utf-8; charset=utf-16"}, 400},
		{"a space within", dry, []string{"application/json charset=utf-8"}, 400},
		{"a list", dry, []string{"application/json, application/json"}, 400},
		{"a final semicolon", dry, []string{"application/json;"}, 200},
		{"JSON dialect", dry, []string{"application/ld+json"}, 400},
	}
	for _, tt := range tests {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, contract.PathContact, strings.NewReader(tt.body))
		if tt.types != nil {
			r.Header["Content-Type"] = tt.types
		}
		w := httptest.NewRecorder()
		newFront(t).ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: status = %d, want %d: %s", tt.name, w.Code, tt.want, w.Body)
		}
		if strings.Contains(w.Header().Get("Content-Type"), "html") {
			t.Errorf("%s: the API answers HTML", tt.name)
		}
	}
}

// TestHead checks that HEAD is answered wherever GET is.
func TestHead(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	for _, path := range []string{contract.PathHealth, contract.PathCatalog, contract.PathCatalogAlias, contract.PathDevelopers} {
		get, head := f.send(t, alice, http.MethodGet, path, ""), f.send(t, alice, http.MethodHead, path, "")
		if head.Code != 200 || head.Header().Get("Content-Length") != get.Header().Get("Content-Length") {
			t.Errorf("%s: HEAD %d with Content-Length %s, GET has %s", path, head.Code,
				head.Header().Get("Content-Length"), get.Header().Get("Content-Length"))
		}
	}
}
