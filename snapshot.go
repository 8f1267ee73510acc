package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
	"frontdesk/internal/gaps"
	"frontdesk/internal/metrics"
	"frontdesk/internal/site"
	"frontdesk/mcpserver"
)

// snapshot is content as it is served: checked, indexed and encoded, once.
type snapshot struct {
	content *content.Content
	state   content.State // of the folder that it was read from
	book    *faq.Book
	ladder  *faq.Ladder           // the book with the model's rung; made when it goes live
	facts   discovery.Publication // what every document is made of
	site    *site.Site
	core    *mcpserver.Core // what the MCP servers call; nil when there are none

	publishing sync.Mutex
	current    atomic.Pointer[published]
}

// newSnapshot puts together what is served from content and the book of its answers.
// It fails when the content does not hold its golden questions. What it publishes is
// made when that is first wanted. Without a core it has no MCP servers: enough to
// check the content.
func newSnapshot(c *content.Content, book *faq.Book, at discovery.Addresses, core *mcpserver.Core) (*snapshot, error) {
	if faults := book.CheckGolden(c.Golden); len(faults) > 0 {
		return nil, faults
	}
	s := &snapshot{content: c, book: book, core: core}
	s.facts = discovery.Publication{Content: c, At: at, Catalog: discovery.Catalog(c, at), Loaded: time.Now()}
	s.site = site.New(site.Source{
		Content: c, Catalog: s.facts.Catalog, Base: at.Base, Auth: string(discovery.AuthGuide(&s.facts)),
	})
	return s, nil
}

// loadContent reads a content folder, or the embedded sample when dir is empty.
func loadContent(dir string) (*content.Content, error) {
	loaded, _, err := loadState(dir)
	return loaded, err
}

// loadState is loadContent with the state in which the folder was read, also when
// that is a bad one.
func loadState(dir string) (*content.Content, content.State, error) {
	if dir == "" {
		return content.LoadState(content.Sample())
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, content.State{}, fmt.Errorf("FRONTDESK_CONTENT: %s is not a folder; frontdesk init %s makes one from the sample", dir, dir)
	}
	return content.LoadState(os.DirFS(dir))
}

// live is the snapshot that is served now. The handlers ask it at each request.
type live struct {
	current atomic.Pointer[snapshot]
	model   faq.Model    // nil for none; outlives the snapshots, with its cap and breaker
	gaps    *gaps.Keeper // nil keeps nothing
	metrics *metrics.Metrics
}

// swap makes a snapshot the one that is served.
func (l *live) swap(s *snapshot) {
	s.ladder = s.book.WithModel(l.model)
	l.current.Store(s)
}

// Document returns the document that is published under a path of the route table.
func (l *live) Document(path string) *discovery.Document {
	return l.current.Load().published().Document(path)
}

// Page returns the page that is published under a path of the route table.
func (l *live) Page(path string) *discovery.Page { return l.current.Load().published().Page(path) }

// Answered is the page of a question with its answer, both of the same content.
func (l *live) Answered(ctx context.Context, q string) site.Page {
	now := l.current.Load()
	return now.site.Asked(site.Asked{Q: q, Answer: new(l.ask(ctx, now, q))})
}

// Asked is the page of a question that was refused.
func (l *live) Asked(asked site.Asked) site.Page { return l.current.Load().site.Asked(asked) }

// Contacted is the page that answers the form of a pilot request.
func (l *live) Contacted(contacted site.Contacted) site.Page {
	return l.current.Load().site.Contacted(contacted)
}

// ErrorPage is the page of an error outside the API.
func (l *live) ErrorPage(problem contract.Problem, mediaType string) []byte {
	return l.current.Load().site.Error(problem, mediaType)
}

// Ask answers a question from the live content, for every face of the service.
func (l *live) Ask(ctx context.Context, q string) contract.Answer {
	return l.ask(ctx, l.current.Load(), q)
}

func (l *live) ask(ctx context.Context, now *snapshot, q string) contract.Answer {
	answer := now.ladder.Ask(ctx, q)
	l.gaps.Answered(q, answer)
	l.metrics.Asked(answer)
	return answer
}

// Has reports whether the live content has an entry.
func (l *live) Has(entryID string) bool { return l.current.Load().book.Has(entryID) }
