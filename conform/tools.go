package conform

import (
	"encoding/json"
	"slices"
	"strings"

	"frontdesk/contract"
)

// call is a call of a tool of the website's server.
func call(tool, arguments string) request {
	return rpc("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

// tools are the sentences on the tools of both servers.
func tools() []Check {
	return slices.Concat(offered(), formed(), arguments(), toolLimits(), resources(), trials())
}

// offered are the tools there are, and what those that read give.
func offered() []Check {
	return []Check{
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
	}
}

// formed are what was decided of the form of a tool.
func formed() []Check {
	return []Check{
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
