package harness

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// Front is a service that is called without a network, so that it also runs in a
// synctest bubble. It does not run in the background.
type Front struct {
	http.Handler
	*app.Service
	Mail *Postbox
}

// Postbox is the mail server of a Front.
type Postbox struct {
	mu    sync.Mutex
	fail  error
	mails []mailer.Message
}

// Send keeps a mail and fails as FailWith says.
func (p *Postbox) Send(_ context.Context, mail mailer.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mails = append(p.mails, mail)
	if p.fail != nil {
		return &mailer.Error{Outcome: mailer.Failed, Stage: "connect", Err: p.fail}
	}
	return nil
}

// FailWith makes the following deliveries fail; nil ends that.
func (p *Postbox) FailWith(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = err
}

// Tried returns all mails that were handed over, failed ones too.
func (p *Postbox) Tried() []mailer.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mails
}

// acceptFeedback accepts all feedback: the real store waits for the writer of a service
// that runs.
type acceptFeedback struct{}

func (acceptFeedback) AddFeedback(context.Context, records.Feedback) error { return nil }

// NewFront makes a service that logs to log. change may alter its settings.
func NewFront(t testing.TB, log io.Writer, change func(*config.Settings), changes Changes) *Front {
	t.Helper()
	f := &Front{Mail: &Postbox{}}
	settings := settingsWith(t, "file:")
	settings.SigningKey = PEMKey(t, 7)
	if change != nil {
		change(&settings)
	}
	sender, wiring := changes.Sender, changes.Wiring
	changes.Sender = func(mailer.Sender) mailer.Sender {
		if sender != nil {
			return sender(f.Mail)
		}
		return f.Mail
	}
	changes.Wiring = func(w *app.Wiring) {
		w.API.Feedbacks = acceptFeedback{}
		if wiring != nil {
			wiring(w)
		}
	}
	f.Service = changes.start(t, settings, app.Options{Log: zerolog.New(log)})
	f.Handler = f.Service.Handler()
	return f
}

// Send sends a request of the client with an address and port. Header lines are
// "Name: value", repeated ones kept.
func (f *Front) Send(t testing.TB, client, method, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.RemoteAddr = client
	addLines(r.Header, header)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}
