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
