package routes_test

import (
	"errors"
	"io"
	"net/http/httptest"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

const base = "https://desk.example"

type front struct{ *harness.Front }

func newFront(t testing.TB) front {
	t.Helper()
	return newLogged(t, io.Discard)
}

func newLogged(t testing.TB, log io.Writer) front {
	t.Helper()
	address := func(s *config.Settings) { s.BaseURL.Text = base }
	return front{harness.NewFront(t, log, address, harness.Changes{})}
}

func (f front) post(t testing.TB, client, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return f.send(t, client, "POST", path, body, header...)
}

func (f front) form(t testing.TB, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	return f.post(t, alice, path, body, formType, browser)
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

	ask  = `{"q":"Who is it for?"}`
	real = `{"name":"Ada","business":"AE","email":"ada@example.com","message":"Hello"}`
)

var errDelivery = errors.New("452")

func TestMain(m *testing.M) { harness.Main(m) }
