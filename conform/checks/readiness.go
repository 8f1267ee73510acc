package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// Readiness returns what agent-readiness scanners and checks of agent-friendly
// documentation look for, as checks without the internet. A check of a feature that the
// service does not have is skipped with the reason why it does not apply.
func Readiness() []conform.Check {
	return conform.SortBySection(slices.Concat(discoverable(), discovered(), catalogued(), absent(), documentation(), pageForm(), guarded()))
}

// crawlers are the names that scanners expect in robots.txt.
var crawlers = []string{"GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-Web", "Claude-SearchBot", "Google-Extended", "Amazonbot",
	"anthropic-ai", "Bytespider", "CCBot", "Applebot-Extended", "PerplexityBot"}

// discoverable returns the checks of what leads a crawler to the documents.
func discoverable() []conform.Check {
	robots := conform.Get(contract.PathRobots)
	return []conform.Check{
		one("R.discovery", "robots-txt", "robots.txt is plain text with a User-agent line.",
			robots, serves(contract.TypeText, "User-agent:")),
		one("R.discovery", "robots-names-ai-crawlers", "robots.txt has rules that name the crawlers of AI services.",
			robots, isOK, func(a *conform.Answer) {
				for _, name := range crawlers {
					contains("User-agent: " + name + "\n")(a)
				}
			}),
		one("R.discovery", "content-signals", "The Content-Signal lines of robots.txt, which an owner may leave out, are well formed.",
			robots, isOK, func(a *conform.Answer) {
				if regexp.MustCompile(`(?m)^Content-Signal:`).Match(a.Body) && !regexp.MustCompile(`(?m)^Content-Signal: [a-z-]+=(yes|no)(, ?[a-z-]+=(yes|no))*$`).Match(a.Body) {
					a.Fail("signals such as search=yes, ai-train=no")
				}
			}),
		one("R.discovery", "agentmap", "robots.txt names the agent catalog with Agentmap.",
			robots, isOK, contains("Agentmap:")),
		{Section: "R.discovery", Name: "sitemap",
			Sentence: "The Sitemap line of robots.txt leads to a sitemap that lists pages.",
			Run: func(p *conform.Probe) {
				p.Send(robots, isOK, contains("Sitemap: "+p.BaseURL()+contract.PathSitemap))
				p.Send(conform.Get(contract.PathSitemap), isOK, hasType(contract.TypeXML, "application/xml"), contains("<loc>"+p.BaseURL()))
			}},
		one("R.discovery", "link-headers", "The home page has Link headers that agents use: api-catalog, service-desc, service-doc, describedby.",
			conform.Get(contract.PathHome), isOK, func(a *conform.Answer) {
				if !conform.ContainsAll(a.HeaderValue("Link"), `rel="api-catalog"`, `rel="service-desc"`, `rel="service-doc"`, `rel="describedby"`) {
					a.Fail("Link headers with these relations")
				}
			}),
		negotiated("claude-code", "Accept: text/markdown, text/html, */* gets Markdown: of equal quality the first named type wins.", "text/markdown, text/html, */*", contract.TypeMarkdown),
		negotiated("markdown-or-anything", "Accept: text/markdown, */* gets Markdown: a named type beats a wildcard.", "text/markdown, */*", contract.TypeMarkdown),
		negotiated("browser", "A browser's Accept gets HTML.", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", contract.TypeHTML),
		one("R.discovery", "markdown-negotiation", "The home page is Markdown for Accept: text/markdown.",
			conform.Get(contract.PathHome, "Accept: text/markdown"), serves(contract.TypeMarkdown)),
		one("R.discovery", "json-ld", "The home page describes itself in JSON-LD.",
			conform.Get(contract.PathHome, "Accept: text/html"), isOK, contains("application/ld+json")),
		one("R.discovery", "form-tools", "The forms of the pages are tools for a browser's agent (WebMCP): toolname and tooldescription.",
			conform.Get(contract.PathAskPage, "Accept: text/html"), isOK, contains("toolname=", "tooldescription=")),
	}
}

// discovered returns the checks of the documents that scanners fetch.
func discovered() []conform.Check {
	return []conform.Check{
		one("R.discovery", "api-catalog", "The API catalog is a linkset that is not empty.",
			conform.Get(contract.PathAPICatalog, "Accept: application/linkset+json, application/json"), isLinkset),
		one("R.discovery", "web-bot-auth", "The key directory has keys.",
			conform.Get(contract.PathKeyDirectory), isOK, hasItems("keys", 1, "a key")),
		one("R.discovery", "auth-md", "auth.md names its audience, how to register, the methods and the use of credentials.",
			conform.Get(contract.PathAuthGuide, "Accept: text/markdown, text/plain, */*"), serves(contract.TypeMarkdown), func(a *conform.Answer) {
				if !regexp.MustCompile(`(?m)^# .*auth\.md`).Match(a.Body) || !conform.ContainsAll(strings.ToLower(string(a.Body)), "agent", "regist", "method", "anonymous", "credential", "claim_uri") {
					a.Fail("a heading with auth.md, and the sections for agents")
				}
			}),
		one("R.discovery", "mcp-server-card", "The MCP server card names server, version, transport and capabilities.",
			conform.Get(contract.PathServerCard), isOK, hasTexts("serverInfo.name", "serverInfo.version"), func(a *conform.Answer) {
				if a.JSON()["capabilities"] == nil || len(a.List("remotes")) == 0 {
					a.Fail("capabilities and remotes")
				}
			}),
		one("R.discovery", "mcp-server-card-short", "The same card is at /.well-known/mcp.json.",
			conform.Get(contract.PathServerCardShort), isOK, hasTexts("serverInfo.name")),
		one("R.discovery", "agents-json", "/agents.json is JSON that is not empty.",
			conform.Get(contract.PathCatalogAlias), isOK, hasTexts("name")),
		one("R.discovery", "openapi", "The OpenAPI description is version 3.",
			conform.Get(contract.PathOpenAPI), isOK, memberHasPrefix("openapi", "3.")),
		one("R.discovery", "security-txt", "security.txt has a contact and an end (RFC 9116).",
			conform.Get(contract.PathSecurity), serves(contract.TypeText, "Contact:", "Expires:")),
	}
}

// catalogued returns the checks of the catalogs for agents.
func catalogued() []conform.Check {
	return []conform.Check{
		one("R.discovery", "agent-skills", "The index of skills has its schema, and each skill the bytes of its digest.",
			conform.Get(contract.PathSkills), isOK, hasMember("$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json"), skills),
		one("R.discovery", "ai-catalog", "The AI catalog has entries with urn:air identifiers, types and two to five questions.",
			conform.Get(contract.PathAICatalog), catalogEntries),
		one("R.discovery", "ard", "The AI catalog is at /.well-known/ard.json too.",
			conform.Get(contract.PathARD), catalogEntries),
		one("R.discovery", "mcp-tools-are-told", "The MCP tools have snake_case names, descriptions of at least 60 characters and hints.",
			rpc("tools/list", ""), isOK, func(a *conform.Answer) {
				for _, tool := range a.List("result.tools") {
					name, _ := conform.Lookup(tool, "name").(string)
					description, _ := conform.Lookup(tool, "description").(string)
					if !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(name) || len(description) < 60 || conform.Lookup(tool, "annotations.readOnlyHint") == nil {
						a.Fail("the tool %q with such a name, description and hints", name)
					}
				}
			}),
		one("R.discovery", "mcp-resources", "The MCP server has at least three resources.",
			rpc("resources/list", ""), isOK, hasItems("result.resources", 3, "three resources")),
	}
}

// skills expects that each skill of the index has its digest.
func skills(index *conform.Answer) {
	for _, skill := range index.List("skills") {
		path, _ := conform.Lookup(skill, "url").(string)
		document := index.Probe.Send(conform.Get(strings.TrimPrefix(path, index.Probe.BaseURL())), isOK)
		sum := sha256.Sum256(document.Body)
		if conform.Lookup(skill, "digest") != "sha256:"+hex.EncodeToString(sum[:]) {
			document.Fail("the bytes of the digest %v", conform.Lookup(skill, "digest"))
		}
	}
}

func catalogEntries(a *conform.Answer) {
	expect(a, isOK, hasType(contract.TypeJSON), hasHeader("Access-Control-Allow-Origin", "*"), hasTexts("specVersion"))
	for _, entry := range a.List("entries") {
		id, _ := conform.Lookup(entry, "identifier").(string)
		questions, _ := conform.Lookup(entry, "representativeQueries").([]any)
		if !strings.HasPrefix(id, "urn:air:") || (conform.Lookup(entry, "url") == nil) == (conform.Lookup(entry, "data") == nil) || conform.Lookup(entry, "displayName") == nil || conform.Lookup(entry, "type") == nil || len(questions) < 2 || len(questions) > 5 {
			a.Fail("the entry %q to have an identifier, a name, a type, either url or data, and two to five questions", id)
		}
	}
}

// absent returns the checks that there are no documents of missing features.
func absent() []conform.Check {
	var checks []conform.Check
	for _, row := range []struct{ name, path, why string }{
		{"oauth-discovery", "/.well-known/oauth-authorization-server", "the service is anonymous: there is no authorization server to describe"},
		{"openid-configuration", "/.well-known/openid-configuration", "the service is anonymous: there is no login"},
		{"oauth-protected-resource", "/.well-known/oauth-protected-resource", "nothing is protected: every endpoint is open"},
		{"a2a-agent-card", "/.well-known/agent-card.json", "the service is not an A2A agent: its interface for agents is MCP"},
		{"commerce", "/.well-known/ucp", "nothing is sold here: the service takes no orders and no payments"},
		{"agent-permissions", "/.well-known/agent-permissions.json", "what an agent may do is in auth.md and robots.txt"},
	} {
		checks = append(checks, one("R.absent", row.name, "There is no document of a feature that the service does not have.",
			conform.Get(row.path), statusIs(404), func(a *conform.Answer) { a.Probe.Skip("%s%s", conform.DoesNotApply, row.why) }))
	}
	return append(checks, doesNotApply("R.absent", "dns-aid", "Agents may be announced in the DNS.",
		"DNS records belong to the owner of the name, not to the service"))
}

// doesNotApply returns a check of what the service never has.
func doesNotApply(section, name, sentence, why string) conform.Check {
	return conform.Check{Section: section, Name: name, Sentence: sentence,
		Run: func(p *conform.Probe) { p.Skip("%s%s", conform.DoesNotApply, why) }}
}

// guarded returns the checks of security headers of pages, and of files that must not
// exist.
func guarded() []conform.Check {
	home := conform.Get(contract.PathHome, "Accept: text/html")
	checks := []conform.Check{
		one("R.security", "content-security-policy", "The home page has a Content-Security-Policy that forbids framing.",
			home, isOK, headerMatches("Content-Security-Policy", "frame-ancestors")),
		one("R.security", "referrer-policy", "The home page has a Referrer-Policy.", home, isOK, headerMatches("Referrer-Policy", ".")),
		one("R.security", "permissions-policy", "The home page has a Permissions-Policy.", home, isOK, headerMatches("Permissions-Policy", ".")),
		one("R.security", "nosniff", "The home page forbids sniffing.", home, isOK, hasHeader("X-Content-Type-Options", "nosniff")),
		one("R.security", "no-careless-cors", "No answer allows all origins with credentials.", home, isOK, lacksHeader("Access-Control-Allow-Credentials")),
		{Section: "R.security", Name: "strict-transport",
			Sentence: "Over https the service sends Strict-Transport-Security for at least a year.",
			Run: func(p *conform.Probe) {
				if !p.IsHTTPS() {
					p.Skip("%sthe target is not https", conform.DoesNotApply)
				}
				p.Send(home, isOK, headerMatches("Strict-Transport-Security", `max-age=(3153\d{4}|[4-9]\d{7,}|\d{9,})`))
			}},
	}
	for _, path := range []string{"/.git/config", "/.env", "/debug/pprof/", "/metrics", "/data/"} {
		checks = append(checks, one("R.security", "nothing-at"+strings.TrimRight(strings.NewReplacer("/", "-", ".", "").Replace(path), "-"), "Private files do not exist.",
			conform.Get(path), statusIs(404)))
	}
	return checks
}

// negotiated checks the type of the home page for an Accept header.
func negotiated(name, sentence, accept, want string) conform.Check {
	return one("R.discovery", "accept-of-"+name, sentence, conform.Get(contract.PathHome, "Accept: "+accept), serves(want))
}
