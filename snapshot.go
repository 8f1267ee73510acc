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
	"frontdesk/gaps"
	"frontdesk/site"
)

// snapshot is content as it is served: checked, indexed and encoded, once.
type snapshot struct {
	content   *content.Content
	book      *faq.Book
	ladder    *faq.Ladder // the book with the model's rung; made when it goes live
	documents map[string]*discovery.Document
	pages     map[string]*discovery.Page
}

// newSnapshot builds what is served from content. It fails when the content does
// not hold its golden questions. The share precision of the selector's answers shall
// be right.
func newSnapshot(c *content.Content, precision float64, at discovery.Addresses) (*snapshot, error) {
	book := faq.New(c.FAQ, precision, at.Resolve)
	if faults := book.CheckGolden(c.Golden); len(faults) > 0 {
		return nil, faults
	}
	return &snapshot{
		content: c,
		book:    book,
		documents: map[string]*discovery.Document{
			contract.PathCatalog: discovery.CatalogDocument(discovery.Catalog(c, at)),
		},
		pages: map[string]*discovery.Page{
			contract.PathDevelopers: discovery.NewPage(site.Developers(c.Business.Name, at.Base)),
		},
	}, nil
}

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
type live struct {
	current atomic.Pointer[snapshot]
	model   faq.Model    // nil for none; outlives the snapshots, with its cap and breaker
	gaps    *gaps.Keeper // nil keeps nothing
}

// swap makes a snapshot the one that is served.
func (l *live) swap(s *snapshot) {
	s.ladder = s.book.WithModel(l.model)
	l.current.Store(s)
}

// Document returns the document that is published under a path of the route table.
func (l *live) Document(path string) *discovery.Document { return l.current.Load().documents[path] }

// Page returns the page that is published under a path of the route table.
func (l *live) Page(path string) *discovery.Page { return l.current.Load().pages[path] }

// Ask answers a question from the live content, for every face of the service.
func (l *live) Ask(ctx context.Context, q string) contract.Answer {
	answer := l.current.Load().ladder.Ask(ctx, q)
	l.gaps.Answered(q, answer)
	return answer
}

// Has reports whether the live content has an entry.
func (l *live) Has(entryID string) bool { return l.current.Load().book.Has(entryID) }
