package app_test

import (
	"io/fs"
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
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// Without a mail server a public desk keeps each request, which is mailed once the owner has set mail up.
func TestMailSetUpOnThePages(t *testing.T) {
	t.Parallel()
	data := harness.DataFolder(t)
	public := func(s *config.Settings) {
		harness.WithAdmin(s)
		harness.WithoutMail(s)
		s.BaseURL.Text, s.Data = "https://desk.example", data
	}
	d := harness.Start(t, public)
	d.Announce()
	d.Log.Wait(t, "no mail server is set up", 1)
	answer := d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""))
	expect.Same(t, "a request without a mail server", http.StatusBadGateway, answer.StatusCode)
	inquiry := expect.Value(d.Store().Inquiries(t.Context(), records.InquiryQuery{}))(t)[0]
	expect.Same(t, "its state", records.Failed, inquiry.State)

	b := openPages(t, d)
	for path, want := range map[string]string{
		"/owner/": "No mail server is set up.", "/owner/state": "No mail server is set up.",
		"/owner/inquiries/" + inquiry.ID: "is mailed once you set one up",
	} {
		b.get(t, path, 200, want)
	}
	server := mailtest.Listen(t, mailtest.Options{})
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL(), "smtp://"), ":")
	form := formOf(b.get(t, "/owner/mail", 200))
	set := func(values ...string) {
		for i := 0; i < len(values); i += 2 {
			form.Set(values[i], values[i+1])
		}
	}
	set("host", "127.0.0.1", "port", port, "encryption", "none", "from", "desk", "to", "owner@desk.example")
	b.post(t, "/owner/mail", form, 400, "“desk” is not an e-mail address.", `value="owner@desk.example"`)
	set("from", "desk@desk.example")
	server.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse, Code: 550})
	b.post(t, "/owner/mail", form, 400, "does not accept mail for owner@desk.example")
	expect.Error(t, "an account that was refused", expect.ErrorOf(os.Stat(filepath.Join(data, mailer.AccountFile))), fs.ErrNotExist)
	server.SetFault(mailtest.Fault{Stage: mailtest.From, Action: mailtest.Refuse, Code: 550})
	b.post(t, "/owner/mail", form, 400, "Enter an address of your account.")
	server.SetFault(mailtest.Fault{})
	b.post(t, "/owner/mail", form, 200, "Mail is set up.")
	b.post(t, "/owner/inquiries/"+inquiry.ID+"/send", form, 200, "The mail was sent.", "mailed to you")
	mails := server.Wait(2) // the first is the test
	header, text := mails[1].Read(t)
	expect.Same(t, "the mail of the request", []string{"<" + inquiry.MessageID + ">", "desk@desk.example", "owner@desk.example"},
		[]string{header.Get("Message-ID"), mails[1].From, strings.Join(mails[1].To, ",")})
	expect.Holds(t, "the mail", text, inquiry.Message)

	b.get(t, "/owner/state", 200, "Through 127.0.0.1 to owner@desk.example.")
	restarted := expect.Value(d.Settings.Service(0))(t)
	expect.Same(t, "the server after a restart", "smtp://127.0.0.1:"+port+"?tls=none", restarted.Mail.Now().String())
}

// Also deleted are mail files from before a mail server was set up, and copies of a killed backup.
func TestRetention(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: dir}))(t)
	mails := expect.Value(mailer.Parse("file:", dir))(t)
	now := time.Now()
	for id, at := range map[string]time.Time{"inq_old": now.Add(-48 * time.Hour), "inq_new": now} {
		inquiry := records.Inquiry{ID: id, MessageID: id, State: records.Sent, CreatedAt: at}
		message := mailer.Message{ID: id + "@desk.example", Date: at, From: "desk@desk.example", To: "owner@desk.example", Subject: "x", Text: "x"}
		expect.OK(t, expect.ErrorOf(store.AddInquiry(t.Context(), inquiry, records.Key{})), mails.Send(t.Context(), message))
	}
	work := filepath.Join(dir, ".backup-1")
	expect.OK(t, store.Close(), os.Mkdir(work, 0o700), os.Chtimes(work, now, now.Add(-25*time.Hour)))
	d := harness.Start(t, func(s *config.Settings) { s.Data, s.Retention.Text = dir, "24h" })
	d.Log.Wait(t, "old records and mails deleted", 1)
	expect.Error(t, "the copies of a backup", expect.ErrorOf(os.Stat(work)), fs.ErrNotExist)
	expect.Same(t, "left", "inq_new", d.Inquiries(t, 1)[0].ID)
	files := expect.Value(filepath.Glob(filepath.Join(dir, "mail", "*")))(t)
	if len(files) != 1 || !strings.Contains(files[0], "inq_new") {
		t.Errorf("mails left: %v", files)
	}
}
