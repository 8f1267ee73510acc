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

// offered checks the lists of tools and the results of the reading ones.
func offered() []conform.Check {
	return []conform.Check{
		one("4.mcp", "tools-of-the-website", "The tools are list_services, get_service, ask_faq and request_pilot.",
			rpc("tools/list", ""),
			func(a *conform.Answer) { toolsAre(a, "ask_faq", "get_service", "list_services", "request_pilot") }),
		one("4.workspace", "tools-of-the-workspace", "The tools are list_services, get_service and start_trial.",
			conform.PostJSON(contract.PathWorkspaceMCP, message("tools/list", ""), acceptBoth),
			func(a *conform.Answer) { toolsAre(a, "get_service", "list_services", "start_trial") }),
		one("4.mcp", "request-pilot-alone-writes", "request_pilot is the only tool that is not read-only.",
			rpc("tools/list", ""), func(a *conform.Answer) {
				for _, tool := range a.HasStatus(200).List("result.tools") {
					if got := conform.Lookup(tool, "annotations.readOnlyHint"); got != (conform.Lookup(tool, "name") != "request_pilot") {
						a.Fail("readOnlyHint to be true of every tool but request_pilot")
					}
				}
			}),
		{Section: "4.mcp", Name: "list-services-reads-the-catalog",
			Sentence: "list_services reads the catalog: its structured content is the catalog of HTTP.",
			Run: func(p *conform.Probe) {
				catalog := p.Send(conform.Get(contract.PathCatalog)).HasStatus(200)
				p.Send(call("list_services", `{}`)).HasStatus(200).HasMember("result.structuredContent", catalog.Object())
			}},
		{Section: "4.mcp", Name: "get-service-reads-one",
			Sentence: "get_service reads one service of the catalog.",
			Run: func(p *conform.Probe) {
				p.Send(call("get_service", `{"id":`+conform.EncodeJSON(p.KnownService())+`}`)).HasStatus(200).HasMember("result.structuredContent.id", p.KnownService()).Text("result.structuredContent.name")
			}},
		{Section: "D.mcp", Name: "get-service-has-its-price",
			Sentence: "get_service is the catalog's service with its band under pricing.",
			Run: func(p *conform.Probe) {
				a := p.Send(call("get_service", `{"id":`+conform.EncodeJSON(p.KnownService())+`}`)).HasStatus(200)
				a.HasMember("result.structuredContent.pricing.id", a.Text("result.structuredContent.pricing_band"))
			}},
		{Section: "D.mcp", Name: "list-services-is-the-same-on-both",
			Sentence: "Both servers read the same catalog.",
			Run: func(p *conform.Probe) {
				website := p.Send(call("list_services", `{}`)).HasStatus(200)
				workspace := conform.PostJSON(contract.PathWorkspaceMCP, message("tools/call", `{"name":"list_services","arguments":{}}`), acceptBoth)
				p.Send(workspace).HasStatus(200).HasMember("result.structuredContent", conform.Lookup(website.Object(), "result.structuredContent"))
			}},
		{Section: "4.mcp", Name: "ask-faq-answers-like-http", Asks: 2,
			Sentence: "ask_faq has the same logic as POST /v1/ask: the same answer.",
			Run: func(p *conform.Probe) {
				http := p.Send(ask(p.KnownQuestion())).HasStatus(200)
				p.Send(call("ask_faq", questionJSON(p.KnownQuestion()))).HasStatus(200).HasMember("result.structuredContent", http.Object())
			}},
	}
}

// formed checks the decisions on the form of tools and results.
func formed() []conform.Check {
	return []conform.Check{
		{Section: "4.mcp", Name: "request-pilot-previews-like-http",
			Sentence: "request_pilot files a pilot request like POST /v1/contact and supports dry_run: the same preview.",
			Run: func(p *conform.Probe) {
				http := p.Send(dryRun()).HasStatus(200)
				p.Send(call("request_pilot", dryJSON(""))).HasStatus(200).HasMember("result.structuredContent", http.Object()).LacksHeader(contract.HeaderRateLimit)
			}},
		{Section: "D.mcp", Name: "tool-content-is-told-twice", Asks: 1,
			Sentence: "Every tool gives structured content and the same as text.",
			Run: func(p *conform.Probe) {
				for _, r := range []conform.Request{call("list_services", `{}`), call("ask_faq", questionJSON(p.KnownQuestion())), call("request_pilot", dryJSON(""))} {
					sameAsText(p.Send(r).HasStatus(200))
				}
			}},
		one("D.mcp", "tools-are-described", "Every tool has title, description, input and output schema and all four annotations.",
			rpc("tools/list", ""), described),
		one("D.workspace", "start-trial-is-described", "Every tool has title, description, input and output schema and all four annotations.",
			conform.PostJSON(contract.PathWorkspaceMCP, message("tools/list", ""), acceptBoth), described),
	}
}

func toolsAre(a *conform.Answer, want ...string) {
	var got []string
	for _, tool := range a.HasStatus(200).List("result.tools") {
		name, _ := conform.Lookup(tool, "name").(string)
		got = append(got, name)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		a.Fail("the tools %s", strings.Join(want, ", "))
	}
}

func described(a *conform.Answer) {
	for _, tool := range a.HasStatus(200).List("result.tools") {
		for _, member := range []string{"title", "description", "inputSchema.type", "outputSchema.type"} {
			if text, _ := conform.Lookup(tool, member).(string); text == "" {
				a.Fail("every tool to have %s", member)
			}
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
	a.HasMember("result.content.0.type", "text").HasMember("result.structuredContent", text)
}
