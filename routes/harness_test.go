package routes_test

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"testing"

	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

const base = "https://desk.example"

type answerer struct{ handlers.Answers }

func (b answerer) Ask(ctx context.Context, q string) contract.Answer {
	if q == "panic" {
		panic("as asked")
	}
	return b.Answers.Ask(ctx, q)
}

type front struct{ *harness.Front }

func newFront(t testing.TB) front {
	t.Helper()
	return newFrontWith(t, io.Discard, nil)
}

func newFrontWith(t testing.TB, log io.Writer, change func(*routes.Config)) front {
	t.Helper()
	address := func(s *config.Settings) { s.BaseURL.Text = base }
	return front{harness.NewFront(t, log, address, harness.Changes{
		Wiring: func(w *app.Wiring) {
			w.API.Answers = answerer{w.API.Answers}
			w.Core.Answers = w.API.Answers
			if change != nil {
				change(&w.Layers)
			}
		},
	})}
}

func (f front) post(t testing.TB, client, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return f.send(t, client, "POST", path, body, header...)
}

func (f front) send(t testing.TB, client, method, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return f.Send(t, client+":4000", method, path, body, header...)
}

// left is the RateLimit of a client that has taken slots of the ask limit.
func left(taken int) string { return contract.AskPolicy.Remaining(contract.AskPolicy.Quota - taken) }

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

var errDelivery = errors.New("452")
