package checks

import (
	"net/http"
	"net/url"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// origins returns the checks of section 5.7, on every endpoint and with every kind of
// origin.
func origins() []conform.Check {
	var checks []conform.Check
	for _, row := range []struct{ name, section, origin string }{
		{"foreign", "5.7", "https://evil.example"},
		{"foreign-http", "5.7", "http://evil.example"},
		{"file", "5.7", "file://"},
		{"extension", "5.7", "chrome-extension://abcdef"},
		{"prefix", "5.7", "https://evil-{host}"},
		{"suffix", "5.7", "{origin}.evil.example"},
		{"subdomain", "5.7", "{scheme}://a.{host}"},
		{"other-port", "5.7", "{scheme}://{name}:1"},
		{"other-scheme", "5.7", "{other}://{host}"},
		{"user", "5.7", "{origin}@evil.example"},
		{"null", "D.origin", "null"},
		{"empty", "D.origin", ""},
		{"slash", "D.origin", "{origin}/"},
		{"path", "D.origin", "{origin}/page"},
		{"list", "D.origin", "{origin} https://evil.example"},
		{"comma", "D.origin", "{origin}, {origin}"},
		{"word", "D.origin", "evil"},
		{"star", "D.origin", "*"},
	} {
		checks = append(checks, conform.Check{Section: row.section, Name: "origin-" + row.name,
			Sentence: "A browser Origin that the service does not serve is refused with 403 forbidden.",
			Run: func(p *conform.Probe) {
				origin := fillOrigin(p, row.origin)
				p.Send(dryRun("Origin: " + origin)).IsProblem(contract.Forbidden).LacksHeader("Access-Control-Allow-Origin")
			}})
	}
	return append(checks, originsOnPaths()...)
}

func fillOrigin(p *conform.Probe, pattern string) string {
	own, _ := url.Parse(p.OwnOrigin()) // made of a URL
	other := map[string]string{"http": "https", "https": "http"}[own.Scheme]
	return strings.NewReplacer("{origin}", own.String(), "{host}", own.Host, "{name}", own.Hostname(), "{scheme}", own.Scheme, "{other}", other).Replace(pattern)
}

func originsOnPaths() []conform.Check {
	const evil = "Origin: https://evil.example"
	checks := []conform.Check{
		{Section: "5.7", Name: "origin-own",
			Sentence: "Callers use the service's own origin.",
			Run:      func(p *conform.Probe) { preview(p.Send(dryRun("Origin: " + p.OwnOrigin()))) }},
		{Section: "5.7", Name: "origin-own-reads",
			Sentence: "The own origin may read the catalog.",
			Run: func(p *conform.Probe) {
				p.Send(conform.Get(contract.PathCatalog, "Origin: "+p.OwnOrigin())).HasStatus(200)
			}},
		one("5.7", "origin-none", "Callers may send no Origin header.", dryRun(), preview),
		{Section: "5.7", Name: "origin-is-not-compared-with-host",
			Sentence: "An Origin that equals a foreign Host is refused too, because a page may rebind its name (DNS rebinding).",
			Run: func(p *conform.Probe) {
				p.Send(dryRun(evil, "Host: evil.example")).IsProblem(contract.Forbidden)
			}},
		{Section: "D.origin", Name: "origin-twice",
			Sentence: "A repeated Origin header is refused, in either order.",
			Run: func(p *conform.Probe) {
				own := "Origin: " + p.OwnOrigin()
				p.Send(dryRun(own, evil)).IsProblem(contract.Forbidden)
				p.Send(dryRun(evil, own)).IsProblem(contract.Forbidden)
				p.Send(dryRun(own, own)).IsProblem(contract.Forbidden)
			}},
		{Section: "D.origin", Name: "origin-goes-before-the-route",
			Sentence: "A foreign origin is refused before the route is looked for.",
			Run: func(p *conform.Probe) {
				p.Send(conform.Get("/v1/nope", evil)).IsProblem(contract.Forbidden)
				p.Send(conform.Get(contract.PathAsk, evil)).IsProblem(contract.Forbidden)
			}},
		{Section: "D.origin", Name: "origin-goes-before-the-limit", Asks: 2, LoopbackOnly: true,
			Sentence: "A 403 takes no slot.",
			Run: func(p *conform.Probe) {
				p.Send(conform.Request{Method: http.MethodPost, Path: contract.PathAsk, Header: []string{conform.TypeJSON, evil}, Body: questionJSON("x")}).IsProblem(contract.Forbidden)
				p.Send(ask(p.KnownQuestion())).HasStatus(200).HasHeader(contract.HeaderRateLimit, `"ask";r=4`)
			}},
		one("D.origin", "preflight-of-a-foreign-origin", "The preflight of a foreign origin is refused.",
			conform.Request{Method: http.MethodOptions, Path: contract.PathContact, Header: []string{evil, "Access-Control-Request-Method: POST"}},
			func(a *conform.Answer) { a.IsProblem(contract.Forbidden) }),
	}
	for _, r := range []conform.Request{
		conform.Get(contract.PathHealth), conform.Get(contract.PathCatalog), conform.Get(contract.PathCatalogAlias), conform.Get(contract.PathOpenAPI), ask("x"), conform.PostJSON(contract.PathAskAlias, questionJSON("x")),
		feedbackOf(`{"helpful":true,"q":"x"}`), conform.PostJSON(contract.PathContactAlias, dryJSON("")), conform.Get(contract.PathPricing), conform.Get(contract.PathLLMS),
	} {
		r.Header = append(r.Header, evil)
		checks = append(checks, one("5.7", "origin-foreign-at-"+slug(r.Path), "A foreign browser Origin is refused on "+r.Path+".",
			r,
			func(a *conform.Answer) { a.HasStatus(403).LacksHeader("Access-Control-Allow-Origin") }))
	}
	for _, path := range []string{contract.PathAPICatalog, contract.PathServerCard, contract.PathServerCardMCP, contract.PathWorkspaceCard, contract.PathKeyDirectory, contract.PathSkills, contract.PathAICatalog} {
		checks = append(checks, one("D.origin", "open-to-all-"+slug(path), "The discovery document "+path+" is open to pages of any origin.",
			conform.Get(path, evil),
			func(a *conform.Answer) { a.HasStatus(200).HasHeader("Access-Control-Allow-Origin", "*") }))
	}
	return checks
}
