package checks

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"

	"frontdesk/conform"
	"frontdesk/contract"
)

var (
	health  = conform.Get(contract.PathHealth)
	catalog = conform.Get(contract.PathCatalog)
)

// reading adds the checks of section 4 on health and the catalog, and of HEAD.
func reading(l *list) {
	l.one("4.health", "health-is-ok", "GET /v1/health is 200 with a JSON object whose status is ok.", health, serves(contract.TypeJSON), hasMember("status", "ok"))
	l.one("4.health", "health-has-no-ratelimit", "Health has no RateLimit headers.", health, isOK, limitless)
	l.one("4.catalog", "catalog-is-json", "GET /v1/catalog is 200 application/json with services, pricing bands and the contact action.",
		catalog, serves(contract.TypeJSON), hasLists("services", "pricing_bands"), hasTexts("contact.url"))
	l.one("4.catalog", "catalog-has-no-ratelimit", "The catalog has no RateLimit headers.", catalog, isOK, limitless)
	l.several("4.catalog", "catalog-alias-is-the-same", "Both paths of the catalog return the same data, byte for byte.",
		send(catalog, isOK),
		send(conform.Get(contract.PathCatalogAlias), isOK, hasType(contract.TypeJSON), sameBody("the bytes of "+contract.PathCatalog)))
	l.several("4.catalog", "catalog-gzip-is-the-same", "Compressed or not, the catalog is the same.",
		send(catalog, isOK), send(conform.Get(contract.PathCatalog, "Accept-Encoding: gzip"), isOK, isPacked))
	l.several("8", "catalog-and-health-have-no-limit", "The catalog and health have no per-client limit.",
		slices.Repeat([]step{send(health, isOK), send(catalog, isOK)}, 20)...).LoopbackOnly = true

	l.one("D.answers", "catalog-has-its-fields", "The catalog has name, summary, url, revision, services, pricing_bands, contact, links and statements.",
		catalog, hasTexts("name", "summary", "url", "revision", "contact.method", "links.ask", "links.mcp", "links.openapi", "links.documentation", "links.pricing", "links.faq"),
		hasLists("statements"), hasMember("contact.required", []string{"name", "business", "email", "message"}), hasMember("contact.dry_run", true))
	l.one("D.answers", "every-service-has-its-band", "Every service has an id, a name and a pricing band that the catalog has.", catalog, isOK, bandsResolve)
	l.one("D.answers", "catalog-links-are-absolute", "The links of the catalog are under the base address.", catalog,
		hasURL("links.ask", contract.PathAsk), hasURL("links.mcp", contract.PathMCP), hasURL("contact.url", contract.PathContact), hasURL("links.openapi", contract.PathOpenAPI))
	l.several("D.answers", "catalog-is-revalidated", "The catalog has an ETag, and If-None-Match with it gives 304.",
		send(catalog, isOK, headerMatches("ETag", `^(W/)?".+"$`)),
		send(conform.Get(contract.PathCatalog, "If-None-Match: {tag}"), statusIs(304), hasNoBody),
		send(conform.Get(contract.PathCatalog, `If-None-Match: "another"`), isOK))

	for _, path := range []string{contract.PathHealth, contract.PathCatalog, contract.PathOpenAPI, contract.PathLLMS, contract.PathHome} {
		l.one("D.rules", "head-of-"+slug(pageName(path)), "HEAD of "+path+" is answered like GET, without a body.", head(path), isOK, failsIf(func(a *conform.Answer) bool {
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
	if err != nil || !bytes.Equal(body, a.Probe.FirstAnswer().Body) {
		a.Fail("the bytes of the plain catalog, with gzip")
	}
}

func bandsResolve(a *conform.Answer) {
	bands := map[string]bool{}
	for _, band := range a.List("pricing_bands") {
		bands[textAt(band, "id")] = true
	}
	for _, service := range a.List("services") {
		id, band := textAt(service, "id"), textAt(service, "pricing_band")
		if id == "" || !bands[band] {
			a.Fail("service %q to have a pricing band of the catalog, not %q", id, band)
		}
	}
}
