package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/test/harness"
)

// TestPilotRequestArrives sends a request with the client command, reads the mail
// that arrives and finds the request in the owner's list.
func TestPilotRequestArrives(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	fields := []string{"contact", "--url", d.URL, "--name", "Zoë Ωμέγα", "--business", "Bäckerei Müller", "--email", "zoe@example.com",
		"--message", "First line\n.\nMAIL FROM:<evil@example.net>", "--phone", "+1 555 0100"}

	code, preview, stderr := harness.Command(t, append(fields, "--dry-run", "--json")...)
	if code != 0 {
		t.Fatalf("dry run: exit %d: %s", code, stderr)
	}
	var shown struct {
		WouldSend struct{ Subject, Text string } `json:"would_send"`
	}
	expect.OK(t, json.Unmarshal([]byte(preview), &shown))
	if len(d.Mail.Messages()) != 0 {
		t.Fatal("a dry run sends mail")
	}

	code, out, stderr := harness.Command(t, fields...)
	if code != 0 || !strings.Contains(out, "inq_") {
		t.Fatalf("contact: exit %d: %s%s", code, out, stderr)
	}
	mails := d.Mail.Wait(1)
	if len(mails) != 1 {
		t.Fatalf("%d mails arrived, want 1", len(mails))
	}
	header, text := mails[0].Read(t)
	if text+"\n" != shown.WouldSend.Text && text != shown.WouldSend.Text {
		t.Errorf("the mail reads\n%q\nand was previewed as\n%q", text, shown.WouldSend.Text)
	}
	if mails[0].Subject(t) != shown.WouldSend.Subject || header.Get("Reply-To") != "<zoe@example.com>" ||
		!strings.Contains(header.Get("To"), "owner@desk.example") || header.Get("Message-Id") == "" || header.Get("Date") == "" {
		t.Errorf("headers = %v, subject %q", header, mails[0].Subject(t))
	}

	code, out, stderr = harness.Command(t, "inquiries", "--json", "--data", d.Settings.Dir())
	var inquiries []records.Inquiry
	if err := json.Unmarshal([]byte(out), &inquiries); code != 0 || err != nil {
		t.Fatalf("inquiries: exit %d: %v: %s", code, err, stderr)
	}
	if len(inquiries) != 1 || inquiries[0].State != records.Sent || inquiries[0].Business != "Bäckerei Müller" {
		t.Errorf("inquiries = %+v", inquiries)
	}
	if "<"+inquiries[0].MessageID+">" != header.Get("Message-Id") {
		t.Errorf("Message-ID %s, recorded %s", header.Get("Message-Id"), inquiries[0].MessageID)
	}
	if _, out, _ := harness.Command(t, "inquiries", "--data", d.Settings.Dir()); !strings.Contains(out, "sent") || !strings.Contains(out, "zoe@example.com") {
		t.Errorf("the list reads:\n%s", out)
	}
	for _, secret := range []string{"Zoë", "Bäckerei", "zoe@", "First line", "555 0100"} {
		if strings.Contains(d.Log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, d.Log)
		}
	}
}

// TestRetention: at its start the service deletes what is older than the retention, the
// mails that are kept as files too.
func TestRetention(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: dir}))(t)
	mails := expect.Value(mailer.Parse("file:", dir))(t)
	now := time.Now()
	for id, at := range map[string]time.Time{"inq_old": now.Add(-48 * time.Hour), "inq_new": now} {
		inquiry := records.Inquiry{ID: id, MessageID: id, State: records.Sent, CreatedAt: at}
		message := mailer.Message{ID: id + "@desk.example", Date: at, From: "desk@desk.example", To: "owner@desk.example", Subject: "x", Text: "x"}
		expect.OK(t, errors.Join(store.AddInquiry(t.Context(), inquiry), mails.Send(t.Context(), message)))
	}
	expect.OK(t, store.Close())
	d := harness.Start(t, func(s *config.Settings) {
		harness.WithoutMail(s)
		s.DataFolder, s.Retention.Text = config.DataFolder{Data: dir}, "24h"
	})
	d.Log.Wait(t, "old records and mails deleted", 1)
	if left := d.Inquiries(t, 1); left[0].ID != "inq_new" {
		t.Errorf("left: %+v", left)
	}
	files, err := filepath.Glob(filepath.Join(dir, "mail", "*"))
	if err != nil || len(files) != 1 || !strings.Contains(files[0], "inq_new") {
		t.Errorf("mails left: %v, %v", files, err)
	}
}

// TestMailKeptAsFiles starts as a newcomer does, without any setting for mail.
func TestMailKeptAsFiles(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, harness.WithoutMail)
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	files, err := filepath.Glob(filepath.Join(d.Settings.Dir(), "mail", "*.eml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("mails kept: %v, %v; want one", files, err)
	}
	mail, err := os.ReadFile(files[0])
	if err != nil || !bytes.Contains(mail, []byte("Reply-To: <ada@example.com>")) {
		t.Errorf("the kept mail: %v\n%s", err, mail)
	}
	d.Announce()
	if log := d.Log.String(); !strings.Contains(log, "sample content") || !strings.Contains(log, "no mail server") {
		t.Errorf("the start does not say what is missing: %s", log)
	}
}
