package conform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"frontdesk/contract"
)

// call is a call of a tool of the website's server.
func call(tool, arguments string) request {
	return rpc("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

// trial is a call of start_trial.
func trial(arguments string) request {
	return postJSON(contract.PathWorkspaceMCP, message("tools/call", `{"name":"start_trial","arguments":`+arguments+`}`), acceptBoth)
}

// tools are the sentences on the tools of both servers.
func tools() []Check {
	checks := []Check{
		one("4.mcp", "tools-of-the-website", "The tools are list_services, get_service, ask_faq and request_pilot.",
			rpc("tools/list", ""),
			func(a *answer) { toolsAre(a, "ask_faq", "get_service", "list_services", "request_pilot") }),
		one("4.workspace", "tools-of-the-workspace", "The tools are list_services, get_service and start_trial.",
			postJSON(contract.PathWorkspaceMCP, message("tools/list", ""), acceptBoth),
			func(a *answer) { toolsAre(a, "get_service", "list_services", "start_trial") }),
		one("4.mcp", "request-pilot-alone-writes", "request_pilot is the only tool that is not read-only.",
			rpc("tools/list", ""), func(a *answer) {
				for _, tool := range a.is(200).list("result.tools") {
					if got := at(tool, "annotations.readOnlyHint"); got != (at(tool, "name") != "request_pilot") {
						a.fail("readOnlyHint to be true of every tool but request_pilot")
					}
				}
			}),
		{Section: "4.mcp", Name: "list-services-reads-the-catalog",
			Says: "list_services reads the catalog: its structured content is the catalog of HTTP.",
			Run: func(p *probe) {
				catalog := p.send(get(contract.PathCatalog)).is(200)
				p.send(call("list_services", `{}`)).is(200).member("result.structuredContent", catalog.object())
			}},
		{Section: "4.mcp", Name: "get-service-reads-one",
			Says: "get_service reads one service of the catalog.",
			Run: func(p *probe) {
				p.send(call("get_service", `{"id":`+compact(p.service())+`}`)).is(200).member("result.structuredContent.id", p.service()).text("result.structuredContent.name")
			}},
		{Section: "D.mcp", Name: "get-service-has-its-price",
			Says: "get_service is the catalog's service with its band under pricing.",
			Run: func(p *probe) {
				a := p.send(call("get_service", `{"id":`+compact(p.service())+`}`)).is(200)
				a.member("result.structuredContent.pricing.id", a.text("result.structuredContent.pricing_band"))
			}},
		{Section: "D.mcp", Name: "list-services-is-the-same-on-both",
			Says: "Both servers read the same catalog.",
			Run: func(p *probe) {
				website := p.send(call("list_services", `{}`)).is(200)
				workspace := postJSON(contract.PathWorkspaceMCP, message("tools/call", `{"name":"list_services","arguments":{}}`), acceptBoth)
				p.send(workspace).is(200).member("result.structuredContent", at(website.object(), "result.structuredContent"))
			}},
		{Section: "4.mcp", Name: "ask-faq-answers-like-http", Asks: 2,
			Says: "ask_faq has the same logic as POST /v1/ask: the same answer.",
			Run: func(p *probe) {
				http := p.send(ask(p.question())).is(200)
				p.send(call("ask_faq", questionJSON(p.question()))).is(200).member("result.structuredContent", http.object())
			}},
		{Section: "4.mcp", Name: "request-pilot-previews-like-http",
			Says: "request_pilot files a pilot request like POST /v1/contact and supports dry_run: the same preview.",
			Run: func(p *probe) {
				http := p.send(dryRun()).is(200)
				p.send(call("request_pilot", dryJSON(""))).is(200).member("result.structuredContent", http.object()).lacks(contract.HeaderRateLimit)
			}},
		{Section: "D.mcp", Name: "tool-content-is-told-twice", Asks: 1,
			Says: "Every tool gives structured content and the same as text.",
			Run: func(p *probe) {
				for _, r := range []request{call("list_services", `{}`), call("ask_faq", questionJSON(p.question())), call("request_pilot", dryJSON(""))} {
					toldTwice(p.send(r).is(200))
				}
			}},
		one("D.mcp", "tools-are-described", "Every tool has title, description, input and output schema and all four annotations.",
			rpc("tools/list", ""), described),
		one("D.workspace", "start-trial-is-described", "Every tool has title, description, input and output schema and all four annotations.",
			postJSON(contract.PathWorkspaceMCP, message("tools/list", ""), acceptBoth), described),
	}
	return slices.Concat(checks, arguments(), toolLimits(), resources(), trials())
}

func toolsAre(a *answer, want ...string) {
	var got []string
	for _, tool := range a.is(200).list("result.tools") {
		name, _ := at(tool, "name").(string)
		got = append(got, name)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		a.fail("the tools %s", strings.Join(want, ", "))
	}
}

func described(a *answer) {
	for _, tool := range a.is(200).list("result.tools") {
		for _, member := range []string{"title", "description", "inputSchema.type", "outputSchema.type"} {
			if text, _ := at(tool, member).(string); text == "" {
				a.fail("every tool to have %s", member)
			}
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := at(tool, "annotations."+hint).(bool); !ok {
				a.fail("every tool to have the annotation %s", hint)
			}
		}
	}
}

func toldTwice(a *answer) {
	var told any
	_ = json.Unmarshal([]byte(a.text("result.content.0.text")), &told) // what is no JSON is not the same
	a.member("result.content.0.type", "text").member("result.structuredContent", told)
}

// arguments are calls that a tool cannot take: -32602, whatever is wrong.
func arguments() []Check {
	var checks []Check
	for _, row := range []struct{ section, name, tool, arguments string }{
		{"4.mcp", "missing-id", "get_service", `{}`},
		{"4.mcp", "object-for-id", "get_service", `{"id":{"$ne":null}}`},
		{"4.mcp", "missing-q", "ask_faq", `{}`},
		{"4.mcp", "number-for-q", "ask_faq", `{"q":1}`},
		{"4.mcp", "long-q", "ask_faq", questionJSON(strings.Repeat("a", 301))},
		{"4.mcp", "missing-fields", "request_pilot", `{"email":"ada@conform.example"}`},
		{"4.mcp", "missing-business", "request_pilot", dryWith("business", "")},
		{"4.mcp", "long-name", "request_pilot", dryWith("name", compact(strings.Repeat("a", 201)))},
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
		check.Risky = row.tool == contract.ToolRequestPilot && !strings.Contains(row.arguments, `"dry_run":true}`)
		checks = append(checks, check)
	}
	return append(checks, Check{Section: "D.mcp", Name: "unknown-service-lists-the-known",
		Says: "An unknown service id is refused with the known ids in data.",
		Run: func(p *probe) {
			p.send(call("get_service", `{"id":"no-such-service-0"}`)).member("error.data.known_ids", p.run.facts.services)
		}})
}

// toolLimits are the limits that tools share with HTTP.
func toolLimits() []Check {
	return []Check{
		{Section: "8", Name: "ask-faq-shares-the-limit", Asks: 7, Rude: true,
			Says: "The MCP tool ask_faq shares the limit of POST /v1/ask, and its answers carry the policy.",
			Run: func(p *probe) {
				tool := call("ask_faq", questionJSON(p.question()))
				p.send(ask(p.question())).is(200).has(contract.HeaderRateLimit, `"ask";r=4`)
				p.send(tool).is(200).has(contract.HeaderRateLimit, `"ask";r=3`).has(contract.HeaderRateLimitPolicy, `"ask";q=5;w=60`)
				for range 3 {
					p.send(tool).is(200)
				}
				a := p.send(tool)
				refusedFor(a, contract.AskPolicy)
				a.member("error.code", contract.RPCServerError).member("id", 1)
				refusedFor(p.send(ask(p.question())), contract.AskPolicy)
			}},
		{Section: "8", Name: "reading-tools-have-no-limit", Rude: true,
			Says: "The other tools have no limit and no RateLimit headers.",
			Run: func(p *probe) {
				for range 8 {
					p.send(call("list_services", `{}`)).is(200).lacks(contract.HeaderRateLimit, contract.HeaderRateLimitPolicy)
					p.send(call("get_service", `{"id":`+compact(p.service())+`}`)).is(200).lacks(contract.HeaderRateLimit, contract.HeaderRateLimitPolicy)
				}
			}},
		{Section: "8", Name: "tool-dry-runs-have-no-limit", Rude: true,
			Says: "Dry runs of request_pilot take nothing of a limit.",
			Run: func(p *probe) {
				for range 8 {
					p.send(call("request_pilot", dryJSON(""))).is(200).lacks(contract.HeaderRateLimit)
				}
			}},
	}
}

// resources are the sentences on what the website's server lets be read.
func resources() []Check {
	checks := []Check{
		{Section: "4.mcp", Name: "resources-are-listed",
			Says: "The resources are llms.txt, openapi.json, agents.json, pricing and developers.",
			Run: func(p *probe) {
				a := p.send(rpc("resources/list", "")).is(200)
				got := map[string]any{}
				for _, resource := range a.list("result.resources") {
					got[fmt.Sprint(at(resource, "name"))] = at(resource, "uri")
				}
				want := map[string]any{}
				for _, name := range []string{"llms.txt", "openapi.json", "agents.json", "pricing", "developers"} {
					want[name] = p.base() + "/" + name
				}
				if compact(got) != compact(want) {
					a.fail("the resources %s", compact(want))
				}
			}},
	}
	for name, accept := range map[string]string{"llms.txt": "*/*", "openapi.json": "*/*", "agents.json": "*/*", "pricing": "text/markdown", "developers": "text/markdown"} {
		checks = append(checks, Check{Section: "4.mcp", Name: "resource-" + slug(name),
			Says: "The resource " + name + " has the bytes that HTTP serves; pages are Markdown.",
			Run: func(p *probe) {
				page := p.send(get("/"+name, "Accept: "+accept)).is(200)
				p.send(rpc("resources/read", `{"uri":`+compact(p.base()+"/"+name)+`}`)).is(200).member("result.contents.0.text", string(page.body))
			}})
	}
	slices.SortFunc(checks[1:], func(a, b Check) int { return strings.Compare(a.Name, b.Name) })
	for _, row := range []struct{ name, uri string }{
		{"file", "file:///etc/passwd"}, {"relative", "../../llms.txt"}, {"bare", "llms.txt"}, {"foreign", "https://evil.example/llms.txt"}, {"empty", ""},
	} {
		checks = append(checks, one("4.mcp", "resource-unknown-"+row.name, "An unknown resource returns code -32002, and no file is read.",
			rpc("resources/read", `{"uri":`+compact(row.uri)+`}`),
			rpcError(contract.RPCResourceNotFound)))
	}
	return append(checks, one("D.mcp", "resource-without-uri", "resources/read without uri is -32602.",
		rpc("resources/read", `{}`), rpcError(contract.RPCInvalidParams)))
}

// trials are what was decided of start_trial, dry.
func trials() []Check {
	checks := []Check{
		one("D.workspace", "trial-previews", "start_trial with dry_run tells what it would create and stores nothing.",
			trial(`{"business":" AE Ltd ","email":"ada@conform.example","dry_run":true}`),
			func(a *answer) {
				a.is(200).member("result.structuredContent.dry_run", true).member("result.structuredContent.would_create.business", "AE Ltd").
					member("result.structuredContent.would_create.state", "draft").lacks(contract.HeaderRateLimit)
			}),
	}
	for _, row := range []struct{ name, arguments string }{
		{"missing-business", `{"email":"ada@conform.example","dry_run":true}`}, {"missing-email", `{"business":"AE","dry_run":true}`},
		{"bad-email", `{"business":"AE","email":"ada","dry_run":true}`}, {"string-dry-run", `{"business":"AE","email":"ada@conform.example","dry_run":"yes","state":1}`},
		{"unknown-argument", `{"business":"AE","email":"ada@conform.example","dry_run":true,"plan":"pro"}`},
	} {
		checks = append(checks, one("D.workspace", "trial-"+row.name, "Invalid arguments of start_trial return code -32602.",
			trial(row.arguments), rpcError(contract.RPCInvalidParams)))
	}
	return append(checks, Check{Section: "4.workspace", Name: "trial-creates-a-draft", Trials: 1,
		Says: "start_trial creates a free, draft-only workspace for a business.", Run: func(p *probe) {
			r := trial(`{"business":"frontdesk conform","email":"` + newMark() + `@conform.example"}`)
			r.takes = contract.TrialPolicy.Name
			a := p.send(r).is(200).member("result.structuredContent.state", "draft").has(contract.HeaderRateLimitPolicy, `"trial";q=3;w=60`)
			a.text("result.structuredContent.workspace_id")
			a.text("result.structuredContent.next")
		}}, Check{Section: "D.workspace", Name: "trial-has-its-limit", Trials: 4, Rude: true, Says: "Three trials in 60 seconds, then 429.", Run: func(p *probe) {
		r := trial(`{"business":"frontdesk conform","email":"` + newMark() + `@conform.example"}`)
		r.takes = contract.TrialPolicy.Name
		for left := 2; left >= 0; left-- {
			p.send(r).is(200).has(contract.HeaderRateLimit, contract.TrialPolicy.Remaining(left))
		}
		refusedFor(p.send(r), contract.TrialPolicy)
	}})
}
