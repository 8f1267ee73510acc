package checks

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

const acceptBoth = "Accept: application/json, text/event-stream"

// rpc is a message to the website's MCP server.
func rpc(method, params string, header ...string) conform.Request {
	return conform.PostJSON(contract.PathMCP, message(method, params), append([]string{acceptBoth}, header...)...)
}

// message is a JSON-RPC request; params is JSON, or empty.
func message(method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `"` + params + `}`
}

// transport returns the checks of section 4 on the MCP transport, which both servers
// share.
func transport() []conform.Check {
	checks := []conform.Check{
		one("4.mcp", "mcp-answers-json", "Streamable HTTP, stateless, JSON responses only: a message is answered at once, without a session.",
			rpc("ping", ""), serves(contract.TypeJSON), hasMember("jsonrpc", "2.0"), hasMember("id", 1), hasMember("result", map[string]any{}), lacksHeader("Mcp-Session-Id")),
		one("4.mcp", "mcp-needs-no-authentication", "Authentication: none.",
			rpc("tools/list", "", "Authorization: Bearer nonsense"), isOK),
		one("D.mcp", "mcp-notification", "A notification is answered 202 without a body.",
			conform.PostJSON(contract.PathMCP, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, acceptBoth), statusIs(202), hasNoBody),
	}
	for _, version := range contract.MCPVersions {
		checks = append(checks,
			one("4.mcp", "mcp-header-"+version, "The protocol version "+version+" is supported.",
				rpc("ping", "", "MCP-Protocol-Version: "+version), isOK, hasMember("id", 1)),
			one("4.mcp", "mcp-initialize-"+version, "initialize agrees on "+version+".",
				rpc("initialize", hello(version)), agreesOn(version)))
	}
	for _, version := range []string{"2024-11-05", "2025-11-25", "2026-07-28", "2025-06-19", "latest", "2025-06-18, 2025-03-26"} {
		checks = append(checks, one("4.mcp", "mcp-header-"+slug(strings.ReplaceAll(version, ", ", "-and-")), "MCP-Protocol-Version with any value other than the two versions gives HTTP 400.",
			rpc("ping", "", "MCP-Protocol-Version: "+version), wrongVersion(version)))
	}
	return slices.Concat(checks, accepts(), envelopes(), transportRest(contract.PathMCP, "mcp", "4.mcp"), transportRest(contract.PathWorkspaceMCP, "workspace", "4.workspace"))
}

// agreesOn expects that initialize settles on a protocol version.
func agreesOn(version string) expectation {
	return all(isOK, hasMember("result.protocolVersion", version))
}

func hello(version string) string {
	return `{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"frontdesk-conform","version":"1"}}`
}

// unsupported expects that the transport refuses a protocol version and names the
// supported ones.
var unsupported = all(isProblem(contract.InvalidRequest), hasMember("jsonrpc", "2.0"), hasMember("error.code", contract.RPCServerError),
	hasMember("error.data.supported", contract.MCPVersions), hasTexts("error.message"))

func wrongVersion(version string) expectation {
	return all(unsupported, hasMember("error.data.requested", version))
}

// refusedMessage expects that the transport refuses a message with a problem record that
// is also a JSON-RPC error object.
var refusedMessage = all(isProblem(contract.InvalidRequest), hasMember("jsonrpc", "2.0"), hasMember("error.code", contract.RPCInvalidRequest), hasTexts("error.message"),
	func(a *conform.Answer) {
		if _, has := a.JSON()["id"]; !has {
			a.Fail("a member id")
		}
	})

// accepts checks values of Accept.
func accepts() []conform.Check {
	var checks []conform.Check
	for _, row := range []struct {
		name, value string
		status      int
	}{
		{"event-stream", "text/event-stream", 406}, {"html", "text/html", 406}, {"q-zero", "application/json;q=0, text/event-stream", 406},
		{"specific-q-zero", "application/json;q=0, */*", 406}, {"xml", "application/xml, text/*", 406},
		{"json", "application/json", 200}, {"both", "application/json, text/event-stream", 200}, {"any", "*/*", 200}, {"any-application", "application/*;q=0.1", 200}, {"case", "APPLICATION/JSON", 200},
	} {
		sentence, expected := "Accept: "+row.value+" does not exclude application/json.", isOK
		if row.status == http.StatusNotAcceptable {
			sentence, expected = "A value of Accept that excludes application/json gives HTTP 406.", func(a *conform.Answer) {
				expect(a, statusIs(406), hasType(a.Request.ProblemType()), hasMember("code", "invalid_request"), hasMember("status", 406), hasMember("error.code", contract.RPCServerError))
			}
		}
		checks = append(checks, one("4.mcp", "mcp-accept-"+row.name, sentence, conform.PostJSON(contract.PathMCP, message("ping", ""), "Accept: "+row.value), expected))
	}
	return append(checks,
		one("D.mcp", "mcp-accept-absent", "Accept absent counts as anything.",
			conform.PostJSON(contract.PathMCP, message("ping", "")), isOK),
		one("D.mcp", "mcp-any-content-type", "Content-Type is ignored.",
			conform.Request{Method: http.MethodPost, Path: contract.PathMCP, Header: []string{"Content-Type: text/plain"}, Body: message("ping", "")}, isOK))
}

// envelopes checks bodies that are not one JSON-RPC request.
func envelopes() []conform.Check {
	var checks []conform.Check
	for _, row := range []struct {
		section, name, body string
		code                int
	}{
		{"4.mcp", "batch", "[" + message("ping", "") + "]", contract.RPCInvalidRequest},
		{"4.mcp", "batch-of-two", "[" + message("ping", "") + "," + message("ping", "") + "]", contract.RPCInvalidRequest},
		{"4.mcp", "empty-batch", "[]", contract.RPCInvalidRequest},
		{"4.mcp", "batch-after-space", " \n[" + message("ping", "") + "]", contract.RPCInvalidRequest},
		{"D.mcp", "empty", "", contract.RPCParseError},
		{"D.mcp", "truncated", `{"jsonrpc":"2.0","id":1,`, contract.RPCParseError},
		{"D.mcp", "garbage", "hello", contract.RPCParseError},
		{"D.mcp", "invalid-utf8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", contract.RPCParseError},
		{"D.mcp", "two-messages", message("ping", "") + message("ping", ""), contract.RPCParseError},
		{"D.mcp", "version-1", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, contract.RPCInvalidRequest},
		{"D.mcp", "no-version", `{"id":1,"method":"ping"}`, contract.RPCInvalidRequest},
		{"D.mcp", "no-method", `{"jsonrpc":"2.0","id":1}`, contract.RPCInvalidRequest},
		{"D.mcp", "method-twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, contract.RPCInvalidRequest},
		{"D.mcp", "method-a-number", `{"jsonrpc":"2.0","id":1,"method":5}`, contract.RPCInvalidRequest},
		{"D.mcp", "id-null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, contract.RPCInvalidRequest},
		{"D.mcp", "id-an-object", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, contract.RPCInvalidRequest},
		{"D.mcp", "a-string", `"ping"`, contract.RPCInvalidRequest},
	} {
		sentence := "A body that is not a JSON-RPC 2.0 request is HTTP 400 and also a JSON-RPC error."
		if row.section == "4.mcp" {
			sentence = "One JSON-RPC message per POST; a batch array is rejected with HTTP 400."
		}
		checks = append(checks, one(row.section, "mcp-"+row.name, sentence,
			conform.PostJSON(contract.PathMCP, row.body, acceptBoth), func(a *conform.Answer) {
				expect(a, isProblem(contract.InvalidRequest), hasTexts("error.message"))
				if got := conform.Lookup(a.JSON(), "error.code"); got != float64(row.code) && (row.name != "a-string" || got != float64(contract.RPCParseError)) {
					a.Fail("the JSON-RPC code %d", row.code)
				}
			}))
	}
	return checks
}

// transportRest returns the checks that apply to both servers.
func transportRest(path, name, section string) []conform.Check {
	big := message("ping", `{"x":"`+strings.Repeat("x", 8200)+`"}`)
	return []conform.Check{
		one(section, name+"-get", "GET gives HTTP 405: no SSE stream is offered.",
			conform.Get(path, "Accept: text/event-stream"), isProblem(contract.MethodNotAllowed)),
		one(section, name+"-body-at-its-cap", "A body has up to 8192 bytes.",
			conform.PostJSON(path, padded(message("ping", ""), 8192), acceptBoth), isOK),
		one(section, name+"-body-over-its-cap", "A larger body gives 413.",
			conform.PostJSON(path, padded(message("ping", ""), 8193), acceptBoth), isProblem(contract.PayloadTooLarge)),
		one(section, name+"-chunked-over-its-cap", "The cap also holds without a Content-Length.",
			chunked(conform.PostJSON(path, big)), isProblem(contract.PayloadTooLarge)),
		one(section, name+"-foreign-origin", "Browser requests from origins other than the service's own give HTTP 403.",
			conform.PostJSON(path, message("ping", ""), "Origin: https://evil.example", acceptBoth), isProblem(contract.Forbidden)),
		one(section, name+"-foreign-origin-and-host", "The origin is not compared with Host.",
			conform.PostJSON(path, message("ping", ""), "Origin: http://evil.example", "Host: evil.example", acceptBoth), isProblem(contract.Forbidden)),
		one(section, name+"-own-origin", "The service's own origin is served.",
			conform.PostJSON(path, message("ping", ""), "Origin: {origin}", acceptBoth), isOK),
		one("D.mcp", name+"-takes-no-batch", "Both servers refuse a batch with HTTP 400.",
			conform.PostJSON(path, "["+message("ping", "")+"]", acceptBoth), refusedMessage),
		one("D.mcp", name+"-other-version-header", "Both servers refuse another version header with HTTP 400.",
			conform.PostJSON(path, message("ping", ""), acceptBoth, "MCP-Protocol-Version: 2024-11-05"), wrongVersion("2024-11-05")),
		one("D.mcp", name+"-empty-version-header", "An empty version header is 400.",
			conform.PostJSON(path, message("ping", ""), acceptBoth, "MCP-Protocol-Version:"), unsupported),
		one("D.mcp", name+"-later-version-in-meta", "A message of a later version, which names it in _meta, is 400.",
			conform.PostJSON(path, message("ping", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`), acceptBoth), wrongVersion("2026-07-28")),
		one("D.mcp", name+"-initialize-negotiates", "An initialize whose version header equals its own params.protocolVersion is a negotiation: 200 with 2025-06-18.",
			conform.PostJSON(path, message("initialize", hello("2025-11-25")), acceptBoth, "MCP-Protocol-Version: 2025-11-25"), agreesOn("2025-06-18")),
		one("D.mcp", name+"-initialize-other-header", "Any other unsupported version header is 400, on initialize too.",
			conform.PostJSON(path, message("initialize", hello("2025-11-25")), acceptBoth, "MCP-Protocol-Version: 2026-07-28"), wrongVersion("2026-07-28")),
		one("D.mcp", name+"-errors-as-json", "A client whose Accept lists application/json and not application/problem+json gets errors as application/json.",
			conform.PostJSON(path, "[]", "Accept: application/json"), answers(400, contract.TypeJSON), refusedMessage),
		one("D.mcp", name+"-errors-as-problems", "A client whose Accept names application/problem+json gets errors as that.",
			conform.PostJSON(path, "[]", "Accept: application/json, application/problem+json"), answers(400, contract.TypeProblem), refusedMessage),
		one("D.mcp", name+"-errors-to-any", "A client without Accept gets errors as application/problem+json.",
			conform.PostJSON(path, "[]"), answers(400, contract.TypeProblem), refusedMessage),
		one("D.mcp", name+"-accept-without-json", "Both servers answer 406 where Accept excludes JSON.",
			conform.PostJSON(path, message("ping", ""), "Accept: text/event-stream"), statusIs(406)),
		one("D.mcp", name+"-initialize-other", "initialize with any other version is answered 200 with 2025-06-18.",
			conform.PostJSON(path, message("initialize", hello("2099-01-01")), acceptBoth), agreesOn("2025-06-18")),
		one("D.mcp", name+"-instructions", "The instructions say that trials start at the workspace server and questions and pilots at the website's.",
			conform.PostJSON(path, message("initialize", hello("2025-06-18")), acceptBoth), isOK, func(a *conform.Answer) {
				if text := a.Text("result.instructions"); !conform.ContainsAll(text, "trial", "uestion", "pilot", "/mcp") {
					a.Fail("instructions that name the other server")
				}
			}),
		one("D.mcp", name+"-unknown-method", "An unknown method is -32601 with HTTP 200.",
			conform.PostJSON(path, message("prompts/list", ""), acceptBoth), rpcError(contract.RPCMethodNotFound)),
		one("D.mcp", name+"-content-encoding", "Bodies with a Content-Encoding are 400.",
			conform.PostJSON(path, message("ping", ""), acceptBoth, "Content-Encoding: gzip"), isProblem(contract.InvalidRequest)),
		one("D.mcp", name+"-string-id", "The answer repeats the id as it was sent.",
			conform.PostJSON(path, `{"jsonrpc":"2.0","id":"a-1","method":"ping"}`, acceptBoth), isOK, hasMember("id", "a-1")),
		one("D.mcp", name+"-big-id", "The answer repeats a long id digit for digit.",
			conform.PostJSON(path, `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, acceptBoth), isOK, contains(`"id":9007199254740993`)),
	}
}

// toolRefusal expects that a tool refuses its arguments: with -32602, or with a result where
// the service is set so.
func toolRefusal(a *conform.Answer) {
	if a.Probe.ToolResults() {
		failedResult(contract.InvalidRequest)(a)
	} else {
		rpcError(contract.RPCInvalidParams)(a)
	}
}

// failedResult expects a result with isError of two texts: a sentence, and the problem
// record of the code.
func failedResult(code contract.Code) expectation {
	return func(a *conform.Answer) {
		expect(a, serves(contract.TypeJSON), hasMember("result.isError", true), hasMember("result.structuredContent", nil), hasTexts("result.content.0.text"))
		var record map[string]any
		_ = json.Unmarshal([]byte(a.Text("result.content.1.text")), &record) // what is no record has faults
		if fault := problemFault(a.Probe, record, code, code.Status()); fault != "" {
			a.Fail("a second text with %s", fault)
		}
	}
}

// rpcError expects a JSON-RPC error with status 200.
func rpcError(code int) expectation {
	return all(serves(contract.TypeJSON), hasMember("jsonrpc", "2.0"), hasMember("id", 1), hasMember("error.code", code),
		hasTexts("error.message", "error.data.code", "error.data.hint"))
}
