package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/discovery"
	"frontdesk/faq"
	"frontdesk/mcpserver"
	"frontdesk/site"
)

// snapshot is content as it is served: checked, indexed and encoded, once.
type snapshot struct {
	content   *content.Content
	book      *faq.Book
	catalog   contract.Catalog
	documents map[string]*discovery.Document
	pages     map[string]*discovery.Page

	// The MCP servers of a snapshot that is published; see publish.
	website, workspace *mcpserver.Server
}

// newSnapshot builds what is served from content. It fails when the content does
// not hold its golden questions.
func newSnapshot(c *content.Content, at discovery.Addresses) (*snapshot, error) {
	book := faq.New(c.FAQ, at.Resolve)
	if faults := book.CheckGolden(c.Golden); len(faults) > 0 {
		return nil, faults
	}
	catalog := discovery.Catalog(c, at)
	return &snapshot{
		content: c,
		book:    book,
		catalog: catalog,
		documents: map[string]*discovery.Document{
			contract.PathCatalog: discovery.CatalogDocument(catalog),
		},
		pages: map[string]*discovery.Page{
			contract.PathDevelopers: discovery.NewPage(site.Developers(c.Business.Name, at.Base)),
		},
	}, nil
}

// Document returns the document that is published under a path of the route table.
func (s *snapshot) Document(path string) *discovery.Document { return s.documents[path] }

// Page returns the page that is published under a path of the route table.
func (s *snapshot) Page(path string) *discovery.Page { return s.pages[path] }

// loadContent reads a content folder, or the embedded sample when dir is empty.
func loadContent(dir string) (*content.Content, error) {
	var folder fs.FS = content.Sample()
	if dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("FRONTDESK_CONTENT: %s is not a folder; frontdesk init %s makes one from the sample", dir, dir)
		}
		folder = os.DirFS(dir)
	}
	return content.Load(folder)
}

// live is the snapshot that is served now. The handlers ask it at each request.
type live struct{ current atomic.Pointer[snapshot] }

// Document returns the document that is published under a path of the route table.
func (l *live) Document(path string) *discovery.Document { return l.current.Load().Document(path) }

// Page returns the page that is published under a path of the route table.
func (l *live) Page(path string) *discovery.Page { return l.current.Load().Page(path) }

// Ask answers a question from the live content.
func (l *live) Ask(ctx context.Context, q string) contract.Answer {
	return l.current.Load().book.Ask(ctx, q)
}

// Has reports whether the live content has an entry.
func (l *live) Has(entryID string) bool { return l.current.Load().book.Has(entryID) }
