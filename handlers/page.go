package handlers

import (
	"net/http"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/negotiate"
	"frontdesk/internal/site"
)

// Page answers with the page that is published under path: HTML or, where that is
// preferred, Markdown (section 1).
func (a *API) Page(path string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		page := a.Documents.Page(path)
		if page == nil {
			return notFound()
		}
		addVary(w.Header(), "Accept")
		if wantsMarkdown(r) {
			return write(w, r, page.Markdown)
		}
		return write(w, r, page.HTML)
	}
}

// Twin answers with the page that is published under path as Markdown, whatever the
// client accepts.
func (a *API) Twin(path string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		page := a.Documents.Page(path)
		if page == nil {
			return notFound()
		}
		return write(w, r, page.Markdown)
	}
}

// HasPage reports whether a page is published under path now.
func (a *API) HasPage(path string) bool { return a.Documents.Page(path) != nil }

// OwnPage answers with the page that the content names like the path of the
// request.
func (a *API) OwnPage(w http.ResponseWriter, r *http.Request) error {
	return a.Page(r.URL.Path)(w, r)
}

// HasTwin reports whether path is the Markdown twin of a page.
func (a *API) HasTwin(path string) bool {
	page, ok := strings.CutSuffix(path, contract.SuffixMarkdown)
	return ok && path == contract.TwinPath(page) && a.HasPage(page)
}

// OwnTwin is OwnPage as Markdown.
func (a *API) OwnTwin(w http.ResponseWriter, r *http.Request) error {
	return a.Twin(strings.TrimSuffix(r.URL.Path, contract.SuffixMarkdown))(w, r)
}

// HasAsset reports whether path is that of an asset of the pages.
func (a *API) HasAsset(path string) bool {
	return strings.HasPrefix(path, site.PrefixAssets) && a.Documents.Document(path) != nil
}

// Asset answers with an asset of the pages.
func (a *API) Asset(w http.ResponseWriter, r *http.Request) error {
	return a.Document(r.URL.Path)(w, r)
}

func wantsMarkdown(r *http.Request) bool {
	return negotiate.Parse(r.Header["Accept"]).Best(contract.TypeHTML, contract.TypeMarkdown) == contract.TypeMarkdown
}

func write(w http.ResponseWriter, r *http.Request, document *discovery.Document) error {
	writeDocument(w, r, document)
	return nil
}

// notFound is the answer for a page that is gone with a reload of the content.
func notFound() error {
	return &contract.Error{Code: contract.NotFound, Detail: "There is no page at this path."}
}
