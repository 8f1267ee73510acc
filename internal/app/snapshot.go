package app

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
	"frontdesk/faq/meaning"
	"frontdesk/internal/discovery"
	"frontdesk/internal/gaps"
	"frontdesk/internal/owner"
	"frontdesk/internal/pilot"
	"frontdesk/internal/site"
	"frontdesk/mcpserver"
)

// snapshot is content as it is served: checked, indexed and encoded, once.
type snapshot struct {
	content *content.Content
	state   content.State // of the folder it was read from
	book    *faq.Book
	untried bool                  // its golden questions have not been tried, so only approved wordings are answered
	cascade *faq.Cascade          // the book with the model; made when it goes live
	facts   discovery.Publication // what every document is made of
	site    *site.Site
	core    *mcpserver.Core // what the MCP tools call; nil for a snapshot without MCP servers

	publishing sync.Mutex
	current    *published // guarded by publishing; nil before the first use

	comparing sync.Once                   // begins the comparison of its entries
	check     atomic.Pointer[owner.Check] // for the owner
}

// builder makes snapshots of loaded content. One with only a book checks content.
type builder struct {
	newBook   faq.Maker       // trains the selector, which takes longer than the rest of a start
	reader    *meaning.Reader // of newBook; nil without an encoder
	at        discovery.Addresses
	origins   []string        // of the pages whose requests the service answers
	core      *mcpserver.Core // nil makes no MCP servers
	proofs    map[string]string
	mostAsked func() []string // ids of entries, the most asked first; nil if that is not known
	cache     string          // folder of smaller variants of photos; empty keeps none
}

// train makes the book of loaded content. It fails when ctx ends, and when the golden questions of the content do not
// hold.
func (b builder) train(ctx context.Context, loaded *content.Content) (*faq.Book, error) {
	release, err := faq.Prepare(ctx, b.reader, loaded.FAQ, loaded.Golden)
	defer release()
	if err != nil {
		return nil, err
	}
	book := b.newBook(loaded.FAQ, loaded.Golden.Unanswered, b.at.Resolve)
	faults := book.CheckGolden(ctx, loaded.Golden)
	if ctx.Err() == nil && len(faults) > 0 {
		return nil, faults
	}
	return book, ctx.Err()
}

// trial returns what makes books of changed entries of a content, to check them.
func (b builder) trial(of *content.Content) func(content.FAQ) *faq.Book {
	return func(entries content.FAQ) *faq.Book {
		return b.newBook(entries, of.Golden.Unanswered, discovery.Addresses{}.Resolve)
	}
}

// snapshot builds what is served from loaded content and the book of its answers. What it
// publishes is made on first use.
func (b builder) snapshot(loaded *content.Content, state content.State, book *faq.Book) (*snapshot, error) {
	s := &snapshot{content: loaded, state: state, book: book, core: b.core}
	s.facts = discovery.Publication{Content: loaded, At: b.at, Catalog: discovery.Catalog(loaded, b.at),
		Loaded: time.Now(), Proofs: b.proofs}
	var err error
	s.site, err = site.New(site.Source{
		Content: loaded, Catalog: s.facts.Catalog, Base: b.at.Base, Origins: b.origins,
		Auth: string(discovery.AuthGuide(&s.facts)), Cache: b.cache, MostAsked: b.mostAsked,
	})
	return s, err
}

// build trains a book and completes its snapshot.
func (b builder) build(ctx context.Context, loaded *content.Content, state content.State) (*snapshot, error) {
	book, err := b.train(ctx, loaded)
	if err != nil {
		return nil, err
	}
	return b.complete(loaded, state, book)
}

// complete is snapshot with everything that it publishes, to be served at once.
func (b builder) complete(loaded *content.Content, state content.State, book *faq.Book) (*snapshot, error) {
	made, err := b.snapshot(loaded, state, book)
	if err == nil {
		made.published()
	}
	return made, err
}

// LoadContent reads a content folder, or the embedded sample when dir is empty.
func LoadContent(dir string) (*content.Content, error) {
	loaded, _, err := loadState(dir)
	return loaded, err
}

// loadState is LoadContent with the state in which the folder was read, also when
// that is a bad one.
func loadState(dir string) (*content.Content, content.State, error) {
	if dir == "" {
		return content.LoadState(content.Sample())
	}
	folder, err := os.OpenRoot(dir) // links that leave the folder are refused
	if err != nil {
		return nil, content.State{}, fmt.Errorf("FRONTDESK_CONTENT: %s is not a folder that can be read (%w); frontdesk "+
			"init %s makes one from the sample", dir, err, dir)
	}
	defer folder.Close()
	return content.LoadState(folder.FS())
}

// live is the snapshot that is served now. The handlers ask it at each request.
type live struct {
	model   faq.Model // nil for none
	keeper  *gaps.Recorder
	counts  *counts
	current atomic.Pointer[snapshot]
}

func (l *live) now() *snapshot { return l.current.Load() }

// swap makes a snapshot the one that is served.
func (l *live) swap(s *snapshot) {
	s.cascade = s.book.WithModel(l.model)
	if s.untried {
		s.cascade = s.book.WithModel(nil)
	}
	l.current.Store(s)
}

// Catalog implements Published.
func (l *live) Catalog() contract.Catalog { return l.now().facts.Catalog }

// Document returns the document that is published under a path of the route table.
func (l *live) Document(path string) *discovery.Document {
	return l.now().published().Document(path)
}

// Page returns the page that is published under a path of the route table.
func (l *live) Page(path string) *discovery.Page { return l.now().published().Page(path) }

// pages renders the pages of the live content.
func (l *live) pages() *site.Site { return l.now().site }

// errorPage is the page of an error outside the API.
func (l *live) errorPage(path string, err *contract.Error, mediaType string) []byte {
	return l.pages().Error(path, err, mediaType)
}

// wording is what the mails of pilot requests are written with.
func (l *live) wording() pilot.Wording { return wordingOf(l.now().content) }

// language is that of the business.
func (l *live) language() string { return l.wording().Language }

func wordingOf(c *content.Content) pilot.Wording {
	return pilot.Wording{Language: c.Language(), Tone: c.Business.Tone, Request: c.Request}
}

// Ask answers a question, for every face of the service.
func (l *live) Ask(ctx context.Context, q string) contract.Answer {
	return l.ask(ctx, l.now(), q)
}

// ask answers a question from a snapshot, keeps it as the settings say, and counts the
// answer. It waits for neither of the last two.
func (l *live) ask(ctx context.Context, from *snapshot, q string) contract.Answer {
	answer := from.cascade.Ask(ctx, q)
	l.keeper.Keep(ctx, q, answer)
	l.counts.asked(answer)
	return answer
}

// Has reports whether the live content has an entry.
func (l *live) Has(entryID string) bool { return l.now().book.Has(entryID) }

// Answered is the page of a question with its answer, both of the same content and, where
// the question leaves it open, in the same language.
func (l *live) Answered(ctx context.Context, path, q string) site.Page {
	now := l.now()
	ctx = faq.InLanguage(ctx, now.site.Language(path))
	return now.site.Asked(site.Asked{Path: path, Q: q, Answer: new(l.ask(ctx, now, q))})
}
