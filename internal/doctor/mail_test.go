package doctor

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
)

func mailedBy(url string) func(*config.Settings) {
	return func(s *config.Settings) {
		s.SMTPURL, s.MailTo, s.MailFrom = url, "owner@desk.example", "desk@desk.example"
	}
}

func TestMail(t *testing.T) {
	t.Parallel()
	server := mailtest.Listen(t, mailtest.Options{User: "desk", Password: password})
	want(t, with(t, mailedBy(server.URL())).mail(t.Context()), OK, "smtp://127.0.0.1")
	server.WaitIdle()
	if len(server.Messages()) != 0 || strings.Contains(strings.Join(server.Commands(), "\n"), "MAIL") {
		t.Errorf("a mail was begun: %q", server.Commands())
	}
	want(t, with(t, mailedBy("smtp://127.0.0.1:1")).mail(t.Context()), Failed, "connect: ")
	want(t, with(t, mailedBy(strings.Replace(server.URL(), password, "other", 1))).mail(t.Context()), Failed, "AUTH: 535")
	want(t, with(t, mailedBy(server.URL()+"?tls=required")).mail(t.Context()), Failed, "STARTTLS: ")

	want(t, with(t, nil).mail(t.Context()), Warning, "reach no one")
	files := func(s *config.Settings) { s.SMTPURL = "file:" }
	want(t, with(t, files).mail(t.Context()), OK, "file: ")
	dir := t.TempDir()
	expect.OK(t, os.WriteFile(filepath.Join(dir, "mail"), nil, 0o600))
	want(t, with(t, func(s *config.Settings) { files(s); in(dir)(s) }).mail(t.Context()), Failed, "file: ")
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	requests := make(chan *http.Request, 10)
	server := listening(t, func(w http.ResponseWriter, r *http.Request) {
		requests <- r
		http.NotFound(w, r)
	})
	to := func(ntfy, chat, owner string) func(*config.Settings) {
		return func(s *config.Settings) { s.NotifyNtfy, s.NotifyChat, s.OwnerURL.Text = ntfy, chat, owner }
	}
	finds(t, (*examination).notifications, []row{
		{"none", nil, Skipped, "no target is set"},
		{"reached", to(server+"/"+password, server+"/"+password, "https://desk.example/owner/"), OK, "ntfy at " + server + "; chat at " + server},
		{"no link", to(server+"/"+password, "", ""), Warning, "ntfy at " + server},
		{"one is not reached", to(server+"/"+password, "http://127.0.0.1:1/"+password, ""), Failed, "chat at http://127.0.0.1:1: "},
	}...)
	close(requests)
	for r := range requests {
		if r.Method != http.MethodHead || r.URL.Path != "/" || r.ContentLength > 0 {
			t.Errorf("%s %s: a check sends a notification or shows a secret", r.Method, r.URL)
		}
	}
}
