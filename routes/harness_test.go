package routes_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/pilot"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
	"frontdesk/internal/workspace"
	"frontdesk/middleware"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

const base = "https://desk.example"

// outbox counts what would be mailed. A real mail server cannot run in a synctest
// bubble; test/contract uses one, also with keys.
type outbox struct {
	pilot.Outbox
	mu   sync.Mutex
	sent []records.Inquiry
	fail error
}

func (o *outbox) Find(context.Context, records.Inquiry, records.Key) (records.Inquiry, bool, error) {
	return records.Inquiry{}, false, nil
}

func (o *outbox) Deliver(ctx context.Context, inquiry records.Inquiry, _ records.Key, slot records.Slot) error {
	if err := slot.Take(ctx); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sent = append(o.sent, inquiry)
	return o.fail
}

// drafts counts stored workspaces. It is no database for the same reason.
type drafts struct {
	workspace.Store // no test sends a key

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

// book answers from the sample and panics on one question.
type book struct{ handlers.Answers }

func (b book) Ask(ctx context.Context, q string) contract.Answer {
	if q == "panic" {
		panic("as asked")
	}
	return b.Answers.Ask(ctx, q)
}

// front is the whole HTTP interface on the sample content, without a network.
type front struct {
	http.Handler
	outbox *outbox
	table  []routes.Route
	drafts *drafts
	layers routes.Config
}

func newFront(t testing.TB) front {
	t.Helper()
	return newFrontWith(t, zerolog.Nop(), nil)
}

// newFrontWith makes the service with a fake outbox and store and without a network.
// change may alter the configuration of the layers.
func newFrontWith(t testing.TB, log zerolog.Logger, change func(*routes.Config)) front {
	t.Helper()
	f := front{outbox: &outbox{}, drafts: &drafts{}}
	settings := config.Settings{
		Addr: "127.0.0.1:0", DataFolder: config.DataFolder{Data: t.TempDir()},
		MailServer: config.MailServer{SMTPURL: "file:"}, MailFrom: "desk@desk.example", MailTo: "owner@desk.example",
		SigningKey:     harness.PEMKey(t, 7),
		TrustedProxies: []string{"192.0.2.0/24"}, // httptest's peer: tests name the client in X-Forwarded-For
	}
	settings.BaseURL.Text = base
	service, err := app.New(t.Context(), settings, app.Options{Log: log, Replace: app.Replacements{
		Book: harness.Book,
		Wiring: func(w *app.Wiring) {
			w.API.Answers = book{w.API.Answers}
			w.Core.Answers = w.API.Answers
			w.API.Pilots.(*pilot.Requests).Outbox = f.outbox
			w.API.Feedbacks = feedbacks{}
			w.Core.Trials.(*workspace.Trials).Store = f.drafts
			if change != nil {
				change(&w.Layers)
			}
			f.layers = w.Layers
		},
		Handler: func(table []routes.Route, w app.Wiring) http.Handler {
			f.table = table
			return routes.New(table, w.Layers)
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Close)
	f.Handler = service.Handler()
	return f
}

// layers is the configuration of the layers of a service without content.
func layers() routes.Config {
	return routes.Config{
		Log:      zerolog.Nop(),
		Origins:  middleware.Origins{Base: base},
		Problems: &middleware.Problems{BaseURL: base},
		Signer:   signing.NewAnswers(serviceKey()),
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

func status(t *testing.T, what string, w *httptest.ResponseRecorder, want int, wantRate string) {
	t.Helper()
	if w.Code != want || rate(w) != wantRate {
		t.Fatalf("%s: %d %s, want %d %s: %s", what, w.Code, rate(w), want, wantRate, w.Body)
	}
}

const (
	alice = "198.51.100.1"
	bob   = "198.51.100.2"

	ask   = `{"q":"Who is it for?"}`
	valid = `"name":"Ada","business":"AE","email":"ada@example.com","message":"Hello"`
	real  = `{` + valid + `}`
	dry   = `{` + valid + `,"dry_run":true}`
)

var errDelivery = &contract.Error{Code: contract.BadGateway, Detail: "The mail server refuses.", Cause: errors.New("452")}
