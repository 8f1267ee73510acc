package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// TestMailSetUpOnThePages: a public desk without a mail server starts and keeps each request. Once the owner has set
// mail up, it is mailed, and a restart uses the same server.
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
		if _, page := b.get(t, path); !strings.Contains(page, want) {
			t.Errorf("%s lacks %q", path, want)
		}
	}
	server := mailtest.Listen(t, mailtest.Options{})
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL(), "smtp://"), ":")
	_, page := b.get(t, "/owner/mail")
	form := formOf(page)
	set := func(values ...string) {
		for i := 0; i < len(values); i += 2 {
			form.Set(values[i], values[i+1])
		}
	}
	set("host", "127.0.0.1", "port", port, "encryption", "none", "from", "desk", "to", "owner@desk.example")
	status, page := b.post(t, "/owner/mail", form)
	if status != http.StatusBadRequest || !strings.Contains(page, "“desk” is not an e-mail address.") || !strings.Contains(page, `value="owner@desk.example"`) {
		t.Errorf("a sender without an address: %d %s", status, page)
	}
	set("from", "desk@desk.example")
	server.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse, Code: 550})
	if status, page = b.post(t, "/owner/mail", form); status != http.StatusBadRequest ||
		!strings.Contains(page, "does not accept mail for owner@desk.example") {
		t.Errorf("a recipient that the server refuses: %d %s", status, page)
	}
	if _, err := os.Stat(filepath.Join(data, mailer.AccountFile)); err == nil {
		t.Error("an account that was refused is kept")
	}
	server.SetFault(mailtest.Fault{})
	if status, page = b.post(t, "/owner/mail", form); status != http.StatusOK || !strings.Contains(page, "Mail is set up.") {
		t.Fatalf("an account that works: %d %s", status, page)
	}
	if status, page = b.post(t, "/owner/inquiries/"+inquiry.ID+"/send", form); status != http.StatusOK || !strings.Contains(page, "The mail was sent.") {
		t.Errorf("the request from before: %d %s", status, page)
	}
	mails := server.Wait(2) // the first is the test
	header, text := mails[1].Read(t)
	expect.Same(t, "the mail of the request", []string{"<" + inquiry.MessageID + ">", "desk@desk.example", "owner@desk.example"},
		[]string{header.Get("Message-ID"), mails[1].From, strings.Join(mails[1].To, ",")})
	if !strings.Contains(text, inquiry.Message) {
		t.Errorf("the mail lacks the message:\n%s", text)
	}

	if _, page := b.get(t, "/owner/state"); !strings.Contains(page, "By 127.0.0.1 to owner@desk.example.") {
		t.Error("State lacks the mail server")
	}
	restarted := expect.Value(d.Settings.Service(0))(t)
	expect.Same(t, "the server after a restart", "smtp://127.0.0.1:"+port+"?tls=none", restarted.Mail.Now().String())
}
