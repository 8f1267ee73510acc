package conform

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"frontdesk/contract"
)

// ReadinessChecks are what agent-readiness scanners and the checks of agent-friendly
// documentation look at, told as checks of our own that need no network. A sign of
// something that the service does not have is no failure: it does not apply, and
// the reason says why.
func ReadinessChecks() []Check {
	return inOrder(slices.Concat(discoverable(), discovered(), catalogued(), absent(), documentation(), pageForm(), guarded()))
}

// crawlers are those that scanners want robots.txt to name.
var crawlers = []string{"GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-Web", "Claude-SearchBot", "Google-Extended", "Amazonbot",
	"anthropic-ai", "Bytespider", "CCBot", "Applebot-Extended", "PerplexityBot"}

// discoverable are the signs by which a crawler finds its way.
func discoverable() []Check {
	robots := get(contract.PathRobots)
	return []Check{
		one("R.discovery", "robots-txt", "robots.txt is plain text with a User-agent line.",
			robots, func(a *answer) { a.is(200).kind(contract.TypeText).contains("User-agent:") }),
		one("R.discovery", "robots-names-ai-crawlers", "robots.txt has rules that name the crawlers of AI services.",
			robots, func(a *answer) {
				for _, name := range crawlers {
					a.is(200).contains("User-agent: " + name + "\n")
				}
			}),
		one("R.discovery", "content-signals", "robots.txt has a Content-Signal line.",
			robots, func(a *answer) { a.is(200).contains("Content-Signal:") }),
		one("R.discovery", "agentmap", "robots.txt names the agent catalog with Agentmap.",
			robots, func(a *answer) { a.is(200).contains("Agentmap:") }),
		{Section: "R.discovery", Name: "sitemap",
			Says: "The Sitemap line of robots.txt leads to a sitemap that lists pages.",
			Run: func(p *probe) {
				p.send(robots).is(200).contains("Sitemap: " + p.base() + contract.PathSitemap)
				p.send(get(contract.PathSitemap)).is(200).kind(contract.TypeXML).contains("<loc>" + p.base())
			}},
		one("R.discovery", "link-headers", "The home page has Link headers that agents use: api-catalog, service-desc, service-doc, describedby.",
			get(contract.PathHome), func(a *answer) {
				links := a.is(200).value("Link")
				if !containsAll(links, `rel="api-catalog"`, `rel="service-desc"`, `rel="service-doc"`, `rel="describedby"`) {
					a.fail("Link headers with these relations")
				}
			}),
		one("R.discovery", "markdown-negotiation", "The home page is Markdown for Accept: text/markdown.",
			get(contract.PathHome, "Accept: text/markdown"),
			func(a *answer) { a.is(200).kind(contract.TypeMarkdown) }),
		one("R.discovery", "json-ld", "The home page describes itself in JSON-LD.",
			get(contract.PathHome, "Accept: text/html"),
			func(a *answer) { a.is(200).contains("application/ld+json") }),
		one("R.discovery", "form-tools", "The forms of the pages are tools for a browser's agent (WebMCP): toolname and tooldescription.",
			get(contract.PathAskPage, "Accept: text/html"),
			func(a *answer) { a.is(200).contains("toolname=", "tooldescription=") }),
	}
}

// discovered are the documents that scanners fetch.
func discovered() []Check {
	return []Check{
		one("R.discovery", "api-catalog", "The API catalog is a linkset that is not empty.",
			get(contract.PathAPICatalog, "Accept: application/linkset+json, application/json"), func(a *answer) {
				if a.is(200).kind(contract.TypeLinkset); len(a.list("linkset")) == 0 {
					a.fail("a linkset that is not empty")
				}
			}),
		one("R.discovery", "web-bot-auth", "The key directory has keys.",
			get(contract.PathKeyDirectory), func(a *answer) {
				if len(a.is(200).list("keys")) == 0 {
					a.fail("a key")
				}
			}),
		one("R.discovery", "auth-md", "auth.md names its audience, how to register, the methods and the use of credentials.",
			get(contract.PathAuthGuide, "Accept: text/markdown, text/plain, */*"), func(a *answer) {
				a.is(200).kind(contract.TypeMarkdown)
				if !regexp.MustCompile(`(?m)^# .*auth\.md`).Match(a.body) || !containsAll(strings.ToLower(string(a.body)), "agent", "regist", "method", "anonymous", "credential", "claim_uri") {
					a.fail("a heading with auth.md, and what an agent has to know")
				}
			}),
		one("R.discovery", "mcp-server-card", "The MCP server card names server, version, transport and capabilities.",
			get(contract.PathServerCard), func(a *answer) {
				a.is(200).text("serverInfo.name")
				a.text("serverInfo.version")
				if a.json()["capabilities"] == nil || len(a.list("remotes")) == 0 {
					a.fail("capabilities and remotes")
				}
			}),
		one("R.discovery", "mcp-server-card-short", "The same card is at /.well-known/mcp.json.",
			get(contract.PathServerCardShort), func(a *answer) { a.is(200).text("serverInfo.name") }),
		one("R.discovery", "agents-json", "/agents.json is JSON that is not empty.",
			get(contract.PathCatalogAlias), func(a *answer) { a.is(200).text("name") }),
		one("R.discovery", "openapi", "The OpenAPI description is version 3.",
			get(contract.PathOpenAPI), func(a *answer) { a.is(200).matchesMember("openapi", "3.") }),
		one("R.discovery", "security-txt", "security.txt has a contact and an end (RFC 9116).",
			get(contract.PathSecurity),
			func(a *answer) { a.is(200).kind(contract.TypeText).contains("Contact:", "Expires:") }),
	}
}

// catalogued are the lists of what agents can use.
func catalogued() []Check {
	return []Check{
		{Section: "R.discovery", Name: "agent-skills",
			Says: "The index of skills has its schema, and each skill the bytes of its digest.",
			Run:  skills},
		one("R.discovery", "ai-catalog", "The AI catalog has entries with urn:air identifiers, types and two to five questions.",
			get(contract.PathAICatalog), catalogEntries),
		one("R.discovery", "ard", "The AI catalog is at /.well-known/ard.json too.",
			get(contract.PathARD), catalogEntries),
		one("R.discovery", "mcp-tools-are-told", "The MCP tools have snake_case names, descriptions of at least 60 characters and hints.",
			rpc("tools/list", ""), func(a *answer) {
				for _, tool := range a.is(200).list("result.tools") {
					name, _ := at(tool, "name").(string)
					description, _ := at(tool, "description").(string)
					if !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(name) || len(description) < 60 || at(tool, "annotations.readOnlyHint") == nil {
						a.fail("the tool %q to be told so", name)
					}
				}
			}),
		one("R.discovery", "mcp-resources", "The MCP server has at least three resources.",
			rpc("resources/list", ""), func(a *answer) {
				if len(a.is(200).list("result.resources")) < 3 {
					a.fail("three resources")
				}
			}),
	}
}

func skills(p *probe) {
	index := p.send(get(contract.PathSkills)).is(200).member("$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json")
	for _, skill := range index.list("skills") {
		path, _ := at(skill, "url").(string)
		document := p.send(get(strings.TrimPrefix(path, p.base()))).is(200)
		sum := sha256.Sum256(document.body)
		if at(skill, "digest") != "sha256:"+hex.EncodeToString(sum[:]) {
			document.fail("the bytes of the digest %v", at(skill, "digest"))
		}
	}
}

func catalogEntries(a *answer) {
	a.is(200).kind(contract.TypeJSON).has("Access-Control-Allow-Origin", "*").text("specVersion")
	for _, entry := range a.list("entries") {
		id, _ := at(entry, "identifier").(string)
		questions, _ := at(entry, "representativeQueries").([]any)
		if !strings.HasPrefix(id, "urn:air:") || (at(entry, "url") == nil) == (at(entry, "data") == nil) || at(entry, "displayName") == nil || at(entry, "type") == nil || len(questions) < 2 || len(questions) > 5 {
			a.fail("the entry %q to have an identifier, a name, a type, either url or data, and two to five questions", id)
		}
	}
}

// absent are signs of what the service does not have, and says so.
func absent() []Check {
	var checks []Check
	for _, row := range []struct{ name, path, why string }{
		{"oauth-discovery", "/.well-known/oauth-authorization-server", "the service is anonymous: there is no authorization server to describe"},
		{"openid-configuration", "/.well-known/openid-configuration", "the service is anonymous: nobody logs in"},
		{"oauth-protected-resource", "/.well-known/oauth-protected-resource", "nothing is protected: every endpoint is open"},
		{"a2a-agent-card", "/.well-known/agent-card.json", "the service is no A2A agent: its face for agents is MCP"},
		{"commerce", "/.well-known/ucp", "nothing is sold here: the service takes no orders and no payments"},
		{"agent-permissions", "/.well-known/agent-permissions.json", "what an agent may do is in auth.md and robots.txt"},
	} {
		checks = append(checks, Check{Section: "R.absent", Name: row.name,
			Says: "A document for what the service does not have would be a lie.",
			Run: func(p *probe) {
				p.send(get(row.path)).is(404)
				p.skip("%s%s", doesNotApply, row.why)
			}})
	}
	return append(checks, Check{Section: "R.absent", Name: "dns-aid",
		Says: "Agents may be announced in the DNS.",
		Run: func(p *probe) {
			p.skip("%sDNS records are the business of the name's owner, not of the service", doesNotApply)
		}})
}

// guarded are the headers that scanners want of a page, and the files that must not
// be there.
func guarded() []Check {
	home := get(contract.PathHome, "Accept: text/html")
	checks := []Check{
		one("R.security", "content-security-policy", "The home page has a Content-Security-Policy that forbids framing.",
			home, func(a *answer) { a.is(200).matches("Content-Security-Policy", "frame-ancestors") }),
		one("R.security", "referrer-policy", "The home page has a Referrer-Policy.",
			home, func(a *answer) { a.is(200).matches("Referrer-Policy", ".") }),
		one("R.security", "permissions-policy", "The home page has a Permissions-Policy.",
			home, func(a *answer) { a.is(200).matches("Permissions-Policy", ".") }),
		one("R.security", "nosniff", "The home page forbids sniffing.",
			home, func(a *answer) { a.is(200).has("X-Content-Type-Options", "nosniff") }),
		one("R.security", "no-careless-cors", "No answer lets any origin in with credentials.",
			home, func(a *answer) { a.is(200).lacks("Access-Control-Allow-Credentials") }),
		{Section: "R.security", Name: "strict-transport",
			Says: "Over https the service asks to be visited so for a year at least.",
			Run: func(p *probe) {
				if p.run.target.Scheme != "https" {
					p.skip("%sthe target is not https", doesNotApply)
				}
				p.send(home).is(200).matches("Strict-Transport-Security", `max-age=(3153\d{4}|[4-9]\d{7,}|\d{9,})`)
			}},
	}
	for _, path := range []string{"/.git/config", "/.env", "/debug/pprof/", "/metrics", "/data/"} {
		checks = append(checks, one("R.security", "nothing-at"+strings.TrimRight(strings.NewReplacer("/", "-", ".", "").Replace(path), "-"), "What is not for the public is not there.",
			get(path), statusIs(404)))
	}
	return checks
}
