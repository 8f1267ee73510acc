package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"frontdesk/conform"
)

// Readiness returns what agent-readiness scanners and checks of agent-friendly
// documentation look for, as checks without the internet. A check of a feature that the
// service does not have is skipped with the reason why it does not apply.
func Readiness() []conform.Check {
	l := newList()
	for _, check := range Contract() {
		if slices.Contains([]string{"api-catalog-is-published", "key-directory-is-published", "server-card-is-published",
			"openapi-is-3.1.0", "catalog-has-its-fields", "resources-are-listed", "page-as-markdown-home", "page-is-locked-home",
			"every-answer-forbids-sniffing", "no-cookie-is-ever-set", "404-as-a-page"}, check.Name) {
			l.checks = append(l.checks, check)
		}
	}
	return l.collect(discoverable, discovered, absent, documentation, guarded)
}

// crawlers are the names that scanners expect in robots.txt.
var crawlers = []string{"GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-Web", "Claude-SearchBot",
	"Google-Extended", "Amazonbot",
	"anthropic-ai", "Bytespider", "CCBot", "Applebot-Extended", "PerplexityBot"}

var homePage = html("/")

// discoverable adds the checks of what leads a crawler to the documents.
func discoverable(l *list) {
	robots := get("/robots.txt")
	l.one("R.discovery", "robots-txt", "robots.txt is plain text with a User-agent line, and names the agent catalog.",
		robots, serves("text/plain", "User-agent:", "Agentmap:"))
	l.one("R.discovery", "robots-names-ai-crawlers", "robots.txt has rules that name the crawlers of AI services.", robots,
		isOK, each(crawlers, func(a *answer, name string) bool {
			return !strings.Contains(string(a.Body), "User-agent: "+name+"\n")
		}, "a rule of %s"))
	l.one("R.discovery", "content-signals",
		"The Content-Signal lines of robots.txt, which an owner may leave out, are well formed.", robots, isOK,
		failsIf(func(a *answer) bool {
			return strings.Contains(string(a.Body), "\nContent-Signal:") &&
				!regexp.MustCompile(`(?m)^Content-Signal: [a-z-]+=(yes|no)(, ?[a-z-]+=(yes|no))*$`).Match(a.Body)
		}, "signals such as search=yes, ai-train=no"))
	l.several("R.discovery", "sitemap", "The Sitemap line of robots.txt leads to a sitemap that lists pages.",
		send(robots, isOK, func(a *answer) { contains("Sitemap: " + a.Probe.BaseURL + "/sitemap.xml")(a) }),
		send(get("/sitemap.xml"), isOK, hasType("text/xml", "application/xml"), func(a *answer) {
			contains("<loc>" + a.Probe.BaseURL)(a)
		}))
	l.one("R.discovery", "link-headers",
		"The home page has Link headers that agents use: api-catalog, service-desc, service-doc, describedby.", get("/"),
		isOK, headerMatches("Link", `rel="api-catalog"`), headerMatches("Link", `rel="service-desc"`),
		headerMatches("Link", `rel="service-doc"`), headerMatches("Link", `rel="describedby"`))
	for _, row := range []struct{ name, sentence, accept string }{
		{"accept-of-claude-code", "Accept: text/markdown, text/html, */* gets Markdown: of equal quality the first named " +
			"type wins.", "text/markdown, text/html, */*"},
		{"accept-of-markdown-or-anything", "Accept: text/markdown, */* gets Markdown: a named type beats a wildcard.",
			"text/markdown, */*"},
	} {
		l.one("R.discovery", row.name, row.sentence, get("/", "Accept: "+row.accept), serves("text/markdown"))
	}
	l.several("R.discovery", "json-ld", "The home page describes itself in JSON-LD, and forms are tools for a browser's "+
		"agent (WebMCP).", send(homePage, isOK, contains("application/ld+json")),
		send(html("/ask"), isOK, contains("toolname=", "tooldescription=")))
}

// discovered adds the checks of the documents and catalogs that scanners fetch.
func discovered(l *list) {
	l.one("R.discovery", "auth-md", "auth.md names its audience, how to register, the methods and the use of credentials.",
		get("/auth.md", "Accept: text/markdown, text/plain, */*"), serves("text/markdown", "auth.md", "claim_uri"),
		each([]string{"agent", "regist", "method", "anonymous", "credential"}, func(a *answer, word string) bool {
			return !strings.Contains(strings.ToLower(string(a.Body)), word)
		}, "the word %s"))
	l.one("R.discovery", "security-txt", "security.txt has a contact and an end (RFC 9116).",
		get("/.well-known/security.txt"), serves("text/plain", "Contact:", "Expires:"))
	l.one("R.discovery", "agent-skills", "The index of skills has its schema, and each skill the bytes of its digest.",
		get("/.well-known/agent-skills/index.json"), isOK,
		hasMember("$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json"), skills)
	l.several("R.discovery", "ai-catalog",
		"The AI catalog, also at ard.json, has entries with urn:air identifiers, types and two to five questions.",
		send(get("/.well-known/ai-catalog.json"), catalogEntries), send(get("/.well-known/ard.json"), catalogEntries))
	l.one("R.discovery", "mcp-tools-are-documented",
		"The MCP tools have snake_case names, descriptions of at least 60 characters and hints.", toolsList, isOK,
		noneOf("result.tools", func(tool any) bool {
			return !snakeCase.MatchString(textAt(tool, "name")) || len(textAt(tool, "description")) < 60 ||
				lookup(tool, "annotations.readOnlyHint") == nil
		}, "tools with such names, descriptions and hints"))
}

// skills expects that each skill of the index has its digest.
func skills(index *answer) {
	for _, skill := range index.List("skills") {
		document := index.Probe.Send(get(strings.TrimPrefix(textAt(skill, "url"), index.Probe.BaseURL)), isOK)
		sum := sha256.Sum256(document.Body)
		if lookup(skill, "digest") != "sha256:"+hex.EncodeToString(sum[:]) {
			document.Fail("the bytes of the digest %v", lookup(skill, "digest"))
		}
	}
}

var snakeCase = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

var catalogEntries = all(serves("application/json"), hasHeader("Access-Control-Allow-Origin", "*"),
	hasTexts("specVersion"), noneOf("entries", func(entry any) bool {
		has := func(member string) bool { return lookup(entry, member) != nil }
		questions, _ := lookup(entry, "representativeQueries").([]any)
		return !strings.HasPrefix(textAt(entry, "identifier"), "urn:air:") || has("url") == has("data") ||
			!has("displayName") || !has("type") || len(questions) < 2 || len(questions) > 5
	}, "entries with an identifier, a name, a type, either url or data, and two to five questions"))

// absent adds the checks that there are no documents of missing features.
func absent(l *list) {
	for _, row := range []struct{ name, path, why string }{
		{"oauth-discovery", "/.well-known/oauth-authorization-server", "the service is anonymous"},
		{"oauth-protected-resource", "/.well-known/oauth-protected-resource", "nothing is protected"},
		{"a2a-agent-card", "/.well-known/agent-card.json", "the interface of the service for agents is MCP"},
		{"commerce", "/.well-known/ucp", "nothing is sold here"},
	} {
		l.one("R.absent", row.name, "There is no document of a feature that the service does not have.",
			get(row.path), statusIs(404), func(a *answer) { a.Probe.Skip("does not apply, because %s", row.why) })
	}
}

// guarded adds the checks of security headers of pages, and of files that must not exist.
func guarded(l *list) {
	l.one("R.security", "permissions-policy", "The home page has a Referrer-Policy and a Permissions-Policy.", homePage,
		isOK, headerMatches("Referrer-Policy", "."), headerMatches("Permissions-Policy", "."))
	l.run("R.security", "strict-transport", "Over https the service sends Strict-Transport-Security for at least a year.",
		func(p *probe) {
			if !strings.HasPrefix(strings.ToLower(p.Options.URL), "https:") {
				p.Skip("does not apply, because the target is not https")
			}
			p.Send(homePage, isOK, headerMatches("Strict-Transport-Security", `max-age=(3153\d{4}|[4-9]\d{7,}|\d{9,})`))
		})
	for _, path := range []string{"/.env", "/debug/pprof/", "/metrics"} {
		l.one("R.security", "nothing-at-"+slug(path), "Private files do not exist.", get(path), statusIs(404))
	}
}
