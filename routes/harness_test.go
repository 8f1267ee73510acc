package routes

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/handlers"
	"frontdesk/internal/discovery"
	"frontdesk/internal/pilot"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
	"frontdesk/internal/site"
	"frontdesk/internal/workspace"
	"frontdesk/mcpserver"
	"frontdesk/middleware"
)

const base = "https://desk.example"

// courier counts what would be mailed. The real one talks to a mail server, which
// cannot live in a synctest bubble; package main's tests run it, with keys too.
type courier struct {
	pilot.Courier
	mu   sync.Mutex
	sent []records.Inquiry
	fail error
}

func (c *courier) Deliver(_ context.Context, inquiry records.Inquiry, _ records.Key) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = append(c.sent, inquiry)
	return c.fail
}

// drafts counts what would be stored, without a database for the same reason.
type drafts struct {
	mu    sync.Mutex
	added []records.Workspace
}

func (d *drafts) AddWorkspace(_ context.Context, draft records.Workspace) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.added = append(d.added, draft)
	return nil
}

type feedbacks struct{ err error }

func (f feedbacks) AddFeedback(context.Context, records.Feedback) error { return f.err }

// book is the sample's answers, and panics on one question.
type book struct{ *faq.Book }

func (b book) Ask(ctx context.Context, q string) contract.Answer {
	if q == "panic" {
		panic("as asked")
	}
	return b.Book.Ask(ctx, q)
}

// documents publishes the catalog and the site of the sample.
type documents struct {
	*site.Site
	documents map[string]*discovery.Document
	pages     map[string]*discovery.Page
}

// sampleBook is made once too: that trains its selector.
var sampleBook = sync.OnceValue(func() *faq.Book {
	content, _ := sample()
	return faq.New(content.FAQ, content.Golden.Unanswered, faq.DefaultPrecision, discovery.Addresses{Base: base}.Resolve)
})

// sample is what every front publishes; it never changes, so it is made once.
var sample = sync.OnceValues(func() (*content.Content, documents) {
	c, err := content.Load(content.Sample())
	if err != nil {
		panic(err)
	}
	return c, publish(c, discovery.Addresses{Base: base})
})

func publish(c *content.Content, at discovery.Addresses) documents {
	catalog := discovery.Catalog(c, at)
	d := documents{
		Site:      site.New(site.Source{Content: c, Catalog: catalog, Base: at.Base, Auth: "# auth.md\n"}),
		documents: map[string]*discovery.Document{contract.PathCatalog: discovery.CatalogDocument(catalog)},
		pages:     map[string]*discovery.Page{},
	}
	for path, page := range d.Pages(time.Now()) {
		d.pages[path] = discovery.NewPage(page.HTML, page.Markdown).With(at, path)
	}
	for _, asset := range site.Assets() {
		d.documents[asset.Path] = discovery.NewDocument(asset.Type, asset.Bytes)
	}
	return d
}

func (d documents) Answered(ctx context.Context, q string) site.Page {
	return d.Asked(site.Asked{Q: q, Answer: new(book{sampleBook()}.Ask(ctx, q))})
}

func (d documents) Document(path string) *discovery.Document { return d.documents[path] }

func (d documents) Page(path string) *discovery.Page { return d.pages[path] }

// front is the whole HTTP face on the sample content, without a network.
type front struct {
	http.Handler
	courier *courier
	table   []Route
	drafts  *drafts
}

func newFront(t testing.TB) front {
	t.Helper()
	return newFrontWith(t, zerolog.Nop())
}

func newFrontWith(t testing.TB, log zerolog.Logger) front {
	t.Helper()
	content, published := sample()
	limiters := NewLimiters(nil)
	courier, drafts := &courier{}, &drafts{}
	at := discovery.Addresses{Base: base}
	catalog := discovery.Catalog(content, at)
	api := &handlers.API{
		Documents: published,
		Forms:     published,
		Answers:   book{sampleBook()},
		Pilots: &pilot.Desk{
			Mail:    pilot.Addresses{From: "desk@desk.example", To: "owner@desk.example"},
			BaseURL: base, Limit: limiters.Contact, Courier: courier,
		},
		Feedbacks:    feedbacks{},
		Keys:         func() *signing.Directory { return directory(t) },
		AskLimit:     limiters.Ask,
		ContactLimit: limiters.Contact,
	}
	core := &mcpserver.Core{
		Answers: api.Answers, AskLimit: limiters.Ask,
		Pilots: api.Pilots, ContactLimit: limiters.Contact,
		Trials: &workspace.Desk{Limit: limiters.Trial, Store: drafts}, TrialLimit: limiters.Trial,
	}
	website, workspace := core.Website(catalog, published), core.Workspace(catalog)
	mcp := MCP{
		Website:   &mcpserver.Handler{Current: func() *mcpserver.Server { return website }},
		Workspace: &mcpserver.Handler{Current: func() *mcpserver.Server { return workspace }},
	}
	settings := config()
	settings.Log = log
	table := Table(api, mcp, limiters)
	return front{New(table, settings), courier, table, drafts}
}

func config() Config {
	return Config{
		Log:      zerolog.Nop(),
		Origins:  middleware.Origins{Base: base},
		Problems: &middleware.Problems{BaseURL: base},
		Signer:   signing.NewAnswers(serviceKey()),
		// Tests name the client in X-Forwarded-For.
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, // httptest's peer
	}
}

// post sends a body as a client of the given address.
func (f front) post(t testing.TB, client, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return f.send(t, client, http.MethodPost, path, body, header...)
}

func (f front) send(t testing.TB, client, method, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("X-Forwarded-For", client)
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

func rate(w *httptest.ResponseRecorder) string { return w.Header().Get(contract.HeaderRateLimit) }

const (
	alice = "198.51.100.1"
	bob   = "198.51.100.2"

	ask   = `{"q":"Who is it for?"}`
	valid = `"name":"Ada","business":"AE","email":"ada@example.com","message":"Hello"`
	real  = `{` + valid + `}`
	dry   = `{` + valid + `,"dry_run":true}`
)

var errDelivery = &contract.Error{Code: contract.BadGateway, Detail: "The mail server refuses.", Cause: errors.New("452")}
