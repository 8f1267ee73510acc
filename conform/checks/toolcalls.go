package checks

import (
	"fmt"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// arguments checks calls with invalid arguments, which are all refused with -32602.
func arguments() []conform.Check {
	var checks []conform.Check
	for _, row := range []struct{ section, name, tool, arguments string }{
		{"4.mcp", "missing-id", "get_service", `{}`},
		{"4.mcp", "object-for-id", "get_service", `{"id":{"$ne":null}}`},
		{"4.mcp", "missing-q", "ask_faq", `{}`},
		{"4.mcp", "number-for-q", "ask_faq", `{"q":1}`},
		{"4.mcp", "long-q", "ask_faq", questionJSON(strings.Repeat("a", 301))},
		{"4.mcp", "missing-fields", "request_pilot", `{"email":"ada@conform.example"}`},
		{"4.mcp", "missing-business", "request_pilot", dryWith("business", "")},
		{"4.mcp", "long-name", "request_pilot", dryWith("name", conform.EncodeJSON(strings.Repeat("a", 201)))},
		{"4.mcp", "injected-address", "request_pilot", dryWith("email", `"ada@conform.example\r\nBcc: eve@conform.example"`)},
		{"4.mcp", "string-dry-run", "request_pilot", dryWith("dry_run", `"true"`)},
		{"4.mcp", "null-dry-run", "request_pilot", dryWith("dry_run", `null`)},
		{"4.mcp", "not-an-object", "list_services", `["a"]`},
		{"D.mcp", "unknown-service", "get_service", `{"id":"no-such-service-0"}`},
		{"D.mcp", "unknown-argument", "request_pilot", dryJSON(`,"bcc":"eve@conform.example"`)},
		{"D.mcp", "argument-of-none", "list_services", `{"x":1}`},
		{"D.mcp", "dry-run-twice", "request_pilot", `{` + validFields + `,"dry_run":true,"dry_run":false}`},
		{"D.mcp", "dry-run-in-capitals", "request_pilot", `{` + validFields + `,"DRY_RUN":true}`},
	} {
		check := one(row.section, "tool-"+row.name, "Invalid tool arguments return code -32602.", call(row.tool, row.arguments), toolRefusal)
		check.MaySend = row.tool == contract.ToolRequestPilot && !strings.Contains(row.arguments, `"dry_run":true}`)
		checks = append(checks, check)
	}
	unknownTool := rpcError(contract.RPCInvalidParams)
	return append(checks,
		one("D.mcp", "tool-unknown-tool", "An unknown tool is refused with code -32602.", call("place_order", `{}`), unknownTool),
		one("D.mcp", "tool-traversing-tool", "An unknown tool is refused with code -32602.", call("../list_services", `{}`), unknownTool),
		one("D.mcp", "unknown-service-lists-the-known", "An unknown service id is refused with the known ids.",
			call("get_service", `{"id":"no-such-service-0"}`), func(a *conform.Answer) {
				if !a.Probe.ToolResults() {
					expect(a, hasMember("error.data.known_ids", a.Probe.KnownServices()))
				}
				expect(a, contains(a.Probe.KnownServices()...))
			}),
		one("D.mcp", "unknown-argument-hides-no-fault", "An unknown argument is reported together with every other fault.",
			call("request_pilot", `{"email":"ada@conform.example","bcc":"eve@conform.example","message":"x"}`), toolRefusal, contains("bcc", "name is required", "business is required")))
}

// callFor calls ask_faq for a person whom an assistant names.
func callFor(person string) conform.Request {
	return rpc("tools/call", `{"name":"ask_faq","arguments":`+questionJSON(known)+`,"_meta":{"`+contract.MetaSubject+`":"`+person+`"}}`)
}

// toolLimits checks the limits that tools share with HTTP.
func toolLimits() []conform.Check {
	tool := call("ask_faq", questionJSON(known))
	reading := []step{send(call("list_services", `{}`), isOK, limitless), send(call("get_service", knownService), isOK, limitless)}
	return []conform.Check{
		loopbackOnly(several("8", "ask-faq-shares-the-limit", "The MCP tool ask_faq shares the limit of POST /v1/ask, and its answers carry the policy.",
			send(ask(known), isOK, left("ask", 4)),
			send(tool, isOK, left("ask", 3), hasAskPolicy),
			repeat(3, tool, isOK),
			send(tool, func(a *conform.Answer) {
				wait := refusedFor(a, contract.AskPolicy)
				message := "result.content.0.text"
				if !a.Probe.ToolResults() {
					message = "error.message"
					expect(a, hasMember("error.code", contract.RPCServerError), hasMember("error.data.retry_after_seconds", wait))
				}
				expect(a, hasMember("id", 1), memberHasPrefix(message, fmt.Sprintf("Wait %d s.", wait)))
			}),
			send(ask(known), isRefusal(contract.AskPolicy)))),
		loopbackOnly(several("D.limits", "names-of-people-are-not-believed", `A name in _meta["openai/subject"] makes no other client, except from the ranges of the assistant.`,
			send(callFor("v1/ada"), isOK, left("ask", 4)), send(callFor("v1/grace"), isOK, left("ask", 3)), send(callFor("v1/edsger"), isOK, left("ask", 2)),
			send(callFor("v1/barbara"), isOK, left("ask", 1)), send(callFor("v1/alan"), isOK, left("ask", 0)),
			send(callFor("v1/katherine"), isRefusal(contract.AskPolicy)))),
		loopbackOnly(several("8", "reading-tools-have-no-limit", "The other tools have no limit and no RateLimit headers.",
			slices.Repeat(reading, 8)...)),
		loopbackOnly(several("8", "tool-dry-runs-have-no-limit", "Dry runs of request_pilot take nothing of a limit.",
			repeat(8, call("request_pilot", dryJSON("")), isOK, lacksHeader(contract.HeaderRateLimit)))),
	}
}
