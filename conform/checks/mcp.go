package checks

import (
	"encoding/json"
	"net/http"
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

var ping = message("ping", "")

// transport adds the checks of section 4 on the MCP transport.
func transport(l *list) {
	l.one("4.mcp", "mcp-answers-json",
		"Streamable HTTP, stateless, JSON responses only: a message is answered at once, without a session.",
		rpc("ping", ""), serves(contract.TypeJSON), hasMember("jsonrpc", "2.0"), hasMember("id", 1),
		hasMember("result", map[string]any{}), lacksHeader("Mcp-Session-Id"))
	l.one("4.mcp", "mcp-needs-no-authentication", "Authentication: none.",
		rpc("tools/list", "", "Authorization: Bearer nonsense"), isOK)
	l.one("D.mcp", "mcp-notification", "A notification is answered 202 without a body.",
		conform.PostJSON(contract.PathMCP, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, acceptBoth),
		statusIs(202), hasNoBody)
	for _, version := range contract.MCPVersions {
		l.one("4.mcp", "mcp-header-"+version, "The protocol version "+version+" is supported.",
			rpc("ping", "", "MCP-Protocol-Version: "+version), isOK, hasMember("id", 1))
		l.one("4.mcp", "mcp-initialize-"+version, "initialize agrees on "+version+".", rpc("initialize", hello(version)),
			agreesOn(version))
	}
	for _, version := range []string{"2024-11-05", "2025-11-25", "2026-07-28", "2025-06-19", "latest",
		"2025-06-18, 2025-03-26"} {
		l.one("4.mcp", "mcp-header-"+strings.ReplaceAll(version, ", ", "-and-"),
			"MCP-Protocol-Version with any value other than the two versions gives HTTP 400.",
			rpc("ping", "", "MCP-Protocol-Version: "+version), wrongVersion(version))
	}
	accepts(l)
	envelopes(l)
	onBoth(l, contract.PathMCP, "mcp", "4.mcp")
	onBoth(l, contract.PathWorkspaceMCP, "workspace", "4.workspace")
}

// agreesOn expects that initialize settles on a protocol version.
func agreesOn(version string) expectation {
	return all(isOK, hasMember("result.protocolVersion", version))
}

func hello(version string) string {
	return `{"protocolVersion":"` + version +
		`","capabilities":{},"clientInfo":{"name":"frontdesk-conform","version":"1"}}`
}

// unsupported expects that the transport refuses a protocol version and names the
// supported ones.
var unsupported = all(refused(), hasMember("jsonrpc", "2.0"), hasMember("error.code", contract.RPCServerError),
	hasMember("error.data.supported", contract.MCPVersions), hasTexts("error.message"))

func wrongVersion(version string) expectation {
	return all(unsupported, hasMember("error.data.requested", version))
}

// refusedMessage expects that the transport refuses a message with a problem record that
// is also a JSON-RPC error object.
var refusedMessage = all(refused(), hasMember("jsonrpc", "2.0"), hasMember("error.code", contract.RPCInvalidRequest),
	hasTexts("error.message"),
	failsIf(func(a *conform.Answer) bool {
		_, has := a.JSON()["id"]
		return !has
	}, "a member id"))

func accepts(l *list) {
	excluded := all(statusIs(406), func(a *conform.Answer) { hasType(a.Request.ProblemType())(a) },
		hasMember("code", "invalid_request"), hasMember("status", 406), hasMember("error.code", contract.RPCServerError))
	for _, row := range []struct {
		name, value string
		ok          bool
	}{
		{"event-stream", "text/event-stream", false}, {"html", "text/html", false},
		{"q-zero", "application/json;q=0, text/event-stream", false},
		{"specific-q-zero", "application/json;q=0, */*", false}, {"xml", "application/xml, text/*", false},
		{"json", "application/json", true}, {"both", "application/json, text/event-stream", true}, {"any", "*/*", true},
		{"any-application", "application/*;q=0.1", true}, {"case", "APPLICATION/JSON", true},
	} {
		sentence, expected := "A value of Accept that excludes application/json gives HTTP 406.", excluded
		if row.ok {
			sentence, expected = "Accept: "+row.value+" does not exclude application/json.", isOK
		}
		l.one("4.mcp", "mcp-accept-"+row.name, sentence, conform.PostJSON(contract.PathMCP, ping, "Accept: "+row.value),
			expected)
	}
	l.one("D.mcp", "mcp-accept-absent", "Accept absent counts as anything.", conform.PostJSON(contract.PathMCP, ping),
		isOK)
	l.one("D.mcp", "mcp-any-content-type", "Content-Type is ignored.",
		conform.Request{Method: http.MethodPost, Path: contract.PathMCP, Header: []string{"Content-Type: text/plain"},
			Body: ping}, isOK)
}

// envelopes adds checks of bodies that are not one JSON-RPC request.
func envelopes(l *list) {
	batch := "One JSON-RPC message per POST; a batch array is rejected with HTTP 400."
	other := "A body that is not a JSON-RPC 2.0 request is HTTP 400 and also a JSON-RPC error."
	parse, invalid := contract.RPCParseError, contract.RPCInvalidRequest
	for _, group := range []struct {
		section, sentence string
		code              int
		bodies            []named
	}{
		{"4.mcp", batch, invalid, []named{
			{"batch", "[" + ping + "]"}, {"batch-of-two", "[" + ping + "," + ping + "]"}, {"empty-batch", "[]"},
			{"batch-after-space", " \n[" + ping + "]"},
		}},
		{"D.mcp", other, parse, []named{
			{"empty", ""}, {"truncated", `{"jsonrpc":"2.0","id":1,`}, {"garbage", "hello"},
			{"invalid-utf8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"}, {"two-messages", ping + ping},
		}},
		{"D.mcp", other, invalid, []named{
			{"version-1", `{"jsonrpc":"1.0","id":1,"method":"ping"}`}, {"no-version", `{"id":1,"method":"ping"}`},
			{"no-method", `{"jsonrpc":"2.0","id":1}`},
			{"method-twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`},
			{"method-a-number", `{"jsonrpc":"2.0","id":1,"method":5}`},
			{"id-null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`},
			{"id-an-object", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`},
			{"a-string", `"ping"`},
		}},
	} {
		for _, bad := range group.bodies {
			l.one(group.section, "mcp-"+bad.name, group.sentence, conform.PostJSON(contract.PathMCP, bad.text, acceptBoth),
				refused(), hasTexts("error.message"), hasMember("error.code", group.code))
		}
	}
}

// onBoth adds the checks that apply to both servers.
func onBoth(l *list, path, name, section string) {
	post := func(body string, header ...string) conform.Request { return conform.PostJSON(path, body, header...) }
	initialize := func(version string, header ...string) conform.Request {
		return post(message("initialize", hello(version)), append([]string{acceptBoth}, header...)...)
	}
	l.one(section, name+"-get", "GET gives HTTP 405: no SSE stream is offered.",
		conform.Get(path, "Accept: text/event-stream"), isProblem(contract.MethodNotAllowed))
	l.one(section, name+"-body-at-its-cap", "A body has up to 8192 bytes.", post(padded(ping, 8192), acceptBoth), isOK)
	l.one(section, name+"-body-over-its-cap", "A larger body gives 413.", post(padded(ping, 8193), acceptBoth), tooLarge)
	l.one(section, name+"-chunked-over-its-cap", "The cap also holds without a Content-Length.",
		chunked(post(message("ping", `{"x":"`+strings.Repeat("x", 8200)+`"}`))), tooLarge)
	l.one(section, name+"-foreign-origin", "Browser requests from origins other than the service's own give HTTP 403.",
		post(ping, "Origin: https://evil.example", acceptBoth), forbidden)
	l.one(section, name+"-foreign-origin-and-host", "The origin is not compared with Host.",
		post(ping, "Origin: http://evil.example", "Host: evil.example", acceptBoth), forbidden)
	l.one(section, name+"-own-origin", "The service's own origin is served.", post(ping, "Origin: {origin}", acceptBoth),
		isOK)
	l.one("D.mcp", name+"-takes-no-batch", "Both servers refuse a batch with HTTP 400.", post("["+ping+"]", acceptBoth),
		refusedMessage)
	l.one("D.mcp", name+"-other-version-header", "Both servers refuse another version header with HTTP 400.",
		post(ping, acceptBoth, "MCP-Protocol-Version: 2024-11-05"), wrongVersion("2024-11-05"))
	l.one("D.mcp", name+"-empty-version-header", "An empty version header is 400.",
		post(ping, acceptBoth, "MCP-Protocol-Version:"), unsupported)
	l.one("D.mcp", name+"-later-version-in-meta", "A message of a later version, which names it in _meta, is 400.",
		post(message("ping", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`), acceptBoth),
		wrongVersion("2026-07-28"))
	l.one("D.mcp", name+"-initialize-negotiates",
		"An initialize whose version header equals its own params.protocolVersion is a negotiation: 200 with 2025-06-18.",
		initialize("2025-11-25", "MCP-Protocol-Version: 2025-11-25"), agreesOn("2025-06-18"))
	l.one("D.mcp", name+"-initialize-other-header", "Any other unsupported version header is 400, on initialize too.",
		initialize("2025-11-25", "MCP-Protocol-Version: 2026-07-28"), wrongVersion("2026-07-28"))
	l.one("D.mcp", name+"-errors-as-json",
		"A client whose Accept lists application/json and not application/problem+json gets errors as application/json.",
		post("[]", "Accept: application/json"), answers(400, contract.TypeJSON), refusedMessage)
	l.one("D.mcp", name+"-errors-as-problems", "A client whose Accept names application/problem+json gets errors as that.",
		post("[]", "Accept: application/json, application/problem+json"), answers(400, contract.TypeProblem), refusedMessage)
	l.one("D.mcp", name+"-errors-to-any", "A client without Accept gets errors as application/problem+json.",
		post("[]"), answers(400, contract.TypeProblem), refusedMessage)
	l.one("D.mcp", name+"-accept-without-json", "Both servers answer 406 where Accept excludes JSON.",
		post(ping, "Accept: text/event-stream"), statusIs(406))
	l.one("D.mcp", name+"-initialize-other", "initialize with any other version is answered 200 with 2025-06-18.",
		initialize("2099-01-01"), agreesOn("2025-06-18"))
	l.one("D.mcp", name+"-instructions",
		"The instructions say that trials start at the workspace server and questions and pilots at the website's.",
		initialize("2025-06-18"), isOK, func(a *conform.Answer) {
			a.Probe.NeedTrials()
			memberContains("result.instructions", "trial", "uestion", "pilot", "/mcp")(a)
		})
	l.one("D.mcp", name+"-unknown-method", "An unknown method is -32601 with HTTP 200.",
		post(message("prompts/list", ""), acceptBoth), rpcError(contract.RPCMethodNotFound))
	l.one("D.mcp", name+"-content-encoding", "Bodies with a Content-Encoding are 400.",
		post(ping, acceptBoth, "Content-Encoding: gzip"), refused())
	l.one("D.mcp", name+"-string-id", "The answer repeats the id as it was sent.",
		post(`{"jsonrpc":"2.0","id":"a-1","method":"ping"}`, acceptBoth), isOK, hasMember("id", "a-1"))
	l.one("D.mcp", name+"-big-id", "The answer repeats a long id digit for digit.",
		post(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, acceptBoth), isOK, contains(`"id":9007199254740993`))
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
		expect(a, serves(contract.TypeJSON), hasMember("result.isError", true), hasMember("result.structuredContent", nil),
			hasTexts("result.content.0.text"))
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
