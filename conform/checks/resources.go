package checks

import (
	"fmt"

	"frontdesk/conform"
	"frontdesk/contract"
)

// resources returns the checks of the resources of the website's server.
func resources() []conform.Check {
	checks := []conform.Check{one("4.mcp", "resources-are-listed", "The resources are llms.txt, openapi.json, agents.json, pricing and developers.",
		rpc("resources/list", ""), isOK, func(a *conform.Answer) {
			got, want := map[string]any{}, map[string]any{}
			for _, resource := range a.List("result.resources") {
				got[fmt.Sprint(conform.Lookup(resource, "name"))] = conform.Lookup(resource, "uri")
			}
			for _, name := range []string{"llms.txt", "openapi.json", "agents.json", "pricing", "developers"} {
				want[name] = a.Probe.BaseURL() + "/" + name
			}
			if conform.EncodeJSON(got) != conform.EncodeJSON(want) {
				a.Fail("the resources %s", conform.EncodeJSON(want))
			}
		})}
	for _, row := range []struct{ name, accept string }{
		{"agents.json", "*/*"}, {"developers", "text/markdown"}, {"llms.txt", "*/*"}, {"openapi.json", "*/*"}, {"pricing", "text/markdown"},
	} {
		checks = append(checks, conform.Check{Section: "4.mcp", Name: "resource-" + slug(row.name),
			Sentence: "The resource " + row.name + " has the bytes that HTTP serves; pages are Markdown.",
			Run: func(p *conform.Probe) {
				page := p.Send(conform.Get("/"+row.name, "Accept: "+row.accept), isOK)
				p.Send(rpc("resources/read", `{"uri":`+conform.EncodeJSON(p.BaseURL()+"/"+row.name)+`}`), isOK, hasMember("result.contents.0.text", string(page.Body)))
			}})
	}
	for _, row := range []struct{ name, uri string }{
		{"file", "file:///etc/passwd"}, {"relative", "../../llms.txt"}, {"bare", "llms.txt"}, {"foreign", "https://evil.example/llms.txt"}, {"empty", ""},
	} {
		checks = append(checks, one("4.mcp", "resource-unknown-"+row.name, "An unknown resource returns code -32002, and no file is read.",
			rpc("resources/read", `{"uri":`+conform.EncodeJSON(row.uri)+`}`), rpcError(contract.RPCResourceNotFound)))
	}
	return append(checks, one("D.mcp", "resource-without-uri", "resources/read without uri is -32602.",
		rpc("resources/read", `{}`), rpcError(contract.RPCInvalidParams)))
}
