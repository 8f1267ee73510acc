package notify

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// sendTimeout bounds an attempt, from the name lookup to the end of the answer.
const sendTimeout = 10 * time.Second

// maxAnswer is how many bytes of an answer are read, so that the connection can be used again.
const maxAnswer = 4 << 10

// statusError is an answer that does not accept the notification.
type statusError struct {
	status     int
	retryAfter time.Duration // zero when the target does not say
}

func (e *statusError) Error() string {
	return fmt.Sprintf("answered %d %s", e.status, http.StatusText(e.status))
}

// newClient returns a client for all targets. It follows no redirect.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 16 << 10
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// request makes the request that sends a message.
func (t Target) request(ctx context.Context, m Message) *http.Request {
	body, headers := t.template(m)
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, t.at.String(), bytes.NewReader(body)) // at was parsed
	request.Header.Set("User-Agent", contract.Product)
	for name, value := range headers {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	return request
}

// send sends a message once. Its error is a *statusError when the target answered, and
// never shows the address of the target.
func (t Target) send(ctx context.Context, client *http.Client, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	answer, err := client.Do(t.request(ctx, m))
	if err != nil {
		return withoutAddress(err)
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // only its status matters
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		text := answer.Header.Get("Retry-After")
		seconds, _ := strconv.ParseUint(text, 10, 31) // 0 without one that can be read
		retryAfter := time.Duration(seconds) * time.Second
		if at, err := http.ParseTime(text); err == nil {
			retryAfter = time.Until(at)
		}
		return &statusError{answer.StatusCode, retryAfter}
	}
	return nil
}

// withoutAddress removes the address from an error of the client: it may be a secret.
func withoutAddress(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}

// Reach reports why the server of a target does not answer, or nil, whatever it answers.
// It sends no notification, and no secret.
func (t Target) Reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	request, _ := http.NewRequestWithContext(ctx, http.MethodHead, t.origin()+"/", nil) // at was parsed
	client := newClient()
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return withoutAddress(err)
	}
	return answer.Body.Close()
}

// Tests are test messages to everyone who would hear of an inquiry.
type Tests struct {
	Mail     mailer.Sender
	From, To string // of the mail
	Targets  []Target
	OwnerURL string
	Language string // of the messages; empty for English
}

// Tested is the outcome of a test message.
type Tested struct {
	Target string // "mail", or the name of a target
	To     string // the addresses of the mail, or the server of the target
	// Err is why it was not accepted, or not for every address of the mail. It does not show
	// the address of a target, which may be a secret.
	Err error
}

// Send sends the messages, each once and all at the same time. The mail is the first.
func (t Tests) Send(ctx context.Context) []Tested {
	tested := []Tested{{Target: "mail", To: t.To}}
	for _, target := range t.Targets {
		tested = append(tested, Tested{Target: target.Name, To: target.origin()})
	}
	words := i18n.For(t.Language)
	var sending sync.WaitGroup
	sending.Go(func() {
		tested[0].Err = t.Mail.Send(ctx, mailer.Message{
			ID: mailer.MessageID("test_"+strings.ToLower(rand.Text()), t.From), From: t.From, To: t.To, Date: time.Now(),
			Subject: words.Text("notify.mail.subject"), Text: words.Text("notify.mail.text") + "\n",
		})
	})
	for i, target := range t.Targets {
		sending.Go(func() { tested[1+i].Err = target.test(ctx, t.OwnerURL, t.Language) })
	}
	sending.Wait()
	return tested
}

// test sends a test notification.
func (t Target) test(ctx context.Context, ownerURL, language string) error {
	row := records.Notification{ID: records.NewNotificationID(), Kind: string(Test), CreatedAt: time.Now()}
	return t.send(ctx, newClient(), message(row, ownerURL, language))
}
