package conform

import (
	"encoding/json"
	"net/http"
	"strings"

	"frontdesk/contract"
)

// documents are the sentences of section 1 on what is published, and where.
func documents() []Check {
	checks := []Check{
		one("1", "openapi-is-published", "/openapi.json is an OpenAPI 3.1 description.", get(contract.PathOpenAPI),
			func(a *answer) { a.is(200).kind(contract.TypeJSON).matchesMember("openapi", "3.1.") }),
		one("1", "llms-txt-is-published", "/llms.txt is published.", get(contract.PathLLMS),
			func(a *answer) { a.is(200).kind(contract.TypeText).contains("# ", "](") }),
		one("1", "auth-md-is-published", "/auth.md is published.", get(contract.PathAuthGuide),
			func(a *answer) { a.is(200).kind(contract.TypeMarkdown).contains("auth.md") }),
		one("1", "developers-is-published", "/developers is published, with an anchor for every error code.",
			get(contract.PathDevelopers, "Accept: text/html"),
			func(a *answer) {
				a.is(200).kind(contract.TypeHTML)
				for _, info := range contract.Codes() {
					a.contains(`id="errors-` + string(info.Code) + `"`)
				}
			}),
		one("1", "pricing-is-published", "/pricing is published.", get(contract.PathPricing, "Accept: text/html"),
			func(a *answer) { a.is(200).kind(contract.TypeHTML) }),
		one("1", "api-catalog-is-published", "/.well-known/api-catalog is an API catalog by RFC 9727.",
			get(contract.PathAPICatalog),
			func(a *answer) {
				a.is(200).kind(contract.TypeLinkset)
				if len(a.list("linkset")) == 0 {
					a.fail("a linkset that is not empty")
				}
			}),
		one("1", "api-catalog-links-to-itself", "HEAD of the API catalog has a Link to it (RFC 9727).",
			request{method: http.MethodHead, path: contract.PathAPICatalog},
			func(a *answer) { a.is(200).matches("Link", `api-catalog>; ?rel="?api-catalog"?`) }),
		one("1", "server-card-is-published", "/.well-known/mcp/server-card.json is published and names the server.",
			get(contract.PathServerCard),
			func(a *answer) {
				a.is(200)
				a.text("name")
				a.text("version")
			}),
		one("1", "key-directory-is-published", "The service's own verification key is at /.well-known/http-message-signatures-directory.",
			get(contract.PathKeyDirectory),
			func(a *answer) {
				a.is(200).kind(contract.TypeKeyDirectory)
				a.text("keys.0.kid")
			}),
		one("9.6", "openapi-is-3.1.0", "The OpenAPI description is version 3.1.0 of the format, with the description itself at version 1.0.0.",
			get(contract.PathOpenAPI),
			func(a *answer) { a.is(200).member("openapi", "3.1.0").member("info.version", "1.0.0") }),
		one("2", "openapi-has-the-bounds", "The OpenAPI description requires business and has the bounds of the fields.",
			get(contract.PathOpenAPI), describedBounds),
		one("4", "openapi-has-every-endpoint", "Every endpoint of section 4 is described in /openapi.json.",
			get(contract.PathOpenAPI), describedPaths),
	}
	for _, path := range []string{contract.PathHome, contract.PathPricing, contract.PathDevelopers, contract.PathFAQ, contract.PathAskPage, contract.PathContactPage, contract.PathAuthPage} {
		checks = append(checks, one("1", "page-as-markdown-"+pageName(path), path+" requested with Accept: text/markdown is Markdown.",
			get(path, "Accept: text/markdown"), func(a *answer) { a.is(200).kind(contract.TypeMarkdown).contains("# ").hides("<html") }))
	}
	return checks
}

func pageName(path string) string {
	if name := strings.Trim(path, "/"); name != "" {
		return name
	}
	return "home"
}

// matchesMember expects a text member that begins with a prefix.
func (a *answer) matchesMember(path, prefix string) {
	if !strings.HasPrefix(a.text(path), prefix) {
		a.fail("the member %s to begin with %s", path, prefix)
	}
}

// describedPaths looks for the rows of section 4.
func describedPaths(a *answer) {
	a.is(200)
	for method, paths := range map[string][]string{
		"get":  {contract.PathHealth, contract.PathCatalog, contract.PathCatalogAlias, contract.PathOpenAPI},
		"post": {contract.PathAsk, contract.PathAskAlias, contract.PathFeedback, contract.PathContact, contract.PathContactAlias, contract.PathMCP},
	} {
		for _, path := range paths {
			item, _ := at(a.json(), "paths").(map[string]any)
			if operation, _ := item[path].(map[string]any); operation[method] == nil {
				a.fail("%s %s to be described", strings.ToUpper(method), path)
			}
		}
	}
}

// describedBounds finds the schema of the contact payload by its fields, whatever
// it is called.
func describedBounds(a *answer) {
	a.is(200)
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Required   []string
				Properties map[string]struct {
					MaxLength int `json:"maxLength"`
				}
			}
		}
	}
	_ = json.Unmarshal(a.body, &document) // what cannot be read has no schema
	for _, schema := range document.Components.Schemas {
		if len(schema.Required) == 0 || schema.Properties[contract.FieldMessage].MaxLength == 0 {
			continue
		}
		got := []any{schema.Required, schema.Properties["name"].MaxLength, schema.Properties["business"].MaxLength, schema.Properties["message"].MaxLength}
		want := []any{[]string{"name", "business", "email", "message"}, 200, 200, 5000}
		if compact(got) == compact(want) {
			return
		}
	}
	a.fail("a schema that requires name, business, email and message, of at most 200, 200 and 5000 characters")
}
