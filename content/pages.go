package content

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// pageEnding is what a page's file name ends with.
const pageEnding = ".md"

// taken are the names of pages that the service has itself, or under which it has
// something else. The pages home, pricing, faq, developers and contact are the
// owner's words on a page of the service.
var taken = []string{"api", "ask", "assets", "auth", "index", "mcp", "v1"}

// pages reads the folder of pages, when there is one.
func (l *loader) pages() {
	if !l.has(pagesFolder) {
		return
	}
	found, err := fs.ReadDir(l.fsys, pagesFolder)
	if err != nil {
		l.source(pagesFolder).fault(0, "the folder cannot be read: "+err.Error(), "")
		return
	}
	for _, entry := range found {
		if !isOwnersOwn(entry.Name()) {
			l.page(l.source(path.Join(pagesFolder, entry.Name())), entry)
		}
	}
}

func (l *loader) page(s *source, file fs.DirEntry) {
	name, ok := strings.CutSuffix(file.Name(), pageEnding)
	if file.IsDir() || !ok {
		s.fault(0, "a page is a file whose name ends with "+pageEnding, "")
		return
	}
	if !idForm.MatchString(name) {
		s.fault(0, "the name is not valid", "it becomes an address: only a-z, 0-9 and the hyphen before "+pageEnding)
	}
	if slices.Contains(taken, name) {
		s.fault(0, "the name is taken", "/"+name+" is an address of the service itself")
	}
	markdown, ok := s.read(l.fsys)
	if !ok {
		return
	}
	if strings.TrimSpace(string(markdown)) == "" {
		s.fault(0, "the page is empty", "")
	}
	l.content.Pages = append(l.content.Pages, Page{Name: name, Markdown: string(markdown)})
}
