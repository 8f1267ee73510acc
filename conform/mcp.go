package conform

import (
	"net/http"
	"slices"
	"strings"

	"frontdesk/contract"
)

const acceptBoth = "Accept: application/json, text/event-stream"

// rpc is a message to the website's MCP server.
func rpc(method, params string, header ...string) request {
	return postJSON(contract.PathMCP, message(method, params), append([]string{acceptBoth}, header...)...)
}

// message is a JSON-RPC request; params is JSON, or empty.
func message(method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `"` + params + `}`
}

// transport are the sentences of section 4 on the MCP transport, which both servers
// share.
func transport() []Check {
	checks := []Check{
		one("4.mcp", "mcp-answers-json", "Streamable HTTP, stateless, JSON responses only: a message is answered at once, without a session.",
			rpc("ping", ""),
			func(a *answer) {
				a.is(200).kind(contract.TypeJSON).member("jsonrpc", "2.0").member("id", 1).member("result", map[string]any{}).lacks("Mcp-Session-Id")
			}),
		one("4.mcp", "mcp-needs-no-authentication", "Authentication: none.",
			rpc("tools/list", "", "Authorization: Bearer nonsense"), func(a *answer) { a.is(200) }),
		one("D.mcp", "mcp-notification", "A notification is taken with 202 and no body.",
			postJSON(contract.PathMCP, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, acceptBoth),
			func(a *answer) {
				if a.is(202); len(a.body) > 0 {
					a.fail("no body")
				}
			}),
	}
	for _, version := range contract.MCPVersions {
		checks = append(checks,
			one("4.mcp", "mcp-header-"+version, "The protocol version "+version+" is spoken.",
				rpc("ping", "", "MCP-Protocol-Version: "+version), func(a *answer) { a.is(200).member("id", 1) }),
			one("4.mcp", "mcp-initialize-"+version, "initialize agrees on "+version+".",
				rpc("initialize", hello(version)),
				func(a *answer) { a.is(200).member("result.protocolVersion", version) }))
	}
	for _, version := range []string{"2024-11-05", "2025-11-25", "2026-07-28", "2025-06-19", "latest", "2025-06-18, 2025-03-26"} {
		checks = append(checks, one("4.mcp", "mcp-header-"+slug(strings.ReplaceAll(version, ", ", "-and-")), "MCP-Protocol-Version with any value other than the two versions gives HTTP 400.",
			rpc("ping", "", "MCP-Protocol-Version: "+version), malformed))
	}
	return slices.Concat(checks, accepts(), envelopes(), transportRest(contract.PathMCP, "mcp", "4.mcp"), transportRest(contract.PathWorkspaceMCP, "workspace", "4.workspace"))
}

func hello(version string) string {
	return `{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"frontdesk-conform","version":"1"}}`
}

// malformed expects that the transport refuses a message: with a problem record that
// is a JSON-RPC error object at the same time.
func malformed(a *answer) {
	a.problem(contract.InvalidRequest).member("jsonrpc", "2.0").member("error.code", contract.RPCInvalidRequest).text("error.message")
	if _, has := a.json()["id"]; !has {
		a.fail("a member id")
	}
}

// accepts are values of Accept.
func accepts() []Check {
	var checks []Check
	for _, row := range []struct {
		name, value string
		status      int
	}{
		{"event-stream", "text/event-stream", 406}, {"html", "text/html", 406}, {"q-zero", "application/json;q=0, text/event-stream", 406},
		{"specific-q-zero", "application/json;q=0, */*", 406}, {"xml", "application/xml, text/*", 406},
		{"json", "application/json", 200}, {"both", "application/json, text/event-stream", 200}, {"any", "*/*", 200}, {"any-application", "application/*;q=0.1", 200}, {"case", "APPLICATION/JSON", 200},
	} {
		r := postJSON(contract.PathMCP, message("ping", ""), "Accept: "+row.value)
		if row.status == http.StatusOK {
			checks = append(checks, one("4.mcp", "mcp-accept-"+row.name, "Accept: "+row.value+" does not exclude application/json.",
				r, statusIs(200)))
			continue
		}
		checks = append(checks, one("4.mcp", "mcp-accept-"+row.name, "A value of Accept that excludes application/json gives HTTP 406.",
			r, func(a *answer) {
				a.is(406).kind(contract.TypeProblem).member("code", "invalid_request").member("status", 406).member("error.code", contract.RPCServerError)
			}))
	}
	return append(checks,
		one("D.mcp", "mcp-accept-absent", "Accept absent counts as anything.",
			postJSON(contract.PathMCP, message("ping", "")), statusIs(200)),
		one("D.mcp", "mcp-any-content-type", "Content-Type is not asked for.",
			request{method: http.MethodPost, path: contract.PathMCP, header: []string{"Content-Type: text/plain"}, body: message("ping", "")},
			statusIs(200)))
}

// envelopes are bodies that are no JSON-RPC request.
func envelopes() []Check {
	var checks []Check
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
		says := "What is no JSON-RPC 2.0 request is HTTP 400 and a JSON-RPC error at the same time."
		if row.section == "4.mcp" {
			says = "One JSON-RPC message per POST; a batch array is rejected with HTTP 400."
		}
		checks = append(checks, one(row.section, "mcp-"+row.name, says,
			postJSON(contract.PathMCP, row.body, acceptBoth), func(a *answer) {
				a.problem(contract.InvalidRequest).text("error.message")
				if got := at(a.json(), "error.code"); got != float64(row.code) && (row.name != "a-string" || got != float64(contract.RPCParseError)) {
					a.fail("the JSON-RPC code %d", row.code)
				}
			}))
	}
	return checks
}

// transportRest is what holds for both servers alike.
func transportRest(path, name, section string) []Check {
	big := message("ping", `{"x":"`+strings.Repeat("x", 8200)+`"}`)
	return []Check{
		one(section, name+"-get", "GET gives HTTP 405: no SSE stream is offered.",
			get(path, "Accept: text/event-stream"), isProblem(contract.MethodNotAllowed)),
		one(section, name+"-body-at-its-cap", "A body has up to 8192 bytes.",
			postJSON(path, padded(message("ping", ""), 8192), acceptBoth), statusIs(200)),
		one(section, name+"-body-over-its-cap", "A larger body gives 413.",
			postJSON(path, padded(message("ping", ""), 8193), acceptBoth), isProblem(contract.PayloadTooLarge)),
		one(section, name+"-chunked-over-its-cap", "The cap holds where no length is told.",
			request{method: http.MethodPost, path: path, header: []string{typeJSON}, body: big, chunked: true},
			isProblem(contract.PayloadTooLarge)),
		one(section, name+"-foreign-origin", "Browser requests from origins other than the service's own give HTTP 403.",
			postJSON(path, message("ping", ""), "Origin: https://evil.example", acceptBoth),
			isProblem(contract.Forbidden)),
		one(section, name+"-foreign-origin-and-host", "The origin is not compared with Host.",
			postJSON(path, message("ping", ""), "Origin: http://evil.example", "Host: evil.example", acceptBoth),
			isProblem(contract.Forbidden)),
		{Section: section, Name: name + "-own-origin",
			Says: "The service's own origin is served.",
			Run: func(p *probe) {
				p.send(postJSON(path, message("ping", ""), "Origin: "+p.ownOrigin(), acceptBoth)).is(200)
			}},
		one("D.mcp", name+"-takes-no-batch", "Both servers refuse a batch with HTTP 400.",
			postJSON(path, "["+message("ping", "")+"]", acceptBoth), malformed),
		one("D.mcp", name+"-other-version-header", "Both servers refuse another version header with HTTP 400.",
			postJSON(path, message("ping", ""), acceptBoth, "MCP-Protocol-Version: 2024-11-05"), malformed),
		one("D.mcp", name+"-empty-version-header", "An empty version header is 400.",
			postJSON(path, message("ping", ""), acceptBoth, "MCP-Protocol-Version:"), malformed),
		one("D.mcp", name+"-accept-without-json", "Both servers answer 406 where Accept excludes JSON.",
			postJSON(path, message("ping", ""), "Accept: text/event-stream"), statusIs(406)),
		one("D.mcp", name+"-initialize-other", "initialize with any other version is answered 200 with 2025-06-18.",
			postJSON(path, message("initialize", hello("2099-01-01")), acceptBoth),
			func(a *answer) { a.is(200).member("result.protocolVersion", "2025-06-18") }),
		one("D.mcp", name+"-instructions", "The instructions say that trials start at the workspace server and questions and pilots at the website's.",
			postJSON(path, message("initialize", hello("2025-06-18")), acceptBoth),
			func(a *answer) {
				if text := a.is(200).text("result.instructions"); !containsAll(text, "trial", "uestion", "pilot", "/mcp") {
					a.fail("instructions that name the other server")
				}
			}),
		one("D.mcp", name+"-unknown-method", "An unknown method is -32601 with HTTP 200.",
			postJSON(path, message("prompts/list", ""), acceptBoth), rpcError(contract.RPCMethodNotFound)),
		one("D.mcp", name+"-content-encoding", "Bodies with a Content-Encoding are 400.",
			postJSON(path, message("ping", ""), acceptBoth, "Content-Encoding: gzip"),
			isProblem(contract.InvalidRequest)),
		one("D.mcp", name+"-string-id", "The id comes back as it was written.",
			postJSON(path, `{"jsonrpc":"2.0","id":"a-1","method":"ping"}`, acceptBoth),
			func(a *answer) { a.is(200).member("id", "a-1") }),
		one("D.mcp", name+"-big-id", "A long id comes back digit for digit.",
			postJSON(path, `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, acceptBoth),
			func(a *answer) { a.is(200).contains(`"id":9007199254740993`) }),
	}
}

// rpcError expects a JSON-RPC error that is not the transport's.
func rpcError(code int) func(*answer) {
	return func(a *answer) {
		a.is(200).kind(contract.TypeJSON).member("jsonrpc", "2.0").member("id", 1).member("error.code", code).text("error.message")
	}
}
