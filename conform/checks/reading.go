package checks

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"

	"frontdesk/conform"
	"frontdesk/contract"
)

var catalog = conform.Get(contract.PathCatalog)

// reading returns the checks of section 4 on health and the catalog.
func reading() []conform.Check {
	return slices.Concat([]conform.Check{
		one("4.health", "health-is-ok", "GET /v1/health is 200 with a JSON object whose status is ok.",
			conform.Get(contract.PathHealth),
			serves(contract.TypeJSON), hasMember("status", "ok")),
		one("4.health", "health-has-no-ratelimit", "Health has no RateLimit headers.", conform.Get(contract.PathHealth), isOK, limitless),
		one("4.catalog", "catalog-is-json", "GET /v1/catalog is 200 application/json with services, pricing bands and the contact action.",
			catalog, serves(contract.TypeJSON), hasLists("services", "pricing_bands"), hasTexts("contact.url")),
		one("4.catalog", "catalog-has-no-ratelimit", "The catalog has no RateLimit headers.", catalog, isOK, limitless),
		{Section: "4.catalog", Name: "catalog-alias-is-the-same",
			Sentence: "Both paths of the catalog return the same data, byte for byte.",
			Run: func(p *conform.Probe) {
				now := p.Send(catalog, isOK)
				alias := p.Send(conform.Get(contract.PathCatalogAlias), isOK, hasType(contract.TypeJSON))
				if string(alias.Body) != string(now.Body) {
					alias.Fail("the bytes of %s", contract.PathCatalog)
				}
			}},
		{Section: "4.catalog", Name: "catalog-gzip-is-the-same",
			Sentence: "Compressed or not, the catalog is the same.",
			Run: func(p *conform.Probe) {
				plain := p.Send(catalog, isOK)
				packed := p.Send(conform.Get(contract.PathCatalog, "Accept-Encoding: gzip"), isOK)
				if packed.HeaderValue("Content-Encoding") == "" {
					p.Skip("the service does not compress it")
				}
				expect(packed, hasHeader("Content-Encoding", "gzip"), headerMatches("Vary", "Accept-Encoding"))
				if body, err := unpacked(packed.Body); err != nil || string(body) != string(plain.Body) {
					packed.Fail("the bytes of the plain catalog, with gzip")
				}
			}},
		loopbackOnly(several("8", "catalog-and-health-have-no-limit", "The catalog and health have no per-client limit.",
			slices.Repeat([]step{send(conform.Get(contract.PathHealth), isOK), send(catalog, isOK)}, 20)...)),
	}, catalogShape(), heads())
}

// catalogShape returns the checks of the catalog's fields.
func catalogShape() []conform.Check {
	return []conform.Check{
		one("D.answers", "catalog-has-its-fields", "The catalog has name, summary, url, revision, services, pricing_bands, contact, links and statements.",
			catalog, hasTexts("name", "summary", "url", "revision", "contact.method", "links.ask", "links.mcp", "links.openapi", "links.documentation", "links.pricing", "links.faq"),
			hasLists("statements"), hasMember("contact.required", []string{"name", "business", "email", "message"}), hasMember("contact.dry_run", true)),
		one("D.answers", "every-service-has-its-band", "Every service has an id, a name and a pricing band that the catalog has.",
			catalog, isOK, bandsResolve),
		one("D.answers", "catalog-links-are-absolute", "The links of the catalog are under the base address.",
			catalog, func(a *conform.Answer) {
				base := a.Probe.BaseURL()
				expect(a, hasMember("links.ask", base+contract.PathAsk), hasMember("links.mcp", base+contract.PathMCP), hasMember("contact.url", base+contract.PathContact), hasMember("links.openapi", base+contract.PathOpenAPI))
			}),
		{Section: "D.answers", Name: "catalog-is-revalidated",
			Sentence: "The catalog has an ETag, and If-None-Match with it gives 304.",
			Run: func(p *conform.Probe) {
				tag := p.Send(catalog, isOK, headerMatches("ETag", `^(W/)?".+"$`)).HeaderValue("ETag")
				hasNoBody(p.Send(conform.Get(contract.PathCatalog, "If-None-Match: "+tag), statusIs(304)))
				p.Send(conform.Get(contract.PathCatalog, `If-None-Match: "another"`), isOK)
			}},
	}
}

func unpacked(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, conform.MaxBody))
}

func bandsResolve(a *conform.Answer) {
	bands := map[string]bool{}
	for _, band := range a.List("pricing_bands") {
		id, _ := conform.Lookup(band, "id").(string)
		bands[id] = true
	}
	for _, service := range a.List("services") {
		id, _ := conform.Lookup(service, "id").(string)
		band, _ := conform.Lookup(service, "pricing_band").(string)
		if id == "" || !bands[band] {
			a.Fail("service %q to have a pricing band of the catalog, not %q", id, band)
		}
	}
}

// heads checks HEAD wherever GET is answered.
func heads() []conform.Check {
	var checks []conform.Check
	for _, path := range []string{contract.PathHealth, contract.PathCatalog, contract.PathOpenAPI, contract.PathLLMS, contract.PathHome} {
		checks = append(checks, one("D.rules", "head-of-"+slug(pageName(path)), "HEAD of "+path+" is answered like GET, without a body.",
			conform.Request{Method: http.MethodHead, Path: path}, isOK, func(a *conform.Answer) {
				if len(a.Body) > 0 || a.HeaderValue("Content-Type") == "" {
					a.Fail("the head of the answer to GET, and no body")
				}
			}))
	}
	return checks
}
