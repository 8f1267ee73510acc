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

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/discovery"
	"frontdesk/faq"
	"frontdesk/handlers"
	"frontdesk/mailer"
	"frontdesk/middleware"
	"frontdesk/pilot"
	"frontdesk/records"
)

const base = "https://desk.example"

// courier counts what would be mailed. The real one talks to a mail server, which
// cannot live in a synctest bubble; package main's tests run it.
type courier struct {
	mu   sync.Mutex
	sent []records.Inquiry
	fail error
}

func (c *courier) Deliver(_ context.Context, inquiry records.Inquiry, _ mailer.Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = append(c.sent, inquiry)
	return c.fail
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

// documents publishes the catalog, and one page everywhere.
type documents struct{ catalog *discovery.Document }

func (d documents) Document(string) *discovery.Document { return d.catalog }

func (d documents) Page(string) *discovery.Page {
	return discovery.NewPage([]byte("<p>page</p>"), []byte("page"))
}

// front is the whole HTTP face on the sample content, without a network.
type front struct {
	http.Handler
	courier *courier
}

func newFront(t testing.TB) front {
	t.Helper()
	return newFrontWith(t, zerolog.Nop())
}

func newFrontWith(t testing.TB, log zerolog.Logger) front {
	t.Helper()
	sample, err := content.Load(content.Sample())
	if err != nil {
		t.Fatal(err)
	}
	at := discovery.Addresses{Base: base}
	limiters := NewLimiters()
	courier := &courier{}
	api := &handlers.API{
		Documents: documents{discovery.CatalogDocument(discovery.Catalog(sample, at))},
		Answers:   book{faq.New(sample.FAQ, faq.DefaultPrecision, at.Resolve)},
		Pilots: &pilot.Desk{
			Mail:    pilot.Addresses{From: "desk@desk.example", To: "owner@desk.example"},
			BaseURL: base, Limit: limiters.Contact, Courier: courier,
		},
		Feedbacks:    feedbacks{},
		ContactLimit: limiters.Contact,
	}
	settings := config()
	settings.Log = log
	return front{New(Table(api, limiters), settings), courier}
}

func config() Config {
	return Config{
		Log:      zerolog.Nop(),
		Origins:  middleware.Origins{Base: base},
		Problems: &middleware.Problems{BaseURL: base},
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

// onWire is a header whose name stands in the map as it goes on the wire, where
// http.Header.Get does not look.
func onWire(header http.Header, name string) string { return strings.Join(header[name], "|") }

func rate(w *httptest.ResponseRecorder) string { return onWire(w.Header(), contract.HeaderRateLimit) }

const (
	alice = "198.51.100.1"
	bob   = "198.51.100.2"

	ask   = `{"q":"Who is it for?"}`
	valid = `"name":"Ada","business":"AE","email":"ada@example.com","message":"Hello"`
	real  = `{` + valid + `}`
	dry   = `{` + valid + `,"dry_run":true}`
)

var errDelivery = &contract.Error{Code: contract.BadGateway, Detail: "The mail server refuses.", Cause: errors.New("452")}
