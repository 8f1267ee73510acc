package contract_test

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

const (
	mcpAccept    = "Accept: application/json, text/event-stream"
	trialRequest = `{"business":"Analytical Engines Ltd","email":"ada@example.com","name":"Ada Lovelace"}`
)

var mcpTranscripts = []transcript{
	{name: "initialize", about: "The handshake.", body: harness.RPC("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"8"}}`)},
	{name: "initialize-other", about: "Any other version is answered with the newer of the two.", body: harness.RPC("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"curl","version":"8"}}`)},
	{name: "initialize-workspace", about: "The workspace's server says what it is for.", path: contract.PathWorkspaceMCP, body: harness.RPC("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"8"}}`)},
	{name: "notification", about: "A notification is taken and has no answer.", body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
	{name: "ping", about: "The id comes back as it was written, however large.", body: `{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`},
	{name: "resources-list", about: "What can be read.", body: harness.RPC("resources/list", "")},
	{name: "resources-read", about: "The bytes that HTTP serves.", body: harness.RPC("resources/read", `{"uri":"`+harness.Base+`/agents.json"}`)},
	{name: "list-services", about: "The catalog.", body: harness.ToolCall("list_services", `{}`)},
	{name: "get-service", about: "One service with its pricing band.", body: harness.ToolCall("get_service", `{"id":"online-booking"}`)},
	{name: "ask-faq", about: "An approved answer, word for word.", body: harness.ToolCall("ask_faq", `{"q":"Who is it for?"}`)},
	{name: "ask-faq-candidates", about: "Approved answers that may fit, as JSON and as text for models that read only text.", body: harness.ToolCall("ask_faq", `{"q":"Do you answer the phone for us? Can I pause a service?"}`)},
	{name: "request-pilot-dry-run", about: "What would be mailed? Nothing is sent or stored.", body: harness.ToolCall("request_pilot", harness.ContactBody(`,"dry_run":true`))},
	{name: "request-pilot", about: "A real request: a person gets it by mail and answers.", body: harness.ToolCall("request_pilot", harness.ContactBody(""))},
	{name: "start-trial", about: "A draft workspace is stored.", path: contract.PathWorkspaceMCP, body: harness.ToolCall("start_trial", trialRequest), settings: func(s *config.Settings) { s.AppURL.Text = "https://app.example" }},

	{name: "error-batch", about: "400: one message in each request.", body: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`},
	{name: "error-version-header", about: "400: a protocol version that the server does not speak.", header: []string{"Mcp-Protocol-Version: 2024-11-05"}, body: harness.RPC("ping", "")},
	{name: "error-accept", about: "406: Accept excludes JSON.", header: []string{"Accept: text/event-stream"}, body: harness.RPC("ping", "")},
	{name: "error-parse", about: "400: no JSON.", body: `{"jsonrpc":"2.0","id":1,`},
	{name: "error-payload-too-large", about: "413: over 8192 bytes.", body: harness.ToolCall("request_pilot", `{"message":"`+strings.Repeat("long ", 1700)+`"}`)},
	{name: "error-forbidden", about: "403: a browser page of another origin.", header: []string{"Origin: https://evil.example"}, body: harness.RPC("ping", "")},
	{name: "error-get", about: "405: no event stream is offered.", method: http.MethodGet, header: []string{"Accept: text/event-stream"}},
	{name: "error-method", about: "-32601: a method that the server does not have.", body: harness.RPC("prompts/list", "")},
	{name: "error-params", about: "-32602: params must be an object.", body: harness.RPC("tools/call", `["list_services"]`)},
	{name: "error-unknown-tool", about: "-32602: a tool that the server does not have.", body: harness.ToolCall("start_trial", trialRequest)},
	{name: "error-unknown-argument", about: "-32602: an argument that the tool does not have.", body: harness.ToolCall("list_services", `{"lang":"de"}`)},
	{name: "error-arguments", about: "-32602: every failing field is named, and an argument that the tool does not have.", body: harness.ToolCall("request_pilot", `{"bcc":"eve@example.com","name":"Ada","email":"ada","message":7,"dry_run":"true"}`)},
	{name: "error-unknown-service", about: "-32602: an unknown id, with the known ones.", body: harness.ToolCall("get_service", `{"id":"nope"}`)},
	{name: "error-uri", about: "-32602: no resource is named.", body: harness.RPC("resources/read", `{}`)},
	{name: "error-unknown-resource", about: "-32002: an unknown resource.", body: harness.RPC("resources/read", `{"uri":"file:///etc/passwd"}`)},
	{name: "error-rate-limited-ask", about: "429: five questions came before, over HTTP.", body: harness.ToolCall("ask_faq", `{"q":"Who is it for?"}`), setup: useUp("/v1/ask", harness.Question("Who is it for?"), contract.AskPolicy.Quota)},
	{name: "error-rate-limited-pilot", about: "429: three real requests came before, over HTTP.", body: harness.ToolCall("request_pilot", harness.ContactBody("")), setup: useUp("/v1/contact", harness.ContactBody(""), contract.ContactPolicy.Quota)},
	{name: "error-rate-limited-trial", about: "429: three trials came before.", path: contract.PathWorkspaceMCP, body: harness.ToolCall("start_trial", trialRequest), setup: useUp(contract.PathWorkspaceMCP, harness.ToolCall("start_trial", trialRequest), contract.TrialPolicy.Quota)},
	{name: "result-arguments", about: "With FRONTDESK_MCP_TOOL_ERRORS=results: a result that a model can read.", settings: toolResults, body: harness.ToolCall("request_pilot", `{"bcc":"eve@example.com","name":"Ada","email":"ada","message":7,"dry_run":"true"}`)},
	{name: "result-unknown-service", about: "The same setting: an unknown id, with the known ones.", settings: toolResults, body: harness.ToolCall("get_service", `{"id":"nope"}`)},
	{name: "result-rate-limited", about: "The same setting: the limit, with how long to wait.", settings: toolResults, body: harness.ToolCall("ask_faq", `{"q":"Who is it for?"}`), setup: useUp("/v1/ask", harness.Question("Who is it for?"), contract.AskPolicy.Quota)},
	{name: "error-bad-gateway", about: "A result that is an error: the mail server refuses. The request is kept for the owner.", body: harness.ToolCall("request_pilot", harness.ContactBody("")), setup: func(_ *testing.T, d *harness.Desk, _ *http.Client) {
		d.Mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Refuse, Code: 452})
	}},
	{name: "error-internal", about: "-32603: the database is gone, so nothing is accepted and nothing is sent.", body: harness.ToolCall("request_pilot", harness.ContactBody("")), setup: func(t *testing.T, d *harness.Desk, _ *http.Client) {
		expect.OK(t, d.Store().Close())
	}},
}

func toolResults(s *config.Settings) { s.MCPToolErrors = contract.ToolErrorsResults }

func TestMCPTranscripts(t *testing.T) {
	t.Parallel()
	list := make([]transcript, len(mcpTranscripts))
	for i, tt := range mcpTranscripts {
		if tt.method == "" {
			tt.method = http.MethodPost
		}
		if tt.path == "" {
			tt.path = contract.PathMCP
		}
		if tt.header == nil {
			tt.header = []string{harness.JSONType, mcpAccept}
		}
		list[i] = tt
	}
	playTranscripts(t, "mcp", list, func(*testing.T, transcript, harness.Answer) {})
}
