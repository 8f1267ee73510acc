package discovery

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"frontdesk/contract"
)

// ListedPage is a page as the documents list it.
type ListedPage struct {
	Path     string
	Title    string // the page's first heading
	About    string // one line; empty for a page of the owner's own
	Markdown []byte
}

// known are the pages that every service has, in the order in which they help an
// agent most.
var known = []struct{ path, about string }{
	{contract.PathHome, "what is offered, in short"},
	{contract.PathDevelopers, "every endpoint, field, limit and error, with examples, and how to connect by MCP"},
	{contract.PathPricing, "services and prices"},
	{contract.PathFAQ, "every approved question and answer"},
	{contract.PathAuthPage, "there is nothing to register: how an agent gets access"},
}

// ListPages puts the pages of the site in order: the known ones, then those of the
// owner by their path. A page that is a form alone is not listed.
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

// rank is the place of a path among the known ones, or the one after them.
func rank(path string) int {
	for i, page := range known {
		if page.path == path {
			return i
		}
	}
	return len(known)
}

// heading is the first heading of a Markdown text, without an id of its own.
func heading(markdown []byte) string {
	for line := range strings.Lines(string(markdown)) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			title, _, _ = strings.Cut(title, "{#")
			return strings.TrimSpace(title)
		}
	}
	return ""
}
