package conform

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"

	"frontdesk/contract"
)

// reading are the sentences of section 4 on health and the catalog.
func reading() []Check {
	return slices.Concat([]Check{
		one("4.health", "health-is-ok", "GET /v1/health is 200 with a JSON object whose status is ok.",
			get(contract.PathHealth),
			func(a *answer) { a.is(200).kind(contract.TypeJSON).member("status", "ok") }),
		one("4.health", "health-has-no-ratelimit", "Health has no RateLimit headers.", get(contract.PathHealth),
			func(a *answer) { a.is(200).lacks(contract.HeaderRateLimit, contract.HeaderRateLimitPolicy) }),
		one("4.catalog", "catalog-is-json", "GET /v1/catalog is 200 application/json with services, pricing bands and the contact action.",
			get(contract.PathCatalog),
			func(a *answer) {
				a.is(200).kind(contract.TypeJSON)
				a.list("services")
				a.list("pricing_bands")
				a.text("contact.url")
			}),
		one("4.catalog", "catalog-has-no-ratelimit", "The catalog has no RateLimit headers.",
			get(contract.PathCatalog),
			func(a *answer) { a.is(200).lacks(contract.HeaderRateLimit, contract.HeaderRateLimitPolicy) }),
		{Section: "4.catalog", Name: "catalog-alias-is-the-same",
			Says: "Both paths of the catalog return the same data, byte for byte.",
			Run: func(p *probe) {
				catalog := p.send(get(contract.PathCatalog)).is(200)
				alias := p.send(get(contract.PathCatalogAlias)).is(200).kind(contract.TypeJSON)
				if string(alias.body) != string(catalog.body) {
					alias.fail("the bytes of %s", contract.PathCatalog)
				}
			}},
		{Section: "4.catalog", Name: "catalog-gzip-is-the-same",
			Says: "Compressed or not, the catalog is the same.",
			Run: func(p *probe) {
				plain := p.send(get(contract.PathCatalog)).is(200)
				packed := p.send(get(contract.PathCatalog, "Accept-Encoding: gzip")).is(200)
				if packed.value("Content-Encoding") == "" {
					p.skip("the service does not compress it")
				}
				packed.has("Content-Encoding", "gzip").matches("Vary", "Accept-Encoding")
				if body, err := unpacked(packed.body); err != nil || string(body) != string(plain.body) {
					packed.fail("the bytes of the plain catalog, with gzip")
				}
			}},
		{Section: "8", Name: "catalog-and-health-have-no-limit", Rude: true,
			Says: "The catalog and health have no per-client limit.",
			Run: func(p *probe) {
				for range 20 {
					p.send(get(contract.PathHealth)).is(200)
					p.send(get(contract.PathCatalog)).is(200)
				}
			}},
	}, catalogShape(), heads())
}

// catalogShape is what was decided of the catalog's fields.
func catalogShape() []Check {
	return []Check{
		one("D.answers", "catalog-has-its-fields", "The catalog has name, summary, url, revision, services, pricing_bands, contact, links and statements.",
			get(contract.PathCatalog),
			func(a *answer) {
				for _, member := range []string{"name", "summary", "url", "revision", "contact.method", "links.ask", "links.mcp", "links.workspace_mcp", "links.openapi", "links.documentation", "links.pricing", "links.faq"} {
					a.text(member)
				}
				a.list("statements")
				a.member("contact.required", []string{"name", "business", "email", "message"}).member("contact.dry_run", true)
			}),
		one("D.answers", "every-service-has-its-band", "Every service has an id, a name and a pricing band that the catalog has.",
			get(contract.PathCatalog), bandsResolve),
		one("D.answers", "catalog-links-are-absolute", "The links of the catalog are under the base address.",
			get(contract.PathCatalog),
			func(a *answer) {
				base := a.probe.base()
				a.member("links.ask", base+contract.PathAsk).member("links.mcp", base+contract.PathMCP).
					member("contact.url", base+contract.PathContact).member("links.openapi", base+contract.PathOpenAPI)
			}),
		{Section: "D.answers", Name: "catalog-is-revalidated",
			Says: "The catalog has an ETag, and who holds it already gets 304.",
			Run: func(p *probe) {
				tag := p.send(get(contract.PathCatalog)).is(200).matches("ETag", `^(W/)?".+"$`).value("ETag")
				if a := p.send(get(contract.PathCatalog, "If-None-Match: "+tag)).is(304); len(a.body) > 0 {
					a.fail("no body")
				}
				p.send(get(contract.PathCatalog, `If-None-Match: "another"`)).is(200)
			}},
	}
}

func unpacked(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxBody))
}

func bandsResolve(a *answer) {
	bands := map[string]bool{}
	for _, band := range a.is(200).list("pricing_bands") {
		id, _ := at(band, "id").(string)
		bands[id] = true
	}
	for _, service := range a.list("services") {
		id, _ := at(service, "id").(string)
		band, _ := at(service, "pricing_band").(string)
		if id == "" || !bands[band] {
			a.fail("service %q to have a pricing band of the catalog, not %q", id, band)
		}
	}
}

// heads are HEAD requests wherever GET is answered.
func heads() []Check {
	var checks []Check
	for _, path := range []string{contract.PathHealth, contract.PathCatalog, contract.PathOpenAPI, contract.PathLLMS, contract.PathHome} {
		checks = append(checks, one("D.rules", "head-of-"+slug(pageName(path)), "HEAD of "+path+" is answered like GET, without a body.",
			request{method: http.MethodHead, path: path}, func(a *answer) {
				if a.is(200); len(a.body) > 0 || a.value("Content-Type") == "" {
					a.fail("the head of the answer to GET, and no body")
				}
			}))
	}
	return checks
}
