package contract_test

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

const keyHeader = "Idempotency-Key: "

// TestIdempotencyKeyAtOnce sends one request many times concurrently to two instances
// with one database. One mail is sent, and all answers are the same.
func TestIdempotencyKeyAtOnce(t *testing.T) {
	t.Parallel()
	first := harness.Start(t, nil)
	second := harness.Start(t, func(s *config.Settings) { s.DataFolder, s.SMTPURL = first.Settings.DataFolder, first.Mail.URL() })
	answers := make([]harness.Answer, 12)
	var wait sync.WaitGroup
	clients := []*http.Client{harness.NewClient(t), harness.NewClient(t)}
	for n := range answers {
		wait.Go(func() {
			answers[n] = []*harness.Desk{first, second}[n%2].Send(t, clients[n%2], http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType, keyHeader+"k")
		})
	}
	wait.Wait()
	for _, got := range answers {
		if got.StatusCode != http.StatusOK || !bytes.Equal(got.Text, answers[0].Text) {
			t.Errorf("%d %s, want the same 200 for all: %s", got.StatusCode, got.Text, answers[0].Text)
		}
	}
	expect.Same(t, "mails arrived", 1, len(first.Mail.Messages()))
	first.Inquiries(t, 1)
}

// TestContactCommandTriesAgain checks that the command shows the key of a failed request,
// and that repeating the request with it sends no second one.
func TestContactCommandTriesAgain(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	args := []string{"contact", "--url", d.URL, "--name", "Ada", "--business", "AE", "--email", "ada@example.com", "--message", "Hello"}
	d.Mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut}) // it arrives, but the service does not learn that
	code, _, stderr := harness.Command(t, args...)
	_, advice, _ := strings.Cut(strings.Join(strings.Fields(stderr), " "), "--idempotency-key ")
	key, _, _ := strings.Cut(advice, ":")
	if code != 1 || key == "" {
		t.Fatalf("exit %d: %s; want a key to try again", code, stderr)
	}
	d.Mail.SetFault(mailtest.Fault{})
	for range 2 {
		if code, out, stderr := harness.Command(t, append(args, "--idempotency-key", key)...); code != 0 {
			t.Errorf("again: exit %d: %s%s", code, out, stderr)
		}
	}
	mails := d.Mail.Messages()
	if len(mails) != 2 || !bytes.Equal(mails[0].Data, mails[1].Data) {
		t.Errorf("%d mails arrived, want the unknown one and the same again", len(mails))
	}
}

// TestPreviewLockOfTheCommand checks that --preview sends only the mail of the dry run.
func TestPreviewLockOfTheCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	args := []string{"contact", "--url", d.URL, "--name", "Ada", "--business", "AE", "--email", "ada@example.com"}
	_, out, _ := harness.Command(t, append(args, "--message", "Hello", "--dry-run")...)
	_, after, _ := strings.Cut(out, "digest ")
	digest, _, _ := strings.Cut(after, "\n")
	if code, _, stderr := harness.Command(t, append(args, "--message", "Hello!", "--preview", digest)...); code != 1 || !strings.Contains(stderr, "preview") {
		t.Errorf("another message: exit %d: %s", code, stderr)
	}
	expect.Same(t, "mails arrived without approval", 0, len(d.Mail.Messages()))
	if code, _, stderr := harness.Command(t, append(args, "--message", "Hello", "--preview", digest)...); code != 0 || len(d.Mail.Messages()) != 1 {
		t.Errorf("what was approved: exit %d: %s", code, stderr)
	}
}
