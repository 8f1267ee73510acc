package main

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/config"
	"frontdesk/mailer/mailtest"
)

const keyHeader = "Idempotency-Key: "

// rateOf is the limit that an answer tells, or nothing.
func rateOf(a answer) string { return a.Header.Get("RateLimit") }

// TestIdempotencyKey plays one key over HTTP: the answers, what is mailed, and what
// the limit counts.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	client := newClient(t)
	post := func(path, body string, key ...string) answer {
		t.Helper()
		header := []string{jsonType}
		for _, k := range key {
			header = append(header, keyHeader+k)
		}
		return d.send(t, client, http.MethodPost, path, body, header...)
	}
	check := func(what string, got answer, status int, rate string, mails int) {
		t.Helper()
		if got.StatusCode != status || rateOf(got) != rate || len(d.mail.Messages()) != mails {
			t.Errorf("%s: %d %s and %d mails, want %d %s and %d: %s", what, got.StatusCode, rateOf(got), len(d.mail.Messages()), status, rate, mails, got.body)
		}
	}
	check("dry run", post("/v1/contact", contactBody(`,"dry_run":true`), "k"), 200, "", 0)
	check("dry run with a bad key", post("/v1/contact", contactBody(`,"dry_run":true`), ""), 200, "", 0)
	check("invalid", post("/v1/contact", `{"name":"Ada"}`, "k"), 400, "", 0)
	first := post("/v1/contact", contactBody(""), "k")
	check("first", first, 200, `"contact";r=2`, 1)
	for _, tt := range []struct{ name, path, body, key string }{
		{"again", "/v1/contact", contactBody(""), "k"},
		{"at the alias, quoted", "/api/contact", contactBody(""), `"k"`},
		{"white space around the fields", "/v1/contact", strings.Replace(contactBody(""), `"Ada Lovelace"`, `" Ada Lovelace "`, 1), "k"},
	} {
		got := post(tt.path, tt.body, tt.key)
		check(tt.name, got, 200, `"contact";r=2`, 1)
		if diff := cmp.Diff(string(first.body), string(got.body)); diff != "" {
			t.Errorf("%s (-first +got):\n%s", tt.name, diff)
		}
	}
	other := post("/v1/contact", contactBody(`,"phone":"1"`), "k")
	check("other fields", other, 400, "", 1)
	malformed := post("/v1/contact", contactBody(""), "k", "k")
	check("two keys", malformed, 400, "", 1)
	for _, refused := range []answer{other, malformed} {
		if !bytes.Contains(refused.body, []byte(`"detail":"Idempotency-Key `)) || !bytes.Contains(refused.body, []byte(`"code":"invalid_request"`)) {
			t.Errorf("the refusal does not name the header: %s", refused.body)
		}
	}
	check("without a key", post("/v1/contact", contactBody("")), 200, `"contact";r=1`, 2)

	d.mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Refuse})
	check("not delivered", post("/v1/contact", contactBody(""), "second"), 502, `"contact";r=0`, 2)
	d.mail.SetFault(mailtest.Fault{})
	check("resumed over the limit", post("/v1/contact", contactBody(""), "second"), 429, `"contact";r=0`, 2)
	failed := wantInquiries(t, d, 1, "--failed")[0]
	client = newClient(t)
	resumed := post("/v1/contact", contactBody(""), "second")
	check("resumed from elsewhere", resumed, 200, `"contact";r=2`, 3)
	if header, _ := d.mail.Messages()[2].Read(t); header.Get("Message-Id") != "<"+failed.MessageID+">" || !bytes.Contains(resumed.body, []byte(failed.ID)) {
		t.Errorf("resumed as %s: %s; want inquiry %s", header.Get("Message-Id"), resumed.body, failed.ID)
	}
	wantInquiries(t, d, 3)
}

// TestIdempotencyKeyAtOnce: two instances on one database get one request many
// times at once. One mail is sent, and everybody gets the same answer.
func TestIdempotencyKeyAtOnce(t *testing.T) {
	t.Parallel()
	first := startDesk(t, nil)
	second := startDesk(t, func(s *config.Settings) { s.DataFolder, s.SMTPURL = first.settings.DataFolder, first.mail.URL() })
	answers := make([]answer, 12)
	var wait sync.WaitGroup
	clients := []*http.Client{newClient(t), newClient(t)}
	for n := range answers {
		wait.Go(func() {
			answers[n] = []*desk{first, second}[n%2].send(t, clients[n%2], http.MethodPost, "/v1/contact", contactBody(""), jsonType, keyHeader+"k")
		})
	}
	wait.Wait()
	for _, got := range answers {
		if got.StatusCode != http.StatusOK || !bytes.Equal(got.body, answers[0].body) {
			t.Errorf("%d %s, want the same 200 for all: %s", got.StatusCode, got.body, answers[0].body)
		}
	}
	if n := len(first.mail.Messages()); n != 1 {
		t.Errorf("%d mails arrived, want 1", n)
	}
	wantInquiries(t, first, 1)
}

// TestContactCommandTriesAgain: the command line shows the key of a request that
// failed, and with it the request is one.
func TestContactCommandTriesAgain(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	args := []string{"contact", "--url", d.url, "--name", "Ada", "--business", "AE", "--email", "ada@example.com", "--message", "Hello"}
	d.mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut}) // it arrives, and nobody is told
	code, _, stderr := command(t, args...)
	_, advice, _ := strings.Cut(strings.Join(strings.Fields(stderr), " "), "--idempotency-key ")
	key, _, _ := strings.Cut(advice, ":")
	if code != 1 || key == "" {
		t.Fatalf("exit %d: %s; want a key to try again", code, stderr)
	}
	d.mail.SetFault(mailtest.Fault{})
	for range 2 {
		if code, out, stderr := command(t, append(args, "--idempotency-key", key)...); code != 0 {
			t.Errorf("again: exit %d: %s%s", code, out, stderr)
		}
	}
	mails := d.mail.Messages()
	if len(mails) != 2 || !bytes.Equal(mails[0].Data, mails[1].Data) {
		t.Errorf("%d mails arrived, want the unknown one and the same again", len(mails))
	}
}

// TestPreviewLockOfTheCommand sends with the command line what a dry run has shown,
// and nothing else.
func TestPreviewLockOfTheCommand(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	args := []string{"contact", "--url", d.url, "--name", "Ada", "--business", "AE", "--email", "ada@example.com"}
	_, out, _ := command(t, append(args, "--message", "Hello", "--dry-run")...)
	_, after, _ := strings.Cut(out, "digest ")
	digest, _, _ := strings.Cut(after, "\n")
	if code, _, stderr := command(t, append(args, "--message", "Hello!", "--preview", digest)...); code != 1 || !strings.Contains(stderr, "preview") {
		t.Errorf("another message: exit %d: %s", code, stderr)
	}
	if n := len(d.mail.Messages()); n != 0 {
		t.Errorf("%d mails arrived that nobody approved", n)
	}
	if code, _, stderr := command(t, append(args, "--message", "Hello", "--preview", digest)...); code != 0 || len(d.mail.Messages()) != 1 {
		t.Errorf("what was approved: exit %d: %s", code, stderr)
	}
}
