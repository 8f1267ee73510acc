package checks

import (
	"encoding/json"

	"frontdesk/contract"
)

const acceptBoth = "Accept: application/json, text/event-stream"

// rpcTo is a message to an MCP server, rpc one to the website's.
func rpcTo(path, method, params string, header ...string) request {
	return post(path, message(method, params), append([]string{acceptBoth}, header...)...)
}

func rpc(method, params string, header ...string) request {
	return rpcTo("/mcp", method, params, header...)
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
	l.several("4.mcp", "mcp-answers-json",
		"Streamable HTTP, stateless, JSON responses only: a message is answered at once, without a session and without "+
			"authentication.",
		sendAll(all(servesJSON, hasMember("jsonrpc", "2.0"), hasMember("id", 1),
			hasMember("result", map[string]any{}), lacksHeader("Mcp-Session-Id")), rpc("ping", ""),
			rpc("ping", "", "Authorization: Bearer nonsense")))
	l.one("D.mcp", "mcp-notification", "A notification is answered 202 without a body.",
		post("/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, acceptBoth), statusIs(202), hasNoBody)
	pingIn := func(version string, _ ...string) request { return rpc("ping", "", "MCP-Protocol-Version: "+version) }
	var supported []step
	for _, version := range contract.MCPVersions {
		supported = append(supported, send(pingIn(version), isOK, hasMember("id", 1)),
			send(rpc("initialize", hello(version)), agreesOn(version)))
	}
	l.several("4.mcp", "mcp-versions",
		"Two protocol versions are supported; MCP-Protocol-Version with any other value gives HTTP 400.",
		append(supported, sendEach(unsupported, pingIn, "2024-11-05", "2025-06-18, 2025-03-26", "2026-07-28-rc"))...)
	accepts(l)
	envelopes(l)
	onBoth(l, "/mcp", "mcp")
	onBoth(l, workspace, "workspace")
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
	accepting := func(accept string, _ ...string) request { return post("/mcp", ping, "Accept: "+accept) }
	l.several("4.mcp", "mcp-accept",
		"A value of Accept that excludes application/json gives HTTP 406; any other value is served.",
		sendEach(excluded, accepting, "text/event-stream", "text/html", "application/json;q=0, text/event-stream",
			"application/json;q=0, */*"),
		sendEach(isOK, accepting, "*/*", "APPLICATION/JSON"))
	l.one("D.mcp", "mcp-accept-absent", "Accept absent counts as anything, and Content-Type is ignored.",
		untyped("/mcp", ping, "Content-Type: text/plain"), isOK)
}

// envelopes adds checks of bodies that are not one JSON-RPC request.
func envelopes(l *list) {
	const sentence = "One JSON-RPC 2.0 message per POST: anything else, a batch too, is HTTP 400 and also a JSON-RPC " +
		"error."
	message := func(body string, _ ...string) request { return post("/mcp", body, acceptBoth) }
	isInvalid, isUnreadable := refusedMessage(contract.RPCInvalidRequest), refusedMessage(contract.RPCParseError)
	l.several("4.mcp", "mcp-batch", sentence, sendEach(isInvalid, message, "["+ping+"]", "[]"))
	l.several("D.mcp", "mcp-one-message", sentence,
		sendEach(isUnreadable, message, "", `{"jsonrpc":"2.0","id":1,`, ping+ping),
		sendEach(isInvalid, message, `"ping"`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":null,"method":"ping"}`))
}

// onBoth adds the checks that apply to both servers.
func onBoth(l *list, path, name string) {
	pings := func(header string) request { return rpcTo(path, "ping", "", header) }
	initialize := func(version string, header ...string) request {
		return rpcTo(path, "initialize", hello(version), header...)
	}
	isBatch := refusedMessage(contract.RPCInvalidRequest)
	l.several("4."+name, name+"-body-has-its-cap",
		"A body has up to 8192 bytes; a larger one gives 413, without a Content-Length too.",
		send(post(path, padded(ping, 8192), acceptBoth), isOK),
		sendAll(tooLarge, post(path, padded(ping, 8193)), chunked(post(path, padded(ping, 8193)))))
	l.several("4."+name, name+"-origins",
		"Browser requests from origins other than the service's own give HTTP 403; the own one is served.",
		send(pings(evil), forbidden), send(pings("Origin: {origin}"), isOK))
	const later = "2026-07-28"
	laterHeader := "MCP-Protocol-Version: " + later
	l.several("D.mcp", name+"-version-header",
		"An unsupported or empty version header is 400, for server/discover too, so that clients fall back. A version in "+
			"_meta is ignored.",
		send(pings("MCP-Protocol-Version: 2024-11-05"), unsupported),
		send(pings("MCP-Protocol-Version:"), unsupported),
		send(rpcTo(path, "server/discover", metaOfLater, laterHeader), unsupported),
		send(rpcTo(path, "tools/list", metaOfLater), isOK, hasMember("result.tools.0.annotations.readOnlyHint", true)))
	l.one("D.mcp", name+"-later-version-header",
		"A later version in the header is refused with HTTP 400, or served where the service is set so.",
		pings(laterHeader), func(a *answer) {
			if a.Probe.Tolerant() {
				all(isOK, hasMember("result", map[string]any{}))(a)
			} else {
				unsupported(a)
			}
		})
	l.several("D.mcp", name+"-initialize-negotiates",
		"initialize with any other version is answered 200 with 2025-06-18; so is one whose version header equals its own "+
			"params.protocolVersion.",
		sendAll(agreesOn("2025-06-18"), initialize("2099-01-01"),
			initialize("2025-11-25", "MCP-Protocol-Version: 2025-11-25")))
	l.several("D.mcp", name+"-errors-by-accept",
		"A client whose Accept lists application/json and not application/problem+json gets errors as application/json; one "+
			"without Accept gets application/problem+json.",
		send(post(path, "[]", "Accept: application/json"), answers(400, "application/json"), isBatch),
		send(post(path, "[]"), answers(400, "application/problem+json"), isBatch))
	words := []string{"trial", "uestion", "/mcp"}
	if path != workspace { // which calls a pilot what the owner does
		words = append(words, "pilot")
	}
	l.one("D.mcp", name+"-instructions",
		"The instructions say that trials start at the workspace server and questions and pilots at the website's.",
		initialize("2025-06-18"), isOK, func(a *answer) {
			a.Probe.NeedTrials()
			memberContains("result.instructions", words...)(a)
		})
	l.several("D.mcp", name+"-json-rpc",
		"An unknown method is -32601 with HTTP 200, and the answer repeats a long id digit for digit.",
		send(rpcTo(path, "prompts/list", ""), rpcError(contract.RPCMethodNotFound)),
		send(post(path, `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, acceptBoth), isOK,
			contains(`"id":9007199254740993`)))
}

// toolRefusal expects that a tool refuses its arguments: with -32602, or with a result if the
// service is set to results.
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
		all(servesJSON, hasMember("result.isError", true), hasMember("result.structuredContent", nil),
			hasTexts("result.content.0.text"))(a)
		var record map[string]any
		_ = json.Unmarshal([]byte(a.Text("result.content.1.text")), &record) // anything else lacks members
		if missing := problemError(a.Probe, record, code); missing != "" {
			a.Fail("a second text with %s", missing)
		}
	}
}

// rpcError expects a JSON-RPC error with status 200.
func rpcError(code int) expectation {
	return all(servesJSON, hasMember("jsonrpc", "2.0"), hasMember("id", 1), hasMember("error.code", code),
		hasTexts("error.message", "error.data.code", "error.data.hint"))
}
