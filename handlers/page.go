package handlers

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/negotiate"
	"frontdesk/internal/site"
)

// Page answers with the page that is published under path, as HTML or, if the client
// prefers it, as Markdown (section 1). /ask?q= fills in the form, for links and forms of
// other sites: it asks nothing, and so takes no slot.
func (a *API) Page(path string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		page := a.Documents.Page(path)
		if page == nil {
			return pageNotFound()
		}
		if q := r.URL.Query().Get(contract.FieldQuestion); q != "" && a.Site().FormOf(path) == contract.PathAskPage {
			return writeForm(w, r, a.Site().Asked(site.Asked{Path: path, Q: strings.ToValidUTF8(q, "")}), nil)
		}
		w.Header().Add("Vary", "Accept")
		if prefersMarkdown(r) {
			return writeDocument(w, r, page.Markdown)
		}
		return writeDocument(w, r, htmlFor(w, r, page))
	}
}

// htmlFor returns the HTML of a page, with a link to the page in the reader's preferred
// language if there is one. Only the address decides the language of a page.
func htmlFor(w http.ResponseWriter, r *http.Request, page *discovery.Page) *discovery.Document {
	if len(page.Offering) == 0 {
		return page.HTML
	}
	w.Header().Add("Vary", "Accept-Language")
	offers := append(slices.Sorted(maps.Keys(page.Offering)), page.Language)
	if offering := page.Offering[negotiate.Language(r.Header.Values("Accept-Language"), offers...)]; offering != nil {
		return offering
	}
	return page.HTML
}

// Twin always answers with the Markdown form of the page that is published under path.
func (a *API) Twin(path string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		page := a.Documents.Page(path)
		if page == nil {
			return pageNotFound()
		}
		return writeDocument(w, r, page.Markdown)
	}
}

// HasPage reports whether a page is published under path now.
func (a *API) HasPage(path string) bool { return a.Documents.Page(path) != nil }

// HasOwnPage reports whether a page without a folder is published under path now.
func (a *API) HasOwnPage(path string) bool { return strings.Count(path, "/") == 1 && a.HasPage(path) }

// HasForm reports whether path is the form page in a further language of the site. page
// is its path in the first language.
func (a *API) HasForm(page string) func(path string) bool {
	return func(path string) bool { return path != page && a.Site().FormOf(path) == page }
}

// HasPageBefore reports whether path is that of a page and one slash.
func (a *API) HasPageBefore(path string) bool {
	page, ok := strings.CutSuffix(path, "/")
	return ok && page != contract.PathHome && a.HasPage(page)
}

// WithoutSlash leads from the path of a page and one slash to the page. The Location is
// never taken from the request.
func (a *API) WithoutSlash(w http.ResponseWriter, r *http.Request) error {
	page := a.Documents.Page(strings.TrimSuffix(r.URL.Path, "/"))
	if page == nil {
		return pageNotFound()
	}
	w.Header().Set("Location", page.Path)
	w.WriteHeader(http.StatusPermanentRedirect)
	return nil
}

// HasTwin reports whether path is the Markdown form of a page.
func (a *API) HasTwin(path string) bool {
	page, ok := strings.CutSuffix(path, contract.SuffixMarkdown)
	return ok && path == contract.TwinPath(page) && a.HasPage(page)
}

// HasAsset reports whether path is an asset of the pages.
func (a *API) HasAsset(path string) bool {
	return strings.HasPrefix(path, content.PrefixAssets) && a.Documents.Document(path) != nil
}

// Named answers with the page, the Markdown form of a page or the asset that the request's
// path names.
func (a *API) Named(w http.ResponseWriter, r *http.Request) error {
	path := r.URL.Path
	switch {
	case a.HasAsset(path):
		return a.Document(path)(w, r)
	case a.HasTwin(path):
		return a.Twin(strings.TrimSuffix(path, contract.SuffixMarkdown))(w, r)
	}
	return a.Page(path)(w, r)
}

func prefersMarkdown(r *http.Request) bool {
	accept := negotiate.Parse(r.Header.Values("Accept"))
	return accept.Best(contract.TypeHTML, contract.TypeMarkdown) == contract.TypeMarkdown
}

// pageNotFound answers for a page that a reload of the content has removed.
func pageNotFound() error {
	return &contract.Error{Code: contract.NotFound, Detail: "There is no page at this path."}
}
