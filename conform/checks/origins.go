package checks

import (
	"net/http"

	"frontdesk/conform"
	"frontdesk/contract"
)

// origins adds the checks of section 5.7, on every endpoint and with every kind of origin.
func origins(l *list) {
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
		l.one(row.section, "origin-"+row.name, "A browser Origin that the service does not serve is refused with 403 forbidden.",
			dryRun("Origin: "+row.origin), forbidden, lacksHeader("Access-Control-Allow-Origin"))
	}
	const evil, own = "Origin: https://evil.example", "Origin: {origin}"
	l.one("5.7", "origin-own", "Callers use the service's own origin.", dryRun(own), preview)
	l.one("5.7", "origin-own-reads", "The own origin may read the catalog.", conform.Get(contract.PathCatalog, own), isOK)
	l.one("5.7", "origin-none", "Callers may send no Origin header.", dryRun(), preview)
	l.one("5.7", "origin-is-not-compared-with-host", "An Origin that equals a foreign Host is refused too, because a page may rebind its name (DNS rebinding).",
		dryRun(evil, "Host: evil.example"), forbidden)
	l.several("D.origin", "origin-twice", "A repeated Origin header is refused, in either order.",
		send(dryRun(own, evil), forbidden), send(dryRun(evil, own), forbidden), send(dryRun(own, own), forbidden))
	l.several("D.origin", "origin-goes-before-the-route", "A foreign origin is refused before the route is looked for.",
		send(conform.Get("/v1/nope", evil), forbidden), send(conform.Get(contract.PathAsk, evil), forbidden))
	l.several("D.origin", "origin-goes-before-the-limit", "A 403 takes no slot.",
		send(ask("x", evil), forbidden), send(ask(known), isOK, left("ask", 4))).LoopbackOnly = true
	l.one("D.origin", "preflight-of-a-foreign-origin", "The preflight of a foreign origin is refused.",
		conform.Request{Method: http.MethodOptions, Path: contract.PathContact, Header: []string{evil, "Access-Control-Request-Method: POST"}}, forbidden)
	for _, r := range []conform.Request{
		health, catalog, conform.Get(contract.PathCatalogAlias), openAPI, ask("x"), askAgain("x"),
		helpful, conform.PostJSON(contract.PathContactAlias, dryJSON("")), conform.Get(contract.PathPricing), conform.Get(contract.PathLLMS),
	} {
		r.Header = append(r.Header[:len(r.Header):len(r.Header)], evil)
		l.one("5.7", "origin-foreign-at-"+slug(r.Path), "A foreign browser Origin is refused on "+r.Path+".",
			r, statusIs(403), lacksHeader("Access-Control-Allow-Origin"))
	}
	for _, path := range []string{contract.PathAPICatalog, contract.PathServerCard, contract.PathServerCardMCP, contract.PathWorkspaceCard, contract.PathKeyDirectory, contract.PathSkills, contract.PathAICatalog} {
		l.one("D.origin", "open-to-all-"+slug(path), "The discovery document "+path+" is open to pages of any origin.",
			conform.Get(path, evil), isOK, hasHeader("Access-Control-Allow-Origin", "*"))
	}
}
