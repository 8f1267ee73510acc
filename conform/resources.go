package conform

import (
	"fmt"
	"slices"
	"strings"

	"frontdesk/contract"
)

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
