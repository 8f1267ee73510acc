package checks

import (
	"encoding/json"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

var (
	openAPI      = conform.Get(contract.PathOpenAPI)
	keyDirectory = conform.Get(contract.PathKeyDirectory)
)

// documents adds the checks of section 1: what is published, and where.
func documents(l *list) {
	l.one("1", "openapi-is-published", "/openapi.json is an OpenAPI 3.1 description.", openAPI, serves(contract.TypeJSON), memberHasPrefix("openapi", "3.1."))
	l.one("1", "llms-txt-is-published", "/llms.txt is published.", conform.Get(contract.PathLLMS), serves(contract.TypeText, "# ", "]("))
	l.one("1", "auth-md-is-published", "/auth.md is published.", conform.Get(contract.PathAuthGuide), serves(contract.TypeMarkdown, "auth.md"))
	l.one("1", "developers-is-published", "/developers is published, with an anchor for every error code.",
		conform.Get(contract.PathDevelopers, "Accept: text/html"), serves(contract.TypeHTML), func(a *conform.Answer) {
			for _, info := range contract.Codes() {
				contains(`id="errors-` + string(info.Code) + `"`)(a)
			}
		})
	l.one("1", "pricing-is-published", "/pricing is published.", conform.Get(contract.PathPricing, "Accept: text/html"), serves(contract.TypeHTML))
	l.one("1", "api-catalog-is-published", "/.well-known/api-catalog is an API catalog by RFC 9727.", conform.Get(contract.PathAPICatalog), isLinkset)
	l.one("1", "api-catalog-links-to-itself", "HEAD of the API catalog has a Link to it (RFC 9727).",
		head(contract.PathAPICatalog), isOK, headerMatches("Link", `api-catalog>; ?rel="?api-catalog"?`))
	l.one("1", "server-card-is-published", "/.well-known/mcp/server-card.json is published and names the server.",
		conform.Get(contract.PathServerCard), isOK, hasTexts("name", "version"))
	l.one("1", "key-directory-is-published", "The service's own verification key is at /.well-known/http-message-signatures-directory.",
		keyDirectory, serves(contract.TypeKeyDirectory), hasTexts("keys.0.kid"))
	l.one("9.6", "openapi-is-3.1.0", "The OpenAPI description is version 3.1.0 of the format, with the description itself at version 1.0.0.",
		openAPI, isOK, hasMember("openapi", "3.1.0"), hasMember("info.version", "1.0.0"))
	l.one("2", "openapi-has-the-bounds", "The OpenAPI description requires business and has the bounds of the fields.", openAPI, isOK, describedBounds)
	l.one("4", "openapi-has-every-endpoint", "Every endpoint of section 4 is described in /openapi.json.", openAPI, isOK, describedPaths)
	for _, path := range []string{contract.PathHome, contract.PathPricing, contract.PathDevelopers, contract.PathFAQ, contract.PathAskPage, contract.PathContactPage, contract.PathAuthPage} {
		l.one("1", "page-as-markdown-"+pageName(path), path+" requested with Accept: text/markdown is Markdown.",
			conform.Get(path, "Accept: text/markdown"), serves(contract.TypeMarkdown, "# "), omits("<html"))
	}
}

var isLinkset = all(serves(contract.TypeLinkset), hasItems("linkset", 1, "a linkset that is not empty"))

func pageName(path string) string {
	if name := strings.Trim(path, "/"); name != "" {
		return name
	}
	return "home"
}

// describedPaths looks for the endpoints of section 4.
func describedPaths(a *conform.Answer) {
	for method, paths := range map[string][]string{
		"get":  {contract.PathHealth, contract.PathCatalog, contract.PathCatalogAlias, contract.PathOpenAPI},
		"post": {contract.PathAsk, contract.PathAskAlias, contract.PathFeedback, contract.PathContact, contract.PathContactAlias, contract.PathMCP},
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
		got := []any{schema.Required, schema.Properties["name"].MaxLength, schema.Properties["business"].MaxLength, schema.Properties["message"].MaxLength}
		if conform.EncodeJSON(got) == `[["name","business","email","message"],200,200,5000]` {
			return
		}
	}
	a.Fail("a schema that requires name, business, email and message, of at most 200, 200 and 5000 characters")
}
