package discovery

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"frontdesk/contract"
)

// ListedPage is a page in the lists of the documents.
type ListedPage struct {
	Path     string
	Title    string // the page's first heading
	About    string // one line; empty for an owner's page
	Markdown []byte
}

// known are the pages that every service has, the most useful to an agent first.
var known = []struct{ path, about string }{
	{contract.PathHome, "what is offered, in short"},
	{contract.PathDevelopers, "every endpoint, field, limit and error, with examples, and how to connect by MCP"},
	{contract.PathPricing, "services and prices"},
	{contract.PathFAQ, "every approved question and answer"},
	{contract.PathAuthPage, "there is nothing to register: how an agent gets access"},
}

// ListPages puts the pages of the site in order: the known ones, then the owner's by
// path. Pages that are only a form are not listed.
func ListPages(pages map[string]*Page) []ListedPage {
	var listed []ListedPage
	for path, page := range maps.All(pages) {
		if path == contract.PathAskPage || path == contract.PathContactPage {
			continue
		}
		markdown := page.Markdown.Body.Bytes
		entry := ListedPage{Path: path, Title: heading(markdown), Markdown: markdown}
		if i := rank(path); i < len(known) {
			entry.About = known[i].about
		}
		listed = append(listed, entry)
	}
	slices.SortFunc(listed, func(a, b ListedPage) int {
		return cmp.Or(cmp.Compare(rank(a.Path), rank(b.Path)), cmp.Compare(a.Path, b.Path))
	})
	return listed
}

// rank returns the place of a path among the known pages, or the place after them.
func rank(path string) int {
	for i, page := range known {
		if page.path == path {
			return i
		}
	}
	return len(known)
}

// heading returns the first heading of a Markdown text, without its id.
func heading(markdown []byte) string {
	for line := range strings.Lines(string(markdown)) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			title, _, _ = strings.Cut(title, "{#")
			return strings.TrimSpace(title)
		}
	}
	return ""
}
