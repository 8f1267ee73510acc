package checks

import (
	"encoding/json"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// call is a call of a tool of the website's server.
func call(tool, arguments string) conform.Request {
	return rpc("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

// tools returns the checks of the tools of both servers.
func tools() []conform.Check {
	return slices.Concat(offered(), formed(), arguments(), toolLimits(), resources(), trials())
}

// workspaceTools asks the workspace server for its tools.
var workspaceTools = conform.PostJSON(contract.PathWorkspaceMCP, message("tools/list", ""), acceptBoth)

// knownService names a service of the catalog.
const knownService = `{"id":"{service}"}`

// offered checks the lists of tools and the results of the reading ones.
func offered() []conform.Check {
	return []conform.Check{
		one("4.mcp", "tools-of-the-website", "The tools are list_services, get_service, ask_faq and request_pilot.",
			rpc("tools/list", ""), isOK, toolsAre("ask_faq", "get_service", "list_services", "request_pilot")),
		one("4.workspace", "tools-of-the-workspace", "The tools are list_services, get_service and start_trial.",
			workspaceTools, isOK, toolsAre("get_service", "list_services", "start_trial")),
		one("4.mcp", "request-pilot-alone-writes", "request_pilot is the only tool that is not read-only.",
			rpc("tools/list", ""), isOK, func(a *conform.Answer) {
				for _, tool := range a.List("result.tools") {
					if got := conform.Lookup(tool, "annotations.readOnlyHint"); got != (conform.Lookup(tool, "name") != "request_pilot") {
						a.Fail("readOnlyHint to be true of every tool but request_pilot")
					}
				}
			}),
		sameResult("4.mcp", "list-services-reads-the-catalog", "list_services reads the catalog: its structured content is the catalog of HTTP.",
			catalog, call("list_services", `{}`)),
		one("4.mcp", "get-service-reads-one", "get_service reads one service of the catalog.",
			call("get_service", knownService), isOK, func(a *conform.Answer) {
				expect(a, hasMember("result.structuredContent.id", a.Probe.KnownService()), hasTexts("result.structuredContent.name"))
			}),
		one("D.mcp", "get-service-has-its-price", "get_service is the catalog's service with its band under pricing.",
			call("get_service", knownService), isOK, func(a *conform.Answer) {
				hasMember("result.structuredContent.pricing.id", a.Text("result.structuredContent.pricing_band"))(a)
			}),
		{Section: "D.mcp", Name: "list-services-is-the-same-on-both",
			Sentence: "Both servers read the same catalog.",
			Run: func(p *conform.Probe) {
				website := p.Send(call("list_services", `{}`), isOK)
				workspace := conform.PostJSON(contract.PathWorkspaceMCP, message("tools/call", `{"name":"list_services","arguments":{}}`), acceptBoth)
				p.Send(workspace, isOK, hasMember("result.structuredContent", conform.Lookup(website.Object(), "result.structuredContent")))
			}},
		sameResult("4.mcp", "ask-faq-answers-like-http", "ask_faq has the same logic as POST /v1/ask: the same answer.",
			ask(known), call("ask_faq", questionJSON(known))),
	}
}

// sameResult returns a check that a tool gives what HTTP does.
func sameResult(section, name, sentence string, http, tool conform.Request) conform.Check {
	check := several(section, name, sentence, send(http), send(tool)) // for the slots
	check.Run = func(p *conform.Probe) {
		fill := filler(p)
		want := p.Send(fill(http), isOK)
		p.Send(fill(tool), isOK, hasMember("result.structuredContent", want.Object()))
	}
	return check
}

// formed checks the decisions on the form of tools and results.
func formed() []conform.Check {
	return []conform.Check{
		{Section: "4.mcp", Name: "request-pilot-previews-like-http",
			Sentence: "request_pilot files a pilot request like POST /v1/contact and supports dry_run: the same preview.",
			Run: func(p *conform.Probe) {
				http := p.Send(dryRun(), isOK)
				p.Send(call("request_pilot", dryJSON("")), isOK, hasMember("result.structuredContent", http.Object()), lacksHeader(contract.HeaderRateLimit))
			}},
		several("D.mcp", "tool-content-is-told-twice", "Every tool gives structured content and the same as text.",
			send(call("list_services", `{}`), isOK, sameAsText),
			send(call("ask_faq", questionJSON(known)), isOK, sameAsText),
			send(call("request_pilot", dryJSON("")), isOK, sameAsText)),
		one("D.mcp", "request-pilot-takes-null", "An optional argument that is null is absent.",
			call("request_pilot", dryJSON(`,"phone":null,"segment":null,"preview":null,"idempotency_key":null`)), isOK, hasMember("result.structuredContent.dry_run", true), hasMember("result.structuredContent.would_send.phone", nil)),
		one("D.mcp", "tools-are-described", "Every tool has title, description, input and output schema and all four annotations.",
			rpc("tools/list", ""), isOK, described),
		one("D.workspace", "start-trial-is-described", "Every tool has title, description, input and output schema and all four annotations.",
			workspaceTools, isOK, described),
	}
}

func toolsAre(want ...string) expectation {
	return func(a *conform.Answer) {
		var got []string
		for _, tool := range a.List("result.tools") {
			name, _ := conform.Lookup(tool, "name").(string)
			got = append(got, name)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			a.Fail("the tools %s", strings.Join(want, ", "))
		}
	}
}

func described(a *conform.Answer) {
	for _, tool := range a.List("result.tools") {
		for _, member := range []string{"title", "description", "inputSchema.type", "outputSchema.type"} {
			if text, _ := conform.Lookup(tool, member).(string); text == "" {
				a.Fail("every tool to have %s", member)
			}
		}
		if dryRun, has := conform.Lookup(tool, "inputSchema.properties.dry_run").(map[string]any); has && dryRun["default"] != false {
			a.Fail("dry_run to have the default false: some frameworks send null for what has none")
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := conform.Lookup(tool, "annotations."+hint).(bool); !ok {
				a.Fail("every tool to have the annotation %s", hint)
			}
		}
	}
}

func sameAsText(a *conform.Answer) {
	var text any
	_ = json.Unmarshal([]byte(a.Text("result.content.0.text")), &text) // text that is not JSON does not equal the content
	expect(a, hasMember("result.content.0.type", "text"), hasMember("result.structuredContent", text))
}
