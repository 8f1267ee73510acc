package contract_test

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/config"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

const keyHeader = "Idempotency-Key: "

// rateOf returns the RateLimit header of an answer.
func rateOf(a harness.Answer) string { return a.Header.Get("RateLimit") }

// TestIdempotencyKey uses one key over HTTP and checks the answers, the mails and the
// limit.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	client := harness.NewClient(t)
	post := func(path, body string, key ...string) harness.Answer {
		t.Helper()
		header := []string{harness.JSONType}
		for _, k := range key {
			header = append(header, keyHeader+k)
		}
		return d.Send(t, client, http.MethodPost, path, body, header...)
	}
	check := func(what string, got harness.Answer, status int, rate string, mails int) {
		t.Helper()
		if got.StatusCode != status || rateOf(got) != rate || len(d.Mail.Messages()) != mails {
			t.Errorf("%s: %d %s and %d mails, want %d %s and %d: %s", what, got.StatusCode, rateOf(got), len(d.Mail.Messages()), status, rate, mails, got.Text)
		}
	}
	check("dry run", post("/v1/contact", harness.ContactBody(`,"dry_run":true`), "k"), 200, "", 0)
	check("dry run with a bad key", post("/v1/contact", harness.ContactBody(`,"dry_run":true`), ""), 200, "", 0)
	check("invalid", post("/v1/contact", `{"name":"Ada"}`, "k"), 400, "", 0)
	first := post("/v1/contact", harness.ContactBody(""), "k")
	check("first", first, 200, `"contact";r=2`, 1)
	for _, tt := range []struct{ name, path, body, key string }{
		{"again", "/v1/contact", harness.ContactBody(""), "k"},
		{"at the alias, quoted", "/api/contact", harness.ContactBody(""), `"k"`},
		{"white space around the fields", "/v1/contact", strings.Replace(harness.ContactBody(""), `"Ada Lovelace"`, `" Ada Lovelace "`, 1), "k"},
	} {
		got := post(tt.path, tt.body, tt.key)
		check(tt.name, got, 200, `"contact";r=2`, 1)
		if diff := cmp.Diff(string(first.Text), string(got.Text)); diff != "" {
			t.Errorf("%s (-first +got):\n%s", tt.name, diff)
		}
	}
	other := post("/v1/contact", harness.ContactBody(`,"phone":"1"`), "k")
	check("other fields", other, 400, "", 1)
	malformed := post("/v1/contact", harness.ContactBody(""), "k", "k")
	check("two keys", malformed, 400, "", 1)
	for _, refused := range []harness.Answer{other, malformed} {
		if !bytes.Contains(refused.Text, []byte(`"detail":"Idempotency-Key `)) || !bytes.Contains(refused.Text, []byte(`"code":"invalid_request"`)) {
			t.Errorf("the refusal does not name the header: %s", refused.Text)
		}
	}
	check("without a key", post("/v1/contact", harness.ContactBody("")), 200, `"contact";r=1`, 2)

	d.Mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Refuse})
	check("not delivered", post("/v1/contact", harness.ContactBody(""), "second"), 502, `"contact";r=0`, 2)
	d.Mail.SetFault(mailtest.Fault{})
	check("resumed over the limit", post("/v1/contact", harness.ContactBody(""), "second"), 429, `"contact";r=0`, 2)
	failed := d.Inquiries(t, 1, "--failed")[0]
	client = harness.NewClient(t)
	resumed := post("/v1/contact", harness.ContactBody(""), "second")
	check("resumed from elsewhere", resumed, 200, `"contact";r=2`, 3)
	if header, _ := d.Mail.Messages()[2].Read(t); header.Get("Message-Id") != "<"+failed.MessageID+">" || !bytes.Contains(resumed.Text, []byte(failed.ID)) {
		t.Errorf("resumed as %s: %s; want inquiry %s", header.Get("Message-Id"), resumed.Text, failed.ID)
	}
	d.Inquiries(t, 3)
}

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
	if n := len(first.Mail.Messages()); n != 1 {
		t.Errorf("%d mails arrived, want 1", n)
	}
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
	if n := len(d.Mail.Messages()); n != 0 {
		t.Errorf("%d mails arrived without approval", n)
	}
	if code, _, stderr := harness.Command(t, append(args, "--message", "Hello", "--preview", digest)...); code != 0 || len(d.Mail.Messages()) != 1 {
		t.Errorf("what was approved: exit %d: %s", code, stderr)
	}
}
