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
	"frontdesk/site"
)

// snapshot is content as it is served: checked, indexed and encoded, once.
type snapshot struct {
	content                        *content.Content
	catalog                        *discovery.Document
	developersHTML, developersText *discovery.Document
	book                           *faq.Book
}

// newSnapshot builds what is served from content. It fails when the content does
// not hold its golden questions.
func newSnapshot(c *content.Content, at discovery.Addresses) (*snapshot, error) {
	book := faq.New(c.FAQ, at.Resolve)
	if faults := book.CheckGolden(c.Golden); len(faults) > 0 {
		return nil, faults
	}
	html, markdown := site.Developers(c.Business.Name, at.Base)
	return &snapshot{
		content:        c,
		catalog:        discovery.CatalogDocument(discovery.Catalog(c, at)),
		developersHTML: discovery.NewDocument(contract.TypeHTML+"; charset=utf-8", html),
		developersText: discovery.NewDocument(contract.TypeMarkdown+"; charset=utf-8", markdown),
		book:           book,
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
type live struct{ current atomic.Pointer[snapshot] }

func (l *live) Catalog() *discovery.Document { return l.current.Load().catalog }

func (l *live) Developers() (html, markdown *discovery.Document) {
	now := l.current.Load()
	return now.developersHTML, now.developersText
}

func (l *live) Ask(ctx context.Context, q string) contract.Answer {
	return l.current.Load().book.Ask(ctx, q)
}

func (l *live) Has(entryID string) bool { return l.current.Load().book.Has(entryID) }
