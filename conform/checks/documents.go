package checks

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

var (
	health       = conform.Get(contract.PathHealth)
	catalog      = conform.Get(contract.PathCatalog)
	openAPI      = conform.Get(contract.PathOpenAPI)
	keyDirectory = conform.Get(contract.PathKeyDirectory)
)

// documents adds the checks of section 1: what is published, and where.
func documents(l *list) {
	l.one("1", "openapi-is-published", "/openapi.json is an OpenAPI 3.1 description.", openAPI, serves(contract.TypeJSON),
		memberMatches("openapi", `^3\.1\.`))
	l.one("1", "llms-txt-is-published", "/llms.txt is published.", conform.Get(contract.PathLLMS),
		serves(contract.TypeText, "# ", "]("))
	l.one("1", "auth-md-is-published", "/auth.md is published.", conform.Get(contract.PathAuthGuide),
		serves(contract.TypeMarkdown, "auth.md"))
	l.one("1", "developers-is-published", "/developers is published, with an anchor for every error code.",
		conform.Get(contract.PathDevelopers, "Accept: text/html"), serves(contract.TypeHTML), func(a *conform.Answer) {
			for _, info := range contract.Codes() {
				contains(`id="errors-` + string(info.Code) + `"`)(a)
			}
		})
	l.one("1", "pricing-is-published", "/pricing is published.", conform.Get(contract.PathPricing, "Accept: text/html"),
		serves(contract.TypeHTML))
	l.one("1", "api-catalog-is-published", "/.well-known/api-catalog is an API catalog by RFC 9727.",
		conform.Get(contract.PathAPICatalog), isLinkset)
	l.one("1", "api-catalog-links-to-itself", "HEAD of the API catalog has a Link to it (RFC 9727).",
		head(contract.PathAPICatalog), isOK, headerMatches("Link", `api-catalog>; ?rel="?api-catalog"?`))
	l.one("1", "server-card-is-published", "/.well-known/mcp/server-card.json is published and names the server.",
		conform.Get(contract.PathServerCard), isOK, hasTexts("name", "version"))
	l.one("1", "key-directory-is-published",
		"The service's own verification key is at /.well-known/http-message-signatures-directory.",
		keyDirectory, serves(contract.TypeKeyDirectory), hasTexts("keys.0.kid"))
	l.one("9.6", "openapi-is-3.1.0",
		"The OpenAPI description is version 3.1.0 of the format, with the description itself at version 1.0.0.",
		openAPI, isOK, hasMember("openapi", "3.1.0"), hasMember("info.version", "1.0.0"))
	l.one("2", "openapi-has-the-bounds", "The OpenAPI description requires business and has the bounds of the fields.",
		openAPI, isOK, describedBounds)
	l.one("4", "openapi-has-every-endpoint", "Every endpoint of section 4 is described in /openapi.json.", openAPI, isOK,
		describedPaths)
	for _, path := range []string{contract.PathHome, contract.PathPricing, contract.PathDevelopers, contract.PathFAQ,
		contract.PathAskPage, contract.PathContactPage, contract.PathAuthPage} {
		l.one("1", "page-as-markdown-"+pageName(path), path+" requested with Accept: text/markdown is Markdown.",
			conform.Get(path, "Accept: text/markdown"), serves(contract.TypeMarkdown, "# "), omits("<html"))
	}
}

var isLinkset = all(serves(contract.TypeLinkset), hasItems("linkset", 1))

func pageName(path string) string {
	if name := strings.Trim(path, "/"); name != "" {
		return name
	}
	return "home"
}

// describedPaths looks for the endpoints of section 4.
func describedPaths(a *conform.Answer) {
	for method, paths := range map[string][]string{
		"get": {contract.PathHealth, contract.PathCatalog, contract.PathCatalogAlias, contract.PathOpenAPI},
		"post": {contract.PathAsk, contract.PathAskAlias, contract.PathFeedback, contract.PathContact,
			contract.PathContactAlias, contract.PathMCP},
	} {
		for _, path := range paths {
			item, _ := conform.Lookup(a.JSON(), "paths").(map[string]any)
			if operation, _ := item[path].(map[string]any); operation[method] == nil {
				a.Fail("%s %s to be described", strings.ToUpper(method), path)
			}
		}
	}
}

// describedBounds finds the schema of the contact payload by its fields, because its
// name may vary.
func describedBounds(a *conform.Answer) {
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Required   []string
				Properties map[string]struct{ MaxLength int }
			}
		}
	}
	_ = json.Unmarshal(a.Body, &document) // an unreadable document has no schema
	for _, schema := range document.Components.Schemas {
		got := []any{schema.Required, schema.Properties["name"].MaxLength, schema.Properties["business"].MaxLength,
			schema.Properties["message"].MaxLength}
		if conform.EncodeJSON(got) == `[["name","business","email","message"],200,200,5000]` {
			return
		}
	}
	a.Fail("a schema that requires name, business, email and message, of at most 200, 200 and 5000 characters")
}

// reading adds the checks of section 4 on health and the catalog, and of HEAD.
func reading(l *list) {
	l.one("4.health", "health-is-ok", "GET /v1/health is 200 with a JSON object whose status is ok.", health,
		serves(contract.TypeJSON), hasMember("status", "ok"))
	l.one("4.health", "health-has-no-ratelimit", "Health has no RateLimit headers.", health, isOK, limitless)
	l.one("4.catalog", "catalog-is-json",
		"GET /v1/catalog is 200 application/json with services, pricing bands and the contact action.",
		catalog, serves(contract.TypeJSON), hasItems("services", 0), hasItems("pricing_bands", 0), hasTexts("contact.url"))
	l.one("4.catalog", "catalog-has-no-ratelimit", "The catalog has no RateLimit headers.", catalog, isOK, limitless)
	l.several("4.catalog", "catalog-alias-is-the-same", "Both paths of the catalog return the same data, byte for byte.",
		send(catalog, isOK),
		send(conform.Get(contract.PathCatalogAlias), isOK, hasType(contract.TypeJSON), sameBody))
	l.several("4.catalog", "catalog-gzip-is-the-same", "Compressed or not, the catalog is the same.",
		send(catalog, isOK), send(conform.Get(contract.PathCatalog, "Accept-Encoding: gzip"), isOK, isPacked))
	l.several("8", "catalog-and-health-have-no-limit", "The catalog and health have no per-client limit.",
		slices.Repeat([]step{send(health, isOK), send(catalog, isOK)}, 20)...).LoopbackOnly = true

	l.one("D.answers", "catalog-has-its-fields",
		"The catalog has name, summary, url, revision, services, pricing_bands, contact, links and statements.",
		catalog, hasTexts("name", "summary", "url", "revision", "contact.method", "links.ask", "links.mcp", "links.openapi",
			"links.documentation", "links.pricing", "links.faq"),
		hasItems("statements", 0), hasMember("contact.required", []string{"name", "business", "email", "message"}),
		hasMember("contact.dry_run", true))
	l.one("D.answers", "every-service-has-its-band",
		"Every service has an id, a name and a pricing band that the catalog has.", catalog, isOK, bandsResolve)
	l.one("D.answers", "catalog-links-are-absolute", "The links of the catalog are under the base address.", catalog,
		hasURL("links.ask", contract.PathAsk), hasURL("links.mcp", contract.PathMCP),
		hasURL("contact.url", contract.PathContact), hasURL("links.openapi", contract.PathOpenAPI))
	l.several("D.answers", "catalog-is-revalidated", "The catalog has an ETag, and If-None-Match with it gives 304.",
		send(catalog, isOK, headerMatches("ETag", `^(W/)?".+"$`)),
		send(conform.Get(contract.PathCatalog, "If-None-Match: {tag}"), statusIs(304), hasNoBody),
		send(conform.Get(contract.PathCatalog, `If-None-Match: "another"`), isOK))

	for _, path := range []string{contract.PathHealth, contract.PathCatalog, contract.PathOpenAPI, contract.PathLLMS,
		contract.PathHome} {
		l.one("D.rules", "head-of-"+slug(pageName(path)), "HEAD of "+path+" is answered like GET, without a body.",
			head(path), isOK, failsIf(func(a *conform.Answer) bool {
				return len(a.Body) > 0 || a.HeaderValue("Content-Type") == ""
			}, "the head of the answer to GET, and no body"))
	}
}

// isPacked expects the body of the check's first answer with gzip, if it is compressed.
func isPacked(a *conform.Answer) {
	if a.HeaderValue("Content-Encoding") == "" {
		a.Probe.Skip("the service does not compress it")
	}
	expect(a, hasHeader("Content-Encoding", "gzip"), headerMatches("Vary", "Accept-Encoding"))
	var body []byte
	r, err := gzip.NewReader(bytes.NewReader(a.Body))
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(r, conform.MaxBody))
	}
	if err != nil || !bytes.Equal(body, a.Probe.FirstAnswer.Body) {
		a.Fail("the bytes of the plain catalog, with gzip")
	}
}

func bandsResolve(a *conform.Answer) {
	bands := map[string]bool{}
	for _, band := range a.List("pricing_bands") {
		bands[textAt(band, "id")] = true
	}
	noneOf("services", func(service any) bool {
		return textAt(service, "id") == "" || !bands[textAt(service, "pricing_band")]
	}, "services with an id and a pricing band of the catalog")(a)
}
