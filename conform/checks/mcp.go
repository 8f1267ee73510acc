package checks

import (
	"encoding/json"
	"strings"

	"frontdesk/contract"
)

const acceptBoth = "Accept: application/json, text/event-stream"

// rpc is a message to the website's MCP server.
func rpc(method, params string, header ...string) request {
	return post("/mcp", message(method, params), append([]string{acceptBoth}, header...)...)
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
		rpc("ping", ""), serves("application/json"), hasMember("jsonrpc", "2.0"), hasMember("id", 1),
		hasMember("result", map[string]any{}), lacksHeader("Mcp-Session-Id"))
	l.one("4.mcp", "mcp-needs-no-authentication", "Authentication: none.",
		rpc("tools/list", "", "Authorization: Bearer nonsense"), isOK)
	l.one("D.mcp", "mcp-notification", "A notification is answered 202 without a body.",
		post("/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, acceptBoth), statusIs(202), hasNoBody)
	for _, version := range contract.MCPVersions {
		l.one("4.mcp", "mcp-header-"+version, "The protocol version "+version+" is supported.",
			rpc("ping", "", "MCP-Protocol-Version: "+version), isOK, hasMember("id", 1))
		l.one("4.mcp", "mcp-initialize-"+version, "initialize agrees on "+version+".", rpc("initialize", hello(version)),
			agreesOn(version))
	}
	for _, version := range []string{"2024-11-05", "2025-06-18, 2025-03-26"} {
		l.one("4.mcp", "mcp-header-"+strings.ReplaceAll(version, ", ", "-and-"),
			"MCP-Protocol-Version with any value other than the two versions gives HTTP 400.",
			rpc("ping", "", "MCP-Protocol-Version: "+version), wrongVersion(version))
	}
	accepts(l)
	envelopes(l)
	onBoth(l, "/mcp", "mcp", "4.mcp")
	onBoth(l, "/api/public/mcp", "workspace", "4.workspace")
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

// laterVersion expects that ping is served under a later version where the service is set
// so, and else refused.
func laterVersion(a *answer) {
	if a.Probe.Tolerant() {
		all(isOK, hasMember("result", map[string]any{}))(a)
	} else {
		wrongVersion("2026-07-28")(a)
	}
}

// metaOfLater are the parameters of a client of MCP 2026-07-28.
const metaOfLater = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`

// refusedMessage expects that the transport refuses a message with a problem record that
// is also a JSON-RPC error object.
func refusedMessage(code int) expectation {
	return all(refused(), hasMember("jsonrpc", "2.0"), hasMember("error.code", code), hasTexts("error.message"),
		contains(`"id":`))
}

func accepts(l *list) {
	excluded := all(statusIs(406), func(a *answer) { hasType(a.Request.ProblemType())(a) },
		hasMember("code", "invalid_request"), hasMember("status", 406), hasMember("error.code", contract.RPCServerError))
	for _, row := range []struct {
		name, value string
		ok          bool
	}{
		{"event-stream", "text/event-stream", false}, {"html", "text/html", false},
		{"q-zero", "application/json;q=0, text/event-stream", false},
		{"specific-q-zero", "application/json;q=0, */*", false},
		{"any", "*/*", true},
		{"case", "APPLICATION/JSON", true},
	} {
		sentence, expected := "A value of Accept that excludes application/json gives HTTP 406.", excluded
		if row.ok {
			sentence, expected = "Accept: "+row.value+" does not exclude application/json.", isOK
		}
		l.one("4.mcp", "mcp-accept-"+row.name, sentence, post("/mcp", ping, "Accept: "+row.value), expected)
	}
	l.one("D.mcp", "mcp-accept-absent", "Accept absent counts as anything, and Content-Type is ignored.",
		request{Method: "POST", Path: "/mcp", Header: []string{"Content-Type: text/plain"}, Body: ping}, isOK)
}

// envelopes adds checks of bodies that are not one JSON-RPC request.
func envelopes(l *list) {
	for _, bad := range []struct {
		name, body string
		code       int
	}{
		{"batch", "[" + ping + "]", contract.RPCInvalidRequest}, {"empty-batch", "[]", contract.RPCInvalidRequest},
		{"empty", "", contract.RPCParseError}, {"truncated", `{"jsonrpc":"2.0","id":1,`, contract.RPCParseError},
		{"two-messages", ping + ping, contract.RPCParseError},
		{"version-1", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, contract.RPCInvalidRequest},
		{"method-twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, contract.RPCInvalidRequest},
		{"id-null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, contract.RPCInvalidRequest},
		{"a-string", `"ping"`, contract.RPCInvalidRequest},
	} {
		section := "D.mcp"
		if strings.Contains(bad.name, "batch") {
			section = "4.mcp"
		}
		l.one(section, "mcp-"+bad.name,
			"One JSON-RPC 2.0 message per POST: anything else, a batch too, is HTTP 400 and also a JSON-RPC error.",
			post("/mcp", bad.body, acceptBoth), refusedMessage(bad.code))
	}
}

// onBoth adds the checks that apply to both servers.
func onBoth(l *list, path, name, section string) {
	send := func(body string, header ...string) request {
		return post(path, body, append([]string{acceptBoth}, header...)...)
	}
	initialize := func(version string, header ...string) request {
		return send(message("initialize", hello(version)), header...)
	}
	isBatch := refusedMessage(contract.RPCInvalidRequest)
	for _, row := range []struct {
		section, name, sentence string
		request                 request
		expected                expectation
	}{
		{section, "get", "GET gives HTTP 405: no SSE stream is offered.", get(path, "Accept: text/event-stream"),
			isProblem(contract.MethodNotAllowed)},
		{section, "body-at-its-cap", "A body has up to 8192 bytes.", send(padded(ping, 8192)), isOK},
		{section, "body-over-its-cap", "A larger body gives 413.", send(padded(ping, 8193)), tooLarge},
		{section, "chunked-over-its-cap", "The cap also holds without a Content-Length.", chunked(send(padded(ping, 8193))),
			tooLarge},
		{section, "foreign-origin", "Browser requests from origins other than the service's own give HTTP 403.",
			send(ping, "Origin: https://evil.example"), forbidden},
		{section, "own-origin", "The service's own origin is served.", send(ping, "Origin: {origin}"), isOK},
		{"D.mcp", "takes-no-batch", "Both servers refuse a batch with HTTP 400.", send("[" + ping + "]"), isBatch},
		{"D.mcp", "other-version-header", "Both servers refuse another version header with HTTP 400.",
			send(ping, "MCP-Protocol-Version: 2024-11-05"), wrongVersion("2024-11-05")},
		{"D.mcp", "empty-version-header", "An empty version header is 400.", send(ping, "MCP-Protocol-Version:"),
			unsupported},
		{"D.mcp", "later-version-header",
			"A later version in the header is refused with HTTP 400, or served where the service is set so.",
			send(ping, "MCP-Protocol-Version: 2026-07-28"), laterVersion},
		{"D.mcp", "version-in-meta", "A version in _meta is not looked at.",
			send(message("tools/list", metaOfLater)), all(isOK, hasMember("result.tools.0.annotations.readOnlyHint", true))},
		{"D.mcp", "discover", "server/discover with a later version in the header is refused, so that clients fall back.",
			send(message("server/discover", metaOfLater), "MCP-Protocol-Version: 2026-07-28"), wrongVersion("2026-07-28")},
		{"D.mcp", "initialize-negotiates",
			"An initialize whose version header equals its own params.protocolVersion is a negotiation: 200 with 2025-06-18.",
			initialize("2025-11-25", "MCP-Protocol-Version: 2025-11-25"), agreesOn("2025-06-18")},
		{"D.mcp", "initialize-other", "initialize with any other version is answered 200 with 2025-06-18.",
			initialize("2099-01-01"), agreesOn("2025-06-18")},
		{"D.mcp", "errors-as-json",
			"A client whose Accept lists application/json and not application/problem+json gets errors as application/json.",
			post(path, "[]", "Accept: application/json"), all(answers(400, "application/json"), isBatch)},
		{"D.mcp", "errors-to-any", "A client without Accept gets errors as application/problem+json.", post(path, "[]"),
			all(answers(400, "application/problem+json"), isBatch)},
		{"D.mcp", "instructions",
			"The instructions say that trials start at the workspace server and questions and pilots at the website's.",
			initialize("2025-06-18"), all(isOK, func(a *answer) {
				a.Probe.NeedTrials()
				memberContains("result.instructions", "trial", "uestion", "pilot", "/mcp")(a)
			})},
		{"D.mcp", "unknown-method", "An unknown method is -32601 with HTTP 200.", send(message("prompts/list", "")),
			rpcError(contract.RPCMethodNotFound)},
		{"D.mcp", "big-id", "The answer repeats a long id digit for digit.",
			send(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`), all(isOK, contains(`"id":9007199254740993`))},
	} {
		l.one(row.section, name+"-"+row.name, row.sentence, row.request, row.expected)
	}
}

// toolRefusal expects that a tool refuses its arguments: with -32602, or with a result where
// the service is set so.
func toolRefusal(a *answer) {
	if a.Probe.ToolResults() {
		failedResult(contract.InvalidRequest)(a)
	} else {
		rpcError(contract.RPCInvalidParams)(a)
	}
}

// failedResult expects a result with isError of two texts: a sentence, and the problem
// record of the code.
func failedResult(code contract.Code) expectation {
	return func(a *answer) {
		all(serves("application/json"), hasMember("result.isError", true), hasMember("result.structuredContent", nil),
			hasTexts("result.content.0.text"))(a)
		var record map[string]any
		_ = json.Unmarshal([]byte(a.Text("result.content.1.text")), &record) // anything else lacks members
		if missing := problemError(a.Probe, record, code, code.Status()); missing != "" {
			a.Fail("a second text with %s", missing)
		}
	}
}

// rpcError expects a JSON-RPC error with status 200.
func rpcError(code int) expectation {
	return all(serves("application/json"), hasMember("jsonrpc", "2.0"), hasMember("id", 1), hasMember("error.code", code),
		hasTexts("error.message", "error.data.code", "error.data.hint"))
}
