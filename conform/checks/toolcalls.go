package checks

import (
	"fmt"
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
		{"D.mcp", "unknown-tool", "place_order", `{}`},
		{"D.mcp", "traversing-tool", "../list_services", `{}`},
	} {
		check := one(row.section, "tool-"+row.name, "Invalid tool arguments return code -32602.", call(row.tool, row.arguments), rpcError(contract.RPCInvalidParams))
		check.MaySend = row.tool == contract.ToolRequestPilot && !strings.Contains(row.arguments, `"dry_run":true}`)
		checks = append(checks, check)
	}
	return append(checks, conform.Check{Section: "D.mcp", Name: "unknown-service-lists-the-known",
		Sentence: "An unknown service id is refused with the known ids in data.",
		Run: func(p *conform.Probe) {
			p.Send(call("get_service", `{"id":"no-such-service-0"}`)).HasMember("error.data.known_ids", p.KnownServices())
		}})
}

// toolLimits checks the limits that tools share with HTTP.
func toolLimits() []conform.Check {
	return []conform.Check{
		{Section: "8", Name: "ask-faq-shares-the-limit", Asks: 7, LoopbackOnly: true,
			Sentence: "The MCP tool ask_faq shares the limit of POST /v1/ask, and its answers carry the policy.",
			Run: func(p *conform.Probe) {
				tool := call("ask_faq", questionJSON(p.KnownQuestion()))
				p.Send(ask(p.KnownQuestion())).HasStatus(200).HasHeader(contract.HeaderRateLimit, `"ask";r=4`)
				p.Send(tool).HasStatus(200).HasHeader(contract.HeaderRateLimit, `"ask";r=3`).HasHeader(contract.HeaderRateLimitPolicy, `"ask";q=5;w=60`)
				for range 3 {
					p.Send(tool).HasStatus(200)
				}
				a := p.Send(tool)
				wait := refusedFor(a, contract.AskPolicy)
				a.HasMember("error.code", contract.RPCServerError).HasMember("id", 1).HasMember("error.data.retry_after_seconds", wait).
					HasMember("error.message", fmt.Sprintf("Too many ask requests: wait %d s", wait))
				refusedFor(p.Send(ask(p.KnownQuestion())), contract.AskPolicy)
			}},
		{Section: "8", Name: "reading-tools-have-no-limit", LoopbackOnly: true,
			Sentence: "The other tools have no limit and no RateLimit headers.",
			Run: func(p *conform.Probe) {
				for range 8 {
					p.Send(call("list_services", `{}`)).HasStatus(200).LacksHeader(contract.HeaderRateLimit, contract.HeaderRateLimitPolicy)
					p.Send(call("get_service", `{"id":`+conform.EncodeJSON(p.KnownService())+`}`)).HasStatus(200).LacksHeader(contract.HeaderRateLimit, contract.HeaderRateLimitPolicy)
				}
			}},
		{Section: "8", Name: "tool-dry-runs-have-no-limit", LoopbackOnly: true,
			Sentence: "Dry runs of request_pilot take nothing of a limit.",
			Run: func(p *conform.Probe) {
				for range 8 {
					p.Send(call("request_pilot", dryJSON(""))).HasStatus(200).LacksHeader(contract.HeaderRateLimit)
				}
			}},
	}
}
