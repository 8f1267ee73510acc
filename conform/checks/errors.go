package checks

import (
	"slices"
	"strings"

	"frontdesk/contract"
)

// failures adds the checks of the errors of section 7 that can be caused from outside, and
// of the order of refusals.
func failures(l *list) {
	nope, badAddress := get("/v1/nope"), contact(dryWith("email", `"x"`))
	l.one("7", "invalid-request", "400 invalid_request: the body failed validation, and detail names the field.",
		badAddress, refused("email"))
	l.one("7", "not-found-v1", "404 not_found: no endpoint at the path.", nope, notFound)
	l.one("7", "problem-keeps-ok-and-error", "The older fields ok and error remain: false, and the text of detail.",
		nope, notFound, hasMember("ok", false), func(a *answer) { hasMember("error", a.Text("detail"))(a) })
	l.one("D.problem", "errors-are-not-stored", "An error is not stored by caches.", nope, notFound,
		hasHeader("Cache-Control", "no-store"))
	l.one("D.problem", "type-is-of-the-base-address",
		"The type of an error is under the base address, not under the Host of the request.",
		get("/v1/nope", "Host: evil.example", "X-Forwarded-Host: evil.example"), notFound, omits("evil.example"))
	l.one("D.problem", "errors-repeat-no-markup", "An error repeats nothing of the request that a browser could run.",
		get("/v1/%3Cscript%3Ealert(1)%3C/script%3E"), notFound, omits("<script"))
	l.one("D.problem", "errors-show-nothing-inside",
		"An error has the members of a problem record and reveals nothing internal.", badAddress, refused(),
		hasOnly("type", "title", "status", "detail", "code", "hint", "ok", "error", "errors", "request_id"))
	const id = "X-Request-Id: conform-1"
	l.several("D.problem", "errors-list-each-field",
		"errors lists every failing field with its message, also a single one; without a failing field it is absent.",
		send(badAddress, refused("email"), hasItems("errors", 1), hasMember("errors.0.field", "email"),
			hasTexts("errors.0.message")),
		send(nope, notFound, hasMember("errors", nil)))
	l.several("D.problem", "errors-name-the-request", "request_id of a problem record is the X-Request-Id of the answer.",
		send(get("/v1/nope", id), notFound, hasMember("request_id", "conform-1")),
		send(get("/v1/nope", id, "Origin: https://evil.example"), forbidden, hasMember("request_id", "conform-1")),
		send(post("/mcp", "[]", id), refused(), hasMember("request_id", "conform-1"),
			hasMember("error.data.request_id", "conform-1")))
	l.one("D.mcp", "mcp-errors-name-the-request", "error.data.request_id of a JSON-RPC error is the X-Request-Id.",
		post("/mcp", message("nope", ""), acceptBoth, id), isOK, hasMember("error.data.request_id", "conform-1"))
	for _, row := range []struct{ name, path, nearest string }{
		{"slash", "/v1/catalog/", "/v1/catalog"}, {"case", "/V1/catalog", "/v1/catalog"},
		{"prefix", "/catalog", "/v1/catalog"}, {"word", "/v1/services", "/v1/catalog"},
		{"longer", "/v1/catalog/ID", "/v1/catalog"}, {"version", "/v2/ask", "/v1/ask"},
		{"feedback", "/v1/ask/feedback", "/api/ask/feedback"}, {"nothing", "/v1/nope", "/v1/contact"},
	} {
		l.one("D.rules", "404-names-the-nearest-"+row.name,
			"The hint of a 404 names the nearest endpoint; with nothing near it lists the endpoints.",
			get(row.path), notFound, memberContains("hint", row.nearest))
	}
	l.one("D.rules", "404-as-a-page", "404 outside /api and /v1 is HTML when Accept names it.", html("/nope"),
		answers(404, "text/html"))
	l.one("D.rules", "404-as-a-record", "404 outside /api and /v1 is a problem record otherwise.", get("/nope"), notFound)
	methods(l)
	paths(l)

	long := ask(strings.Repeat("x", 3000))
	l.one("D.rules", "method-goes-before-the-cap", "405 goes before 413.",
		request{Method: "PUT", Path: "/v1/contact", Body: strings.Repeat("x", 9000)}, isProblem(contract.MethodNotAllowed))
	l.one("D.rules", "cap-goes-before-validation", "413 goes before 400: a body over its cap is not read.",
		contact(strings.Repeat("{", 9000)), tooLarge)
	l.onLoopback("D.rules", "cap-goes-before-the-limit", "A 413 takes no slot.",
		send(long, tooLarge), send(ask(known), isOK, taken(l.ask, 1)))
	l.onLoopback("D.rules", "invalid-ask-takes-a-slot", "An invalid ask takes a slot.",
		send(ask(""), refused(), taken(l.ask, 1)), send(ask(known), isOK, taken(l.ask, 2)))
	l.one("D.rules", "policy-goes-before-the-cap",
		"The policy's headers are on every answer of an ask route from the route on, 413 included.",
		long, tooLarge, hasPolicy(l.ask))
}

// methods adds checks of methods that a path does not have.
func methods(l *list) {
	for _, row := range []struct{ path, works string }{
		{"/v1/health", "GET, HEAD"}, {"/v1/catalog", "GET, HEAD"}, {"/agents.json", "GET, HEAD"},
		{"/openapi.json", "GET, HEAD"}, {"/v1/ask", "POST"}, {"/api/ask", "POST"}, {"/api/ask/feedback", "POST"},
		{"/v1/contact", "POST"}, {"/api/contact", "POST"}, {"/mcp", "POST"}, {"/api/public/mcp", "POST"},
		{"/pricing", "GET, HEAD"}, {"/ask", "GET, HEAD, POST"},
	} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"} {
			if strings.Contains(row.works, method) {
				continue
			}
			l.one("7", strings.ToLower(method)+"-at-"+slug(row.path),
				"405 method_not_allowed: the path exists but not for the method; Allow lists the working methods.",
				request{Method: method, Path: row.path}, isProblem(contract.MethodNotAllowed), omits(method+" "+row.path),
				failsIf(func(a *answer) bool {
					given := strings.FieldsFunc(a.HeaderValue("Allow"), func(r rune) bool { return r == ',' || r == ' ' })
					slices.Sort(given)
					return strings.Join(given, ", ") != row.works
				}, "the header Allow: %s", row.works))
		}
	}
	l.one("D.rules", "unknown-method-on-unknown-path", "An unknown method on an unknown path is 404.",
		request{Method: "BREW", Path: "/v1/nope"}, notFound)
	l.one("D.rules", "no-method-override", "A header does not change the method.",
		get("/v1/contact", "X-HTTP-Method-Override: POST"), isProblem(contract.MethodNotAllowed))
}

// paths adds checks of paths that are similar to existing ones.
func paths(l *list) {
	for _, row := range []struct{ section, name, path string }{
		{"7", "encoded-slash", "/v1%2Fhealth"}, {"7", "parameter", "/v1/health;jsessionid=1"},
		{"7", "upper-end", "/v1/HEALTH"}, {"7", "encoded-dots", "/v1/%2e%2e/%2e%2e/etc/passwd"},
		{"7", "longer", "/v1/health/x"},
		{"D.rules", "trailing-slash", "/v1/health/"}, {"D.rules", "double-slash", "/v1//health"},
		{"D.rules", "dots", "/v1/../v1/health"},
		{"D.rules", "mcp-slash", "/mcp/"},
		{"D.rules", "page-case", "/Pricing"},
	} {
		l.one(row.section, "path-"+row.name, "Only the exact paths of the contract exist: "+row.path+" has no endpoint.",
			get(row.path), statusIs(404), lacksHeader("Location"))
	}
	l.one("D.rules", "path-page-slash", "A page's path with one slash leads to the page: 308.",
		get("/pricing/?x=1"), statusIs(308), hasHeader("Location", "/pricing"))
	l.one("7", "path-with-a-query", "A query string does not change the path.", get("/v1/health?x=1"), isOK)
}
