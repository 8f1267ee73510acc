// Package live is the content as it is served. It loads a folder, trains the selector, tries the golden questions and
// replaces one snapshot by the next. Content that fails any of this never goes live.
package live

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
	"frontdesk/internal/metrics"
	"frontdesk/internal/pilot"
	"frontdesk/internal/site"
	"frontdesk/mcpserver"
)

// State is how the live content answers questions. Start leaves Loading for Ready, or for Encoding when the selector
// takes longer than Patience. Encoding ends in Ready, or in WordsOnly when a golden question fails. A reload
// of good content ends in Ready; one of bad content changes nothing.
type State string

// The states of Content.
const (
	Loading   State = "loading"    // nothing is served yet
	Encoding  State = "encoding"   // the encoder reads the content, so only approved wordings are answered
	Ready     State = "ready"      // the selector answers
	WordsOnly State = "words only" // only approved wordings are answered until the content is corrected
)

// Patience is how long a start waits for the selector before it serves without it.
const Patience = 10 * time.Second

// Config is what Content needs of the service. Load needs Builder, Folder and Log, Start everything.
type Config struct {
	Builder
	Folder string // empty for the embedded sample
	Log    zerolog.Logger

	Model faq.Model // nil for none
	// Answered is called with every answer, and must not block.
	Answered func(ctx context.Context, q string, answer contract.Answer)
	Also     func() error // reads what a requested reload reads besides the content
	Count    func(metrics.Reload)
	Refused  func(revision string, faults int)             // is called with content that did not go live
	Changed  func(ctx context.Context, from, to *Snapshot) // is called when changed files are live
}

// Content is the content that a service serves.
type Content struct {
	Config
	Patience time.Duration // how long Start waits for the selector
	current  atomic.Pointer[serving]
	previews *lru.Cache[string, *Snapshot] // of changes that were tried, by revision
	requests chan chan<- error             // reloads whose callers wait for the verdict
	ended    chan struct{}                 // closed at the end of Run

	loaded   *content.Content             // that Start begins with
	read     content.Digest               // of the folder when it was last read
	training <-chan result[*faq.Answerer] // of loaded
}

// serving is a snapshot and how it answers. It never changes.
type serving struct {
	*Snapshot
	state   State
	reason  error        // why the state is WordsOnly
	cascade *faq.Cascade // the answerer, when Ready with the model
}

// maxPreviews is how many tried changes can be looked at; each is as large as the live content.
const maxPreviews = 2

// New returns Content that is Loading.
func New(config Config) *Content {
	previews, _ := lru.New[string, *Snapshot](maxPreviews) // its only error is a size below 1
	return &Content{Config: config, Patience: Patience, previews: previews, requests: make(chan chan<- error),
		ended: make(chan struct{})}
}

// enter serves a snapshot in a state.
func (c *Content) enter(state State, s *Snapshot, reason error) {
	var model faq.Model
	if state == Ready {
		model = c.Model
	}
	c.current.Store(&serving{Snapshot: s, state: state, reason: reason, cascade: s.Answerer.WithModel(model)})
}

// State returns the state, and the error for which it is WordsOnly.
func (c *Content) State() (State, error) {
	now := c.current.Load()
	if now == nil {
		return Loading, nil
	}
	return now.state, now.reason
}

// Now returns the snapshot that is served.
func (c *Content) Now() *Snapshot { return c.current.Load().Snapshot }

// Progress returns how many texts the encoder has read, and how many there are.
func (c *Content) Progress() (read, texts int) { return c.Embedder.Progress() }

// Publication returns what the documents are made of, without pages and examples.
func (c *Content) Publication() discovery.Publication { return c.Now().facts }

// Document returns the document that is published under a path of the route table.
func (c *Content) Document(path string) *discovery.Document {
	return c.Now().published().Document(path)
}

// Page returns the page that is published under a path of the route table.
func (c *Content) Page(path string) *discovery.Page { return c.Now().published().Page(path) }

// Website returns the MCP server of the website.
func (c *Content) Website() *mcpserver.Server { return c.Now().published().website }

// Workspace returns the MCP server of the workspace, or nil without trials.
func (c *Content) Workspace() *mcpserver.Server { return c.Now().published().workspace }

// Site renders the pages.
func (c *Content) Site() *site.Site { return c.Now().site }

// ErrorPage returns the page of an error outside the API.
func (c *Content) ErrorPage(path string, err *contract.Error, mediaType string) []byte {
	return c.Site().Error(path, err, mediaType)
}

// StyleSheet returns the site's style sheet, with the owner's colours.
func (c *Content) StyleSheet() []byte {
	for _, asset := range c.Site().Assets() {
		if strings.HasPrefix(asset.Type, "text/css") {
			return asset.Bytes
		}
	}
	return nil
}

// Wording is what the mails of pilot requests are written with.
func (c *Content) Wording() pilot.Wording { return wordingOf(c.Now().Content) }

// Language returns the language of the business.
func (c *Content) Language() string { return c.Wording().Language }

func wordingOf(c *content.Content) pilot.Wording {
	return pilot.Wording{Language: c.Language(), Tone: c.Tone, Request: c.Request}
}

// Has reports whether the content has an entry.
func (c *Content) Has(entryID string) bool { return c.Now().Answerer.Has(entryID) }

// Ask answers a question.
func (c *Content) Ask(ctx context.Context, q string) contract.Answer {
	return c.ask(ctx, c.current.Load(), q)
}

func (c *Content) ask(ctx context.Context, from *serving, q string) contract.Answer {
	answer := from.cascade.Ask(ctx, q)
	c.Answered(ctx, q, answer)
	return answer
}

// AnswerPage returns the page of a question with its answer, both of the same snapshot and, where the question leaves
// it open, in the same language.
func (c *Content) AnswerPage(ctx context.Context, path, q string) site.Page {
	now := c.current.Load()
	ctx = faq.InLanguage(ctx, now.site.Language(path))
	return now.site.Asked(site.Asked{Path: path, Q: q, Answer: new(c.ask(ctx, now, q))})
}

// Describe says which content is live.
func (c *Content) Describe() string {
	now := c.Now()
	return fmt.Sprintf("content revision %s is live, %d entries", now.Revision(), now.Content.FAQ.Count())
}
