package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/discovery"
	"frontdesk/faq"
	"frontdesk/pilot"
	"frontdesk/site"
)

// snapshot is content as it is served: checked, indexed and encoded, once.
type snapshot struct {
	content *content.Content
	book    *faq.Book
	facts   discovery.Publication // what every document is made of
	site    *site.Site
	current atomic.Pointer[published]
}

// published is what a snapshot publishes until an entry of it expires.
type published struct {
	documents map[string]*discovery.Document
	pages     map[string]*discovery.Page
	until     time.Time // zero when nothing expires
}

// newSnapshot builds what is served from content. It fails when the content does
// not hold its golden questions.
func newSnapshot(c *content.Content, at discovery.Addresses) (*snapshot, error) {
	book := faq.New(c.FAQ, at.Resolve)
	if faults := book.CheckGolden(c.Golden); len(faults) > 0 {
		return nil, faults
	}
	s := &snapshot{content: c, book: book}
	s.facts = discovery.Publication{Content: c, At: at, Catalog: discovery.Catalog(c, at), Loaded: time.Now()}
	s.site = site.New(site.Source{
		Content: c, Catalog: s.facts.Catalog, Base: at.Base, Auth: string(discovery.AuthGuide(&s.facts)),
	})
	s.publish(time.Now())
	return s, nil
}

// published is what is published now: made once, and again on the day after the
// last day of an entry. Two requests may make it at once; it is the same.
func (s *snapshot) published() *published {
	now := s.current.Load()
	if !now.until.IsZero() && !time.Now().Before(now.until) {
		return s.publish(time.Now())
	}
	return now
}

func (s *snapshot) publish(now time.Time) *published {
	p := &published{pages: map[string]*discovery.Page{}, until: s.site.Changes(now)}
	for path, page := range s.site.Pages(now) {
		p.pages[path] = discovery.NewPage(page.HTML, page.Markdown).With(s.facts.At, path)
		// A page is looked at anew each time, so that it never asks for the style
		// sheet of an older version; its ETag makes that cheap.
		p.pages[path].HTML.Header["Cache-Control"] = []string{"no-cache"}
	}
	p.documents = s.documents(p.pages, now)
	for _, asset := range site.Assets() {
		p.documents[asset.Path] = discovery.NewDocument(asset.Type, asset.Bytes)
		p.documents[asset.Path].Header = map[string][]string{"Cache-Control": {"public, max-age=31536000, immutable"}}
	}
	s.current.Store(p)
	return p
}

// documents makes the documents that describe the service. Their examples are what
// the service answers.
func (s *snapshot) documents(pages map[string]*discovery.Page, now time.Time) map[string]*discovery.Document {
	facts := s.facts
	facts.Pages = discovery.ListPages(pages)
	sample := discovery.NewSampleRequests(s.content, now)
	// The owner's addresses are no part of a preview but of its digest alone.
	desk := pilot.Desk{Mail: pilot.Addresses{From: "desk@example.com", To: "owner@example.com"}, BaseURL: facts.At.Base}
	facts.Examples = discovery.Examples{
		Requests: sample,
		Answered: s.book.Ask(context.Background(), sample.Answered),
		Fallback: s.book.Ask(context.Background(), sample.Unanswered),
		Preview:  desk.Preview(sample.Pilot),
	}
	return discovery.Documents(&facts)
}

// loadContent reads a content folder, or the embedded sample when dir is empty.
func loadContent(dir string) (*content.Content, error) {
	folder := content.Sample()
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
func (l *live) Document(path string) *discovery.Document {
	return l.current.Load().published().documents[path]
}

// Page returns the page that is published under a path of the route table.
func (l *live) Page(path string) *discovery.Page { return l.current.Load().published().pages[path] }

// Asked is the page that answers the form of a question.
func (l *live) Asked(asked site.Asked) site.Page { return l.current.Load().site.Asked(asked) }

// Contacted is the page that answers the form of a pilot request.
func (l *live) Contacted(contacted site.Contacted) site.Page {
	return l.current.Load().site.Contacted(contacted)
}

// ErrorPage is the page of an error outside the API.
func (l *live) ErrorPage(problem contract.Problem, mediaType string) []byte {
	return l.current.Load().site.Error(problem, mediaType)
}

// Ask answers a question from the live content.
func (l *live) Ask(ctx context.Context, q string) contract.Answer {
	return l.current.Load().book.Ask(ctx, q)
}

// Has reports whether the live content has an entry.
func (l *live) Has(entryID string) bool { return l.current.Load().book.Has(entryID) }
