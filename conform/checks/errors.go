package checks

import (
	"net/http"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// failures adds the checks of the errors of section 7 that can be caused from outside, and
// of the order of refusals.
func failures(l *list) {
	nope, badAddress := conform.Get("/v1/nope"), contact(dryWith("email", `"x"`))
	l.one("7", "invalid-request", "400 invalid_request: the body failed validation, and detail names the field.",
		badAddress, refused("email"))
	l.one("7", "not-found-v1", "404 not_found: no endpoint at the path.", nope, notFound)
	l.one("7", "not-found-api", "404 not_found: no endpoint at the path.", conform.Get("/api/nope"), notFound)
	l.one("7", "problem-keeps-ok-and-error", "The older fields ok and error remain: false, and the text of detail.",
		nope, notFound, hasMember("ok", false), func(a *conform.Answer) { hasMember("error", a.Text("detail"))(a) })
	l.one("D.problem", "errors-are-not-stored", "An error is not stored by caches.", nope, notFound,
		hasHeader("Cache-Control", "no-store"))
	l.one("D.problem", "type-is-of-the-base-address",
		"The type of an error is under the base address, not under the Host of the request.",
		conform.Get("/v1/nope", "Host: evil.example", "X-Forwarded-Host: evil.example"), notFound, omits("evil.example"))
	l.one("D.problem", "errors-repeat-no-markup", "An error repeats nothing of the request that a browser could run.",
		conform.Get("/v1/%3Cscript%3Ealert(1)%3C/script%3E"), notFound, omits("<script"))
	l.one("D.problem", "errors-show-nothing-inside",
		"An error has the members of a problem record and reveals nothing internal.", badAddress, refused(),
		hasOnly("type", "title", "status", "detail", "code", "hint", "ok", "error", "errors"))
	l.several("7", "type-resolves", "The type of an error is a URL of the developer page, which explains the code.",
		send(nope, hasTexts("type")),
		send(conform.Get(contract.PathDevelopers, "Accept: text/html"), isOK, func(a *conform.Answer) {
			_, anchor, _ := strings.Cut(a.Probe.FirstAnswer.Text("type"), "#")
			contains(`id="` + anchor + `"`)(a)
		}))
	l.one("D.rules", "404-as-a-page", "404 outside /api and /v1 is HTML when Accept names it.",
		conform.Get("/nope", "Accept: text/html"), answers(404, contract.TypeHTML))
	l.one("D.rules", "404-as-markdown", "404 outside /api and /v1 is Markdown when Accept names it.",
		conform.Get("/nope", "Accept: text/markdown"), answers(404, contract.TypeMarkdown))
	l.one("D.rules", "404-as-a-record", "404 outside /api and /v1 is a problem record otherwise.", conform.Get("/nope"),
		notFound)
	methods(l)
	paths(l)

	l.one("D.rules", "method-goes-before-the-cap", "405 goes before 413.",
		conform.Request{Method: http.MethodPut, Path: contract.PathContact, Body: strings.Repeat("x", 9000)},
		isProblem(contract.MethodNotAllowed))
	l.one("D.rules", "cap-goes-before-validation", "413 goes before 400: a body over its cap is not read.",
		contact(strings.Repeat("{", 9000)), tooLarge)
	l.several("D.rules", "cap-goes-before-the-limit", "A 413 takes no slot.",
		send(ask(strings.Repeat("x", 3000)), tooLarge), send(ask(known), isOK, left("ask", 4))).LoopbackOnly = true
	l.several("D.rules", "invalid-ask-takes-a-slot", "An invalid ask takes a slot.",
		send(ask(""), refused(), left("ask", 4)), send(ask(known), isOK, left("ask", 3))).LoopbackOnly = true
	l.one("D.rules", "policy-goes-before-the-cap",
		"The policy's headers are on every answer of an ask route from the route on, 413 included.",
		ask(strings.Repeat("x", 3000)), tooLarge, hasAskPolicy)
}

// methods adds checks of methods that a path does not have.
func methods(l *list) {
	for _, row := range []struct{ path, works string }{
		{contract.PathHealth, "GET, HEAD"}, {contract.PathCatalog, "GET, HEAD"}, {contract.PathCatalogAlias, "GET, HEAD"},
		{contract.PathOpenAPI, "GET, HEAD"},
		{contract.PathAsk, "POST"}, {contract.PathAskAlias, "POST"}, {contract.PathFeedback, "POST"},
		{contract.PathContact, "POST"}, {contract.PathContactAlias, "POST"}, {contract.PathMCP, "POST"},
		{contract.PathWorkspaceMCP, "POST"},
		{contract.PathPricing, "GET, HEAD"}, {contract.PathKeyDirectory, "GET, HEAD"},
		{contract.PathAskPage, "GET, HEAD, POST"},
	} {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
			if strings.Contains(row.works, method) {
				continue
			}
			l.one("7", strings.ToLower(method)+"-at-"+slug(row.path),
				"405 method_not_allowed: the path exists but not for the method; Allow lists the working methods.",
				conform.Request{Method: method, Path: row.path}, isProblem(contract.MethodNotAllowed), omits(method+" "+row.path),
				func(a *conform.Answer) {
					given := strings.FieldsFunc(a.HeaderValue("Allow"), func(r rune) bool { return r == ',' || r == ' ' })
					if slices.Sort(given); strings.Join(given, ", ") != row.works {
						a.Fail("the header Allow: %s", row.works)
					}
				})
		}
	}
	l.one("D.rules", "unknown-method-on-unknown-path", "An unknown method on an unknown path is 404.",
		conform.Request{Method: "BREW", Path: "/v1/nope"}, notFound)
	l.one("D.rules", "no-method-override", "A header does not change the method.",
		conform.Get(contract.PathContact, "X-HTTP-Method-Override: POST"), isProblem(contract.MethodNotAllowed))
}

// paths adds checks of paths that are similar to existing ones.
func paths(l *list) {
	for _, row := range []struct{ section, name, path string }{
		{"7", "encoded-slash", "/v1%2Fhealth"}, {"7", "parameter", "/v1/health;jsessionid=1"}, {"7", "case", "/V1/health"},
		{"7", "upper-end", "/v1/HEALTH"}, {"7", "root", "/v1"}, {"7", "encoded-dots", "/v1/%2e%2e/%2e%2e/etc/passwd"},
		{"7", "longer", "/v1/health/x"}, {"7", "encoded-nul", "/v1/health%00"}, {"7", "encoded-line", "/v1/health%0d%0aX:y"},
		{"D.rules", "trailing-slash", "/v1/health/"}, {"D.rules", "double-slash", "/v1//health"},
		{"D.rules", "leading-slashes", "//v1/health"},
		{"D.rules", "dots", "/v1/../v1/health"}, {"D.rules", "dot", "/v1/./health"},
		{"D.rules", "escaped-letter", "/v1/%68ealth"},
		{"D.rules", "contact-slash", "/v1/contact/"}, {"D.rules", "page-two-slashes", "/pricing//"},
		{"D.rules", "document-slash", "/openapi.json/"}, {"D.rules", "asset-slash", "/favicon.ico/"},
		{"D.rules", "well-known-slash", "/.well-known/api-catalog/"}, {"D.rules", "mcp-slash", "/mcp/"},
		{"D.rules", "page-case", "/Pricing"}, {"7", "alias-longer", "/agents.json/x"},
	} {
		l.one(row.section, "path-"+row.name, "Only the exact paths of the contract exist: "+row.path+" has no endpoint.",
			conform.Get(row.path), statusIs(404), lacksHeader("Location"))
	}
	l.one("D.rules", "path-page-slash", "A page's path with one slash leads to the page: 308.",
		conform.Get(contract.PathPricing+"/?x=1"), statusIs(308), hasHeader("Location", contract.PathPricing))
	l.one("7", "path-with-a-query", "A query string does not change the path.", conform.Get(contract.PathHealth+"?x=1"),
		isOK)
}
