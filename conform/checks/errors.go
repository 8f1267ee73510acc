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
	l.one("7", "not-found-v1",
		"404 not_found: no endpoint at the path. The older fields ok and error remain: false, and the text of detail.",
		nope, notFound, hasMember("ok", false), func(a *answer) { hasMember("error", a.Text("detail"))(a) })
	l.one("D.problem", "type-is-of-the-base-address",
		"The type of an error is under the base address, not under the Host of the request.",
		get("/v1/nope", "Host: evil.example", "X-Forwarded-Host: evil.example"), notFound, omits("evil.example"))
	l.several("D.problem", "errors-list-each-field",
		"errors lists every failing field with its message, also a single one; without a failing field it is absent.",
		send(badAddress, refused("email"), hasItems("errors", 1), hasMember("errors.0.field", "email"),
			hasTexts("errors.0.message")),
		send(contact(`{"email":"x","dry_run":true}`), refused("name", "business", "email", "message"), hasItems("errors", 4)),
		send(nope, notFound, hasMember("errors", nil)))
	l.one("D.problem", "errors-show-nothing-inside",
		"An error has the members of a problem record, reveals nothing internal, and is not stored by caches.",
		badAddress, refused(), hasHeader("Cache-Control", "no-store"),
		hasOnly("type", "title", "status", "detail", "code", "hint", "ok", "error", "errors", "request_id"))
	const id = "X-Request-Id: conform-1"
	inRecord, inData := hasMember("request_id", "conform-1"), hasMember("error.data.request_id", "conform-1")
	l.several("D.problem", "errors-name-the-request",
		"request_id of a problem record, and of the data of a JSON-RPC error, is the X-Request-Id of the answer.",
		send(get("/v1/nope", id), notFound, inRecord),
		send(get("/v1/nope", id, evil), forbidden, inRecord),
		send(post("/mcp", "[]", id), refused(), inRecord, inData),
		send(rpc("nope", "", id), isOK, inData))
	hints := func(hint string, paths ...string) step {
		return sendEach(all(notFound, memberContains("hint", hint)), get, paths...)
	}
	l.several("D.rules", "404-names-the-nearest",
		"The hint of a 404 names the nearest endpoint; with nothing near it lists the endpoints.",
		hints("/v1/catalog", "/v1/catalog/", "/V1/catalog", "/catalog", "/v1/services", "/v1/catalog/ID"),
		hints("/v1/ask", "/v2/ask"), hints("/api/ask/feedback", "/v1/ask/feedback"), hints("/v1/contact", "/v1/nope"))
	l.several("D.rules", "404-as-a-page",
		"404 outside /api and /v1 is HTML when Accept names it, and otherwise a problem record, for an unknown method too.",
		send(html("/nope"), answers(404, "text/html")), send(get("/nope"), notFound),
		send(request{Method: "BREW", Path: "/nope"}, notFound))
	methods(l)
	paths(l)

	l.several("D.rules", "refusals-have-an-order",
		"405 goes before 413, and 413 before 400: a body over its cap is not read.",
		send(request{Method: "PUT", Path: "/v1/contact", Body: strings.Repeat("x", 9000)},
			isProblem(contract.MethodNotAllowed)),
		send(contact(strings.Repeat("{", 9000)), tooLarge))
	l.onLoopback("D.rules", "refused-questions-and-slots",
		"A 403 and a 413 take no slot; an invalid question takes one. Once the route is known, every answer has the "+
			"policy's headers.",
		send(ask("x", evil), forbidden),
		send(ask(strings.Repeat("x", 3000)), tooLarge, hasPolicy(l.ask)),
		send(ask(""), refused(), taken(l.ask, 1)), send(ask(known), isOK, taken(l.ask, 2)))
}

// methods adds checks of methods that a path does not have.
func methods(l *list) {
	const sentence = "405 method_not_allowed: the path exists but not for the method; Allow lists the working methods."
	refusal := func(method, path, works string) step {
		return send(request{Method: method, Path: path}, isProblem(contract.MethodNotAllowed), omits(method+" "+path),
			allows(works))
	}
	others := []endpoint{{workspace, "POST"}, {"/pricing", "GET, HEAD"}, {"/ask", "GET, HEAD, POST"}}
	for _, at := range slices.Concat(endpoints, others) {
		var steps []step
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "OPTIONS"} {
			if !strings.Contains(at.works, method) {
				steps = append(steps, refusal(method, at.path, at.works))
			}
		}
		l.several("7", "other-methods-at-"+slug(at.path), sentence, steps...)
	}
	l.several("7", "unusual-methods", sentence, refusal("BREW", "/v1/health", "GET, HEAD"), // a proxy may refuse these
		refusal("BREW", "/v1/contact", "POST"), refusal("TRACE", "/v1/health", "GET, HEAD"),
		refusal("TRACE", "/v1/contact", "POST"))
	l.one("D.rules", "no-method-override", "A header does not change the method.",
		get("/v1/contact", "X-HTTP-Method-Override: POST"), isProblem(contract.MethodNotAllowed))
}

// allows expects the methods in the header Allow, in any order.
func allows(methods string) expectation {
	return failsIf(func(a *answer) bool {
		given := strings.FieldsFunc(a.HeaderValue("Allow"), func(r rune) bool { return r == ',' || r == ' ' })
		slices.Sort(given)
		return strings.Join(given, ", ") != methods
	}, "the header Allow: %s", methods)
}

// paths adds checks of paths that are similar to existing ones.
func paths(l *list) {
	isNothing := all(statusIs(404), lacksHeader("Location"))
	const sentence = "Only the exact paths of the contract exist; one that is written otherwise has no endpoint."
	l.several("7", "path-is-exact", sentence, sendEach(isNothing, get, "/v1/health;jsessionid=1", "/v1/HEALTH",
		"/v1/health/x"))
	l.several("D.rules", "path-is-not-cleaned", sentence, sendEach(isNothing, get, "/v1/health/", "/mcp/", "/Pricing",
		"/v1//health", "/v1/../v1/health", "/v1%2Fhealth", "/v1/%2e%2e/%2e%2e/etc/passwd"))
	l.one("D.rules", "path-page-slash", "A page's path with one slash leads to the page: 308.",
		get("/pricing/?x=1"), statusIs(308), hasHeader("Location", "/pricing"))
}
