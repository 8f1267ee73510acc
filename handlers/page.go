package handlers

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/payload"
	"frontdesk/internal/site"
)

// Page answers with the page that is published under path, as HTML or, if the client
// prefers it, as Markdown (section 1). /ask?q= fills in the form, for links and forms of
// other sites: it asks nothing, and so takes no slot.
func (a *API) Page(path string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return a.writePage(w, r, a.Documents.Page(path))
	}
}

func (a *API) writePage(w http.ResponseWriter, r *http.Request, page *discovery.Page) error {
	if q := r.URL.Query().Get(contract.FieldQuestion); q != "" && a.Site().FormOf(page.Path) == contract.PathAskPage {
		return writeForm(w, r, a.Site().Asked(site.Asked{Path: page.Path, Q: strings.ToValidUTF8(q, "")}), nil)
	}
	w.Header().Add("Vary", "Accept")
	if prefersMarkdown(r) {
		return writeDocument(w, r, page.Markdown)
	}
	return writeDocument(w, r, htmlFor(w, r, page))
}

// htmlFor returns the HTML of a page, with a link to the page in the reader's preferred
// language if there is one. Only the address decides the language of a page.
func htmlFor(w http.ResponseWriter, r *http.Request, page *discovery.Page) *discovery.Document {
	if len(page.Offering) == 0 {
		return page.HTML
	}
	w.Header().Add("Vary", "Accept-Language")
	offers := append(slices.Sorted(maps.Keys(page.Offering)), page.Language)
	language := payload.PreferredLanguage(r.Header.Values("Accept-Language"), offers...)
	if offering := page.Offering[language]; offering != nil {
		return offering
	}
	return page.HTML
}

// Twin always answers with the Markdown form of the page that is published under path.
func (a *API) Twin(path string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return writeDocument(w, r, a.Documents.Page(path).Markdown)
	}
}

// Names of the routes of the paths that only the content names.
const (
	RoutePage       = "/{page}"
	RouteTranslated = "/{language}/{page}"
	RouteTwin       = "/{page}.md"
)

// Find returns what answers GET of a path that the live content names, with the name of its
// route; nil for any other path.
func (a *API) Find(path string) (route string, answer handler) {
	if strings.HasPrefix(path, content.PrefixAssets) {
		if asset := a.Documents.Document(path); asset != nil {
			return content.RouteAsset, serve(asset)
		}
		return "", nil
	}
	if page := a.Documents.Page(path); page != nil {
		if route = RoutePage; strings.Count(path, "/") > 1 {
			route = RouteTranslated
		}
		return route, func(w http.ResponseWriter, r *http.Request) error { return a.writePage(w, r, page) }
	}
	if before, ok := strings.CutSuffix(path, contract.SuffixMarkdown); ok && path == contract.TwinPath(before) {
		if page := a.Documents.Page(before); page != nil {
			return RouteTwin, serve(page.Markdown)
		}
	}
	if before, ok := strings.CutSuffix(path, "/"); ok && before != contract.PathHome {
		if page := a.Documents.Page(before); page != nil {
			return RoutePage, func(w http.ResponseWriter, _ *http.Request) error {
				w.Header().Set("Location", page.Path) // never from the request
				w.WriteHeader(http.StatusPermanentRedirect)
				return nil
			}
		}
	}
	return "", nil
}

func serve(document *discovery.Document) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return writeDocument(w, r, document) }
}

// Has reports whether the live content has the path of an optional row: a form in a further
// language, or what belongs to the workspace's MCP server.
func (a *API) Has(path string) bool {
	if path == contract.PathWorkspaceMCP || path == contract.PathWorkspaceCard {
		return a.Documents.Document(contract.PathWorkspaceCard) != nil
	}
	form := a.Site().FormOf(path)
	return form != "" && form != path
}

func prefersMarkdown(r *http.Request) bool {
	accept := payload.ParseAccept(r.Header.Values("Accept"))
	return accept.Best(contract.TypeHTML, contract.TypeMarkdown) == contract.TypeMarkdown
}
