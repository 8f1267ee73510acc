package conform

import (
	"net/http"
	"net/url"
	"strings"

	"frontdesk/contract"
)

// ownOrigin is the origin of the service's base address.
func (p *probe) ownOrigin() string {
	base, err := url.Parse(p.base())
	if err != nil {
		p.expected("a base address that is a URL", p.base())
	}
	return base.Scheme + "://" + base.Host
}

// origins are the sentences of section 5.7, on every face and every trap.
func origins() []Check {
	var checks []Check
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
		checks = append(checks, Check{Section: row.section, Name: "origin-" + row.name,
			Says: "A browser Origin that the service does not serve is refused with 403 forbidden.",
			Run: func(p *probe) {
				origin := p.fillOrigin(row.origin)
				p.send(dryRun("Origin: " + origin)).problem(contract.Forbidden).lacks("Access-Control-Allow-Origin")
			}})
	}
	return append(checks, originsOnPaths()...)
}

func (p *probe) fillOrigin(pattern string) string {
	own, _ := url.Parse(p.ownOrigin()) // made of a URL
	other := map[string]string{"http": "https", "https": "http"}[own.Scheme]
	return strings.NewReplacer("{origin}", own.String(), "{host}", own.Host, "{name}", own.Hostname(), "{scheme}", own.Scheme, "{other}", other).Replace(pattern)
}

func originsOnPaths() []Check {
	const evil = "Origin: https://evil.example"
	checks := []Check{
		{Section: "5.7", Name: "origin-own",
			Says: "Callers use the service's own origin.",
			Run:  func(p *probe) { preview(p.send(dryRun("Origin: " + p.ownOrigin()))) }},
		{Section: "5.7", Name: "origin-own-reads",
			Says: "The own origin may read the catalog.",
			Run:  func(p *probe) { p.send(get(contract.PathCatalog, "Origin: "+p.ownOrigin())).is(200) }},
		one("5.7", "origin-none", "Callers may send no Origin header.", dryRun(), preview),
		{Section: "5.7", Name: "origin-is-not-compared-with-host",
			Says: "An Origin that equals a foreign Host is refused all the same: a page may rebind its name.",
			Run: func(p *probe) {
				p.send(dryRun(evil, "Host: evil.example")).problem(contract.Forbidden)
			}},
		{Section: "D.origin", Name: "origin-twice",
			Says: "A repeated Origin header is refused, in either order.",
			Run: func(p *probe) {
				own := "Origin: " + p.ownOrigin()
				p.send(dryRun(own, evil)).problem(contract.Forbidden)
				p.send(dryRun(evil, own)).problem(contract.Forbidden)
				p.send(dryRun(own, own)).problem(contract.Forbidden)
			}},
		{Section: "D.origin", Name: "origin-goes-before-the-route",
			Says: "A foreign origin is refused before the route is looked for.",
			Run: func(p *probe) {
				p.send(get("/v1/nope", evil)).problem(contract.Forbidden)
				p.send(get(contract.PathAsk, evil)).problem(contract.Forbidden)
			}},
		{Section: "D.origin", Name: "origin-goes-before-the-limit", Asks: 2, Rude: true,
			Says: "A 403 takes no slot.",
			Run: func(p *probe) {
				p.send(request{method: http.MethodPost, path: contract.PathAsk, header: []string{typeJSON, evil}, body: questionJSON("x")}).problem(contract.Forbidden)
				p.send(ask(p.question())).is(200).has(contract.HeaderRateLimit, `"ask";r=4`)
			}},
		one("D.origin", "preflight-of-a-foreign-origin", "The preflight of a foreign origin is refused.",
			request{method: http.MethodOptions, path: contract.PathContact, header: []string{evil, "Access-Control-Request-Method: POST"}},
			func(a *answer) { a.problem(contract.Forbidden) }),
	}
	for _, r := range []request{
		get(contract.PathHealth), get(contract.PathCatalog), get(contract.PathCatalogAlias), get(contract.PathOpenAPI), ask("x"), postJSON(contract.PathAskAlias, questionJSON("x")),
		feedbackOf(`{"helpful":true,"q":"x"}`), postJSON(contract.PathContactAlias, dryJSON("")), get(contract.PathPricing), get(contract.PathLLMS),
	} {
		r.header = append(r.header, evil)
		checks = append(checks, one("5.7", "origin-foreign-at-"+slug(r.path), "A foreign browser Origin is refused on "+r.path+".",
			r,
			func(a *answer) { a.is(403).lacks("Access-Control-Allow-Origin") }))
	}
	for _, path := range []string{contract.PathAPICatalog, contract.PathServerCard, contract.PathServerCardMCP, contract.PathKeyDirectory, contract.PathSkills, contract.PathAICatalog} {
		checks = append(checks, one("D.origin", "open-to-all-"+slug(path), "The discovery document "+path+" is open to pages of any origin.",
			get(path, evil),
			func(a *answer) { a.is(200).has("Access-Control-Allow-Origin", "*") }))
	}
	return checks
}
