package checks

import (
	"fmt"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// resources returns the checks of the resources of the website's server.
func resources() []conform.Check {
	checks := []conform.Check{
		{Section: "4.mcp", Name: "resources-are-listed",
			Sentence: "The resources are llms.txt, openapi.json, agents.json, pricing and developers.",
			Run: func(p *conform.Probe) {
				a := p.Send(rpc("resources/list", "")).HasStatus(200)
				got := map[string]any{}
				for _, resource := range a.List("result.resources") {
					got[fmt.Sprint(conform.Lookup(resource, "name"))] = conform.Lookup(resource, "uri")
				}
				want := map[string]any{}
				for _, name := range []string{"llms.txt", "openapi.json", "agents.json", "pricing", "developers"} {
					want[name] = p.BaseURL() + "/" + name
				}
				if conform.EncodeJSON(got) != conform.EncodeJSON(want) {
					a.Fail("the resources %s", conform.EncodeJSON(want))
				}
			}},
	}
	for name, accept := range map[string]string{"llms.txt": "*/*", "openapi.json": "*/*", "agents.json": "*/*", "pricing": "text/markdown", "developers": "text/markdown"} {
		checks = append(checks, conform.Check{Section: "4.mcp", Name: "resource-" + slug(name),
			Sentence: "The resource " + name + " has the bytes that HTTP serves; pages are Markdown.",
			Run: func(p *conform.Probe) {
				page := p.Send(conform.Get("/"+name, "Accept: "+accept)).HasStatus(200)
				p.Send(rpc("resources/read", `{"uri":`+conform.EncodeJSON(p.BaseURL()+"/"+name)+`}`)).HasStatus(200).HasMember("result.contents.0.text", string(page.Body))
			}})
	}
	slices.SortFunc(checks[1:], func(a, b conform.Check) int { return strings.Compare(a.Name, b.Name) })
	for _, row := range []struct{ name, uri string }{
		{"file", "file:///etc/passwd"}, {"relative", "../../llms.txt"}, {"bare", "llms.txt"}, {"foreign", "https://evil.example/llms.txt"}, {"empty", ""},
	} {
		checks = append(checks, one("4.mcp", "resource-unknown-"+row.name, "An unknown resource returns code -32002, and no file is read.",
			rpc("resources/read", `{"uri":`+conform.EncodeJSON(row.uri)+`}`),
			rpcError(contract.RPCResourceNotFound)))
	}
	return append(checks, one("D.mcp", "resource-without-uri", "resources/read without uri is -32602.",
		rpc("resources/read", `{}`), rpcError(contract.RPCInvalidParams)))
}
