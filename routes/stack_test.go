package routes_test

import (
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// A request with two faults is answered by the rule that comes first (decisions, "Order").
func TestOrder(t *testing.T) {
	t.Parallel()
	long := func(limit int) string { return strings.Repeat("x", limit+1) }
	for _, tt := range []struct {
		name, path, body, header string
		code                     contract.Code
		rate                     string
	}{
		{"origin before body cap", "/v1/ask", long(contract.CapAsk), "Origin: https://evil.example", contract.Forbidden, ""},
		{"limit before coding on ask", "/v1/ask", ask, "Content-Encoding: gzip", contract.InvalidRequest, left(1)},
		{"MCP: body cap before Accept", "/mcp", long(contract.CapMCP), "Accept: text/html", contract.PayloadTooLarge, ""},
		{"MCP: no slot for a refused message", "/mcp", harness.ToolCall("ask_faq", ask), "Mcp-Protocol-Version: x", contract.InvalidRequest, ""},
	} {
		w := newFront(t).post(t, alice, tt.path, tt.body, tt.header)
		status(t, tt.name, w, tt.code.Status(), tt.rate)
		expect.Holds(t, tt.name, w.Body.String(), `"code":"`+string(tt.code)+`"`)
	}
}
