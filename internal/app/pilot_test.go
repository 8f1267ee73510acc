package app_test

import (
	"errors"
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

// Mails that were files are deleted too when there is a mail server by now.
func TestRetention(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: dir}))(t)
	mails := expect.Value(mailer.Parse("file:", dir))(t)
	now := time.Now()
	for id, at := range map[string]time.Time{"inq_old": now.Add(-48 * time.Hour), "inq_new": now} {
		inquiry := records.Inquiry{ID: id, MessageID: id, State: records.Sent, CreatedAt: at}
		message := mailer.Message{ID: id + "@desk.example", Date: at, From: "desk@desk.example", To: "owner@desk.example", Subject: "x", Text: "x"}
		expect.OK(t, errors.Join(expect.ErrorOf(store.AddInquiry(t.Context(), inquiry, records.Key{})), mails.Send(t.Context(), message)))
	}
	expect.OK(t, store.Close())
	d := harness.Start(t, func(s *config.Settings) { s.Data, s.Retention.Text = dir, "24h" })
	d.Log.Wait(t, "old records and mails deleted", 1)
	expect.Same(t, "left", "inq_new", d.Inquiries(t, 1)[0].ID)
	files := expect.Value(filepath.Glob(filepath.Join(dir, "mail", "*")))(t)
	if len(files) != 1 || !strings.Contains(files[0], "inq_new") {
		t.Errorf("mails left: %v", files)
	}
}
