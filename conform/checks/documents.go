package checks

import (
	"strings"

	"frontdesk/contract"
)

var (
	health  = get("/v1/health")
	catalog = get("/v1/catalog")
	openAPI = get("/openapi.json")
)

// documents adds the checks of section 1: what is published, and where.
func documents(l *list) {
	l.one("1", "llms-txt-is-published", "/llms.txt is published.", get("/llms.txt"), serves("text/plain", "# ", "]("))
	l.one("1", "auth-md-is-published", "/auth.md is published.", get("/auth.md"), serves("text/markdown", "auth.md"))
	l.one("1", "developers-is-published", "/developers is published, with an anchor for every error code.",
		html("/developers"), serves("text/html"), func(a *answer) {
			for _, info := range contract.Codes() {
				contains(`id="errors-` + string(info.Code) + `"`)(a)
			}
		})
	l.several("1", "api-catalog-is-published",
		"/.well-known/api-catalog is an API catalog by RFC 9727, and HEAD of it has a Link to it.",
		send(get("/.well-known/api-catalog"), serves("application/linkset+json"), hasItems("linkset", 1)),
		send(head("/.well-known/api-catalog"), isOK, headerMatches("Link", `api-catalog>; ?rel="?api-catalog"?`)))
	l.one("1", "server-card-is-published", "/.well-known/mcp/server-card.json is published and names the server.",
		get("/.well-known/mcp/server-card.json"), isOK, hasTexts("name", "version", "serverInfo.name", "serverInfo.version"),
		hasItems("remotes", 1))
	l.one("9.6", "openapi-is-3.1.0",
		"The OpenAPI description is version 3.1.0 of the format, with the description itself at version 1.0.0.",
		openAPI, servesJSON, hasMember("openapi", "3.1.0"), hasMember("info.version", "1.0.0"))
	l.one("2", "openapi-has-the-bounds", "The OpenAPI description requires business and has the bounds of the fields.",
		openAPI, isOK, describedBounds)
	l.one("4", "openapi-has-every-endpoint", "Every endpoint of section 4 is described in /openapi.json.", openAPI, isOK,
		describedPaths)
}

// endpoint is a path with the methods that work there.
type endpoint struct{ path, works string }

// endpoints are those of section 4.
var endpoints = []endpoint{
	{"/v1/health", "GET, HEAD"}, {"/v1/catalog", "GET, HEAD"}, {"/agents.json", "GET, HEAD"},
	{"/openapi.json", "GET, HEAD"}, {"/v1/ask", "POST"}, {"/api/ask", "POST"}, {"/api/ask/feedback", "POST"},
	{"/v1/contact", "POST"}, {"/api/contact", "POST"}, {"/mcp", "POST"},
}

// describedPaths looks for the endpoints.
func describedPaths(a *answer) {
	for _, at := range endpoints {
		method, _, _ := strings.Cut(strings.ToLower(at.works), ",")
		item, _ := lookup(a.JSON(), "paths").(map[string]any)
		if operation, _ := item[at.path].(map[string]any); operation[method] == nil {
			a.Fail("%s %s to be described", method, at.path)
		}
	}
}

// describedBounds finds the schema of the contact payload by its fields, because its
// name may vary.
func describedBounds(a *answer) {
	schemas, _ := lookup(a.JSON(), "components.schemas").(map[string]any)
	for _, schema := range schemas {
		got := []any{lookup(schema, "required")}
		for _, field := range []string{"name", "business", "message"} {
			got = append(got, lookup(schema, "properties."+field+".maxLength"))
		}
		if encode(got) == `[["name","business","email","message"],200,200,5000]` {
			return
		}
	}
	a.Fail("a schema that requires name, business, email and message, of at most 200, 200 and 5000 characters")
}

// reading adds the checks of section 4 on health and the catalog, and of HEAD.
func reading(l *list) {
	l.one("4.health", "health-is-ok",
		"GET /v1/health is 200 with a JSON object whose status is ok, without RateLimit headers.", health,
		servesJSON, hasMember("status", "ok"), limitless)
	l.one("4.catalog", "catalog-is-json",
		"GET /v1/catalog is 200 application/json with services, pricing bands and the contact action, without RateLimit "+
			"headers.", catalog, servesJSON, hasItems("services", 0), hasItems("pricing_bands", 0),
		hasTexts("contact.url"), limitless)
	l.several("4.catalog", "catalog-alias-is-the-same", "Both paths of the catalog return the same data, byte for byte.",
		send(catalog, isOK),
		send(get("/agents.json"), isOK, hasType("application/json"), sameBody))
	l.onLoopback("8", "catalog-and-health-have-no-limit", "The catalog and health have no per-client limit.",
		repeat(20, health), repeat(20, catalog))

	l.one("D.answers", "catalog-has-its-fields",
		"The catalog has name, summary, url, revision, services, pricing_bands, contact, links and statements. Its links "+
			"are under the base address.", catalog, hasTexts("name", "summary", "url", "revision", "contact.method",
			"links.documentation", "links.pricing", "links.faq"),
		hasItems("statements", 0), hasMember("contact.required", []string{"name", "business", "email", "message"}),
		hasMember("contact.dry_run", true), hasURL("links.ask", "/v1/ask"), hasURL("links.mcp", "/mcp"),
		hasURL("contact.url", "/v1/contact"), hasURL("links.openapi", "/openapi.json"))
	l.one("D.answers", "every-service-has-its-band",
		"Every service has an id, a name and a pricing band that the catalog has.", catalog, isOK, bandsResolve)
	l.several("D.answers", "catalog-is-revalidated", "The catalog has an ETag, and If-None-Match with it gives 304.",
		send(catalog, isOK, headerMatches("ETag", `^(W/)?".+"$`)),
		send(get("/v1/catalog", "If-None-Match: {tag}"), statusIs(304), hasNoBody),
		send(get("/v1/catalog", `If-None-Match: "another"`), isOK))

	l.several("D.rules", "head-is-answered", "HEAD is answered wherever GET is, without a body.",
		sendEach(all(isOK, hasNoBody, headerMatches("Content-Type", ".")), head, "/v1/health", "/v1/catalog",
			"/openapi.json", "/llms.txt", "/"))
}

func bandsResolve(a *answer) {
	bands := map[string]bool{}
	for _, band := range a.List("pricing_bands") {
		bands[textAt(band, "id")] = true
	}
	noneOf("services", func(service any) bool {
		return textAt(service, "id") == "" || !bands[textAt(service, "pricing_band")]
	}, "services with an id and a pricing band of the catalog")(a)
}
