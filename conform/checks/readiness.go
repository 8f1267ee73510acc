package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// Readiness returns what agent-readiness scanners and checks of agent-friendly
// documentation look for, as checks without the internet. A check of a feature that the
// service does not have is skipped with the reason why it does not apply.
func Readiness() []conform.Check {
	return collect(discoverable, discovered, absent, documentation, guarded)
}

// crawlers are the names that scanners expect in robots.txt.
var crawlers = []string{"GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-Web", "Claude-SearchBot",
	"Google-Extended", "Amazonbot",
	"anthropic-ai", "Bytespider", "CCBot", "Applebot-Extended", "PerplexityBot"}

var homePage = conform.Get(contract.PathHome, "Accept: text/html")

// discoverable adds the checks of what leads a crawler to the documents.
func discoverable(l *list) {
	robots := conform.Get(contract.PathRobots)
	l.one("R.discovery", "robots-txt", "robots.txt is plain text with a User-agent line.", robots,
		serves(contract.TypeText, "User-agent:"))
	l.one("R.discovery", "robots-names-ai-crawlers", "robots.txt has rules that name the crawlers of AI services.", robots,
		isOK, func(a *conform.Answer) {
			for _, name := range crawlers {
				contains("User-agent: " + name + "\n")(a)
			}
		})
	l.one("R.discovery", "content-signals",
		"The Content-Signal lines of robots.txt, which an owner may leave out, are well formed.", robots, isOK,
		failsIf(func(a *conform.Answer) bool {
			return regexp.MustCompile(`(?m)^Content-Signal:`).Match(a.Body) &&
				!regexp.MustCompile(`(?m)^Content-Signal: [a-z-]+=(yes|no)(, ?[a-z-]+=(yes|no))*$`).Match(a.Body)
		}, "signals such as search=yes, ai-train=no"))
	l.one("R.discovery", "agentmap", "robots.txt names the agent catalog with Agentmap.", robots, isOK,
		contains("Agentmap:"))
	l.several("R.discovery", "sitemap", "The Sitemap line of robots.txt leads to a sitemap that lists pages.",
		send(robots, isOK, func(a *conform.Answer) { contains("Sitemap: " + a.Probe.BaseURL + contract.PathSitemap)(a) }),
		send(conform.Get(contract.PathSitemap), isOK, hasType(contract.TypeXML, "application/xml"), func(a *conform.Answer) {
			contains("<loc>" + a.Probe.BaseURL)(a)
		}))
	l.one("R.discovery", "link-headers",
		"The home page has Link headers that agents use: api-catalog, service-desc, service-doc, describedby.",
		conform.Get(contract.PathHome), isOK, headerMatches("Link", `rel="api-catalog"`),
		headerMatches("Link", `rel="service-desc"`),
		headerMatches("Link", `rel="service-doc"`), headerMatches("Link", `rel="describedby"`))
	for _, row := range []struct{ name, sentence, accept, want string }{
		{"accept-of-claude-code", "Accept: text/markdown, text/html, */* gets Markdown: of equal quality the first named " +
			"type wins.", "text/markdown, text/html, */*", contract.TypeMarkdown},
		{"accept-of-markdown-or-anything", "Accept: text/markdown, */* gets Markdown: a named type beats a wildcard.",
			"text/markdown, */*", contract.TypeMarkdown},
		{"accept-of-browser", "A browser's Accept gets HTML.",
			"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", contract.TypeHTML},
		{"markdown-negotiation", "The home page is Markdown for Accept: text/markdown.", "text/markdown",
			contract.TypeMarkdown},
	} {
		l.one("R.discovery", row.name, row.sentence, conform.Get(contract.PathHome, "Accept: "+row.accept), serves(row.want))
	}
	l.one("R.discovery", "json-ld", "The home page describes itself in JSON-LD.", homePage, isOK,
		contains("application/ld+json"))
	l.one("R.discovery", "form-tools",
		"The forms of the pages are tools for a browser's agent (WebMCP): toolname and tooldescription.",
		conform.Get(contract.PathAskPage, "Accept: text/html"), isOK, contains("toolname=", "tooldescription="))
}

// discovered adds the checks of the documents and catalogs that scanners fetch.
func discovered(l *list) {
	l.one("R.discovery", "api-catalog", "The API catalog is a linkset that is not empty.",
		conform.Get(contract.PathAPICatalog, "Accept: application/linkset+json, application/json"), isLinkset)
	l.one("R.discovery", "web-bot-auth", "The key directory has keys.", keyDirectory, isOK, hasItems("keys", 1))
	l.one("R.discovery", "auth-md", "auth.md names its audience, how to register, the methods and the use of credentials.",
		conform.Get(contract.PathAuthGuide, "Accept: text/markdown, text/plain, */*"),
		serves(contract.TypeMarkdown, "claim_uri"), bodyMatches(`(?m)^# .*auth\.md`),
		bodyMatches("(?i)agent"), bodyMatches("(?i)regist"), bodyMatches("(?i)method"), bodyMatches("(?i)anonymous"),
		bodyMatches("(?i)credential"))
	l.one("R.discovery", "mcp-server-card", "The MCP server card names server, version, transport and capabilities.",
		conform.Get(contract.PathServerCard), isOK, hasTexts("serverInfo.name", "serverInfo.version"), hasItems("remotes", 1),
		failsIf(func(a *conform.Answer) bool {
			return a.JSON()["capabilities"] == nil
		}, "the member capabilities"))
	l.one("R.discovery", "mcp-server-card-short", "The same card is at /.well-known/mcp.json.",
		conform.Get(contract.PathServerCardShort), isOK, hasTexts("serverInfo.name"))
	l.one("R.discovery", "agents-json", "/agents.json is JSON that is not empty.", conform.Get(contract.PathCatalogAlias),
		isOK, hasTexts("name"))
	l.one("R.discovery", "openapi", "The OpenAPI description is version 3.", openAPI, isOK,
		memberMatches("openapi", `^3\.`))
	l.one("R.discovery", "security-txt", "security.txt has a contact and an end (RFC 9116).",
		conform.Get(contract.PathSecurity), serves(contract.TypeText, "Contact:", "Expires:"))
	l.one("R.discovery", "agent-skills", "The index of skills has its schema, and each skill the bytes of its digest.",
		conform.Get(contract.PathSkills), isOK,
		hasMember("$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json"), skills)
	l.one("R.discovery", "ai-catalog",
		"The AI catalog has entries with urn:air identifiers, types and two to five questions.",
		conform.Get(contract.PathAICatalog), catalogEntries)
	l.one("R.discovery", "ard", "The AI catalog is at /.well-known/ard.json too.", conform.Get(contract.PathARD),
		catalogEntries)
	l.one("R.discovery", "mcp-tools-are-told",
		"The MCP tools have snake_case names, descriptions of at least 60 characters and hints.", toolsList, isOK,
		noneOf("result.tools", func(tool any) bool {
			return !snakeCase.MatchString(textAt(tool, "name")) || len(textAt(tool, "description")) < 60 ||
				conform.Lookup(tool, "annotations.readOnlyHint") == nil
		}, "tools with such names, descriptions and hints"))
	l.one("R.discovery", "mcp-resources", "The MCP server has at least three resources.",
		rpc("resources/list", ""), isOK, hasItems("result.resources", 3))
}

// skills expects that each skill of the index has its digest.
func skills(index *conform.Answer) {
	for _, skill := range index.List("skills") {
		document := index.Probe.Send(conform.Get(strings.TrimPrefix(textAt(skill, "url"), index.Probe.BaseURL)), isOK)
		sum := sha256.Sum256(document.Body)
		if conform.Lookup(skill, "digest") != "sha256:"+hex.EncodeToString(sum[:]) {
			document.Fail("the bytes of the digest %v", conform.Lookup(skill, "digest"))
		}
	}
}

var snakeCase = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

var catalogEntries = all(serves(contract.TypeJSON), hasHeader("Access-Control-Allow-Origin", "*"),
	hasTexts("specVersion"), noneOf("entries", func(entry any) bool {
		has := func(member string) bool { return conform.Lookup(entry, member) != nil }
		questions, _ := conform.Lookup(entry, "representativeQueries").([]any)
		return !strings.HasPrefix(textAt(entry, "identifier"), "urn:air:") || has("url") == has("data") ||
			!has("displayName") || !has("type") || len(questions) < 2 || len(questions) > 5
	}, "entries with an identifier, a name, a type, either url or data, and two to five questions"))

// absent adds the checks that there are no documents of missing features.
func absent(l *list) {
	for _, row := range []struct{ name, path, why string }{
		{"oauth-discovery", "/.well-known/oauth-authorization-server",
			"the service is anonymous: there is no authorization server to describe"},
		{"openid-configuration", "/.well-known/openid-configuration", "the service is anonymous: there is no login"},
		{"oauth-protected-resource", "/.well-known/oauth-protected-resource", "nothing is protected: every endpoint is open"},
		{"a2a-agent-card", "/.well-known/agent-card.json",
			"the service is not an A2A agent: its interface for agents is MCP"},
		{"commerce", "/.well-known/ucp", "nothing is sold here: the service takes no orders and no payments"},
		{"agent-permissions", "/.well-known/agent-permissions.json", "what an agent may do is in auth.md and robots.txt"},
	} {
		l.one("R.absent", row.name, "There is no document of a feature that the service does not have.",
			conform.Get(row.path), statusIs(404), func(a *conform.Answer) { doesNotApply(a.Probe, row.why) })
	}
	l.run("R.absent", "dns-aid", "Agents may be announced in the DNS.", func(p *conform.Probe) {
		doesNotApply(p, "DNS records belong to the owner of the name, not to the service")
	})
}

// doesNotApply skips a check of what the service does not have.
func doesNotApply(p *conform.Probe, why string) { p.Skip("does not apply, because %s", why) }

// guarded adds the checks of security headers of pages, and of files that must not exist.
func guarded(l *list) {
	l.one("R.security", "content-security-policy", "The home page has a Content-Security-Policy that forbids framing.",
		homePage, isOK, headerMatches("Content-Security-Policy", "frame-ancestors"))
	l.one("R.security", "referrer-policy", "The home page has a Referrer-Policy.", homePage, isOK,
		headerMatches("Referrer-Policy", "."))
	l.one("R.security", "permissions-policy", "The home page has a Permissions-Policy.", homePage, isOK,
		headerMatches("Permissions-Policy", "."))
	l.one("R.security", "nosniff", "The home page forbids sniffing.", homePage, isOK,
		hasHeader("X-Content-Type-Options", "nosniff"))
	l.one("R.security", "no-careless-cors", "No answer allows all origins with credentials.", homePage, isOK,
		lacksHeader("Access-Control-Allow-Credentials"))
	l.run("R.security", "strict-transport", "Over https the service sends Strict-Transport-Security for at least a year.",
		func(p *conform.Probe) {
			if !strings.HasPrefix(strings.ToLower(p.Options.URL), "https:") {
				doesNotApply(p, "the target is not https")
			}
			p.Send(homePage, isOK, headerMatches("Strict-Transport-Security", `max-age=(3153\d{4}|[4-9]\d{7,}|\d{9,})`))
		})
	for _, row := range []struct{ name, path string }{{"git-config", "/.git/config"}, {"env", "/.env"},
		{"debug-pprof", "/debug/pprof/"}, {"metrics", "/metrics"}, {"data", "/data/"}} {
		l.one("R.security", "nothing-at-"+row.name, "Private files do not exist.", conform.Get(row.path), statusIs(404))
	}
}
