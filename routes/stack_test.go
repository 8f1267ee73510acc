package routes_test

import (
	"bytes"
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

// A refusal is signed too, and the signing layer does not hide the cause of a failure from the log.
func TestSignedRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, path, body string
		status           int
	}{
		{"too large", contract.PathAsk, strings.Repeat(" ", contract.CapAsk+1), 413},
		{"not delivered", contract.PathContactAlias, real, 502},
	} {
		var log bytes.Buffer
		f := newLogged(t, &log)
		f.Mail.FailWith(errDelivery)
		w := f.post(t, alice, tt.path, tt.body, `Accept-Signature: sig1=("@status" "content-digest")`)
		if w.Code != tt.status || w.Header().Get("Signature") == "" {
			t.Errorf("%s: %d %v, want %d with a signature", tt.name, w.Code, w.Header(), tt.status)
		}
		for line := range strings.Lines(log.String()) {
			if strings.Contains(line, `"message":"request"`) && !strings.Contains(line, `"error":`) {
				t.Errorf("%s: the line of the request lacks the cause: %s", tt.name, line)
			}
		}
	}
}
