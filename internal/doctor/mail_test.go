package doctor

import (
	"net/http"
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
	finds := finding(t, (*examination).mail)
	server := mailtest.Listen(t, mailtest.Options{User: "desk", Password: password})
	finds(mailedBy(server.URL()), OK, "smtp://127.0.0.1")
	server.WaitIdle()
	expect.Lacks(t, "a check", strings.Join(server.Commands(), "\n"), "MAIL")
	finds(mailedBy("smtp://127.0.0.1:1"), Failed, "connect: ")
	finds(mailedBy(strings.Replace(server.URL(), password, "other", 1)), Failed, "AUTH: 535")
	finds(mailedBy(server.URL()+"?tls=required"), Failed, "STARTTLS: ")
	finds(nil, Warning, "reach no one")
	finds(func(s *config.Settings) { s.SMTPURL = "file:" }, OK, "file: ")
	dir := t.TempDir()
	expect.Write(t, filepath.Join(dir, "mail"), "")
	finds(func(s *config.Settings) { s.SMTPURL, s.Data = "file:", dir }, Failed, "file: ")
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	requests := make(chan *http.Request, 10)
	server := listening(t, func(w http.ResponseWriter, r *http.Request) {
		requests <- r
		http.NotFound(w, r)
	})
	secret := server + "/" + password
	to := func(ntfy, chat, owner string) func(*config.Settings) {
		return func(s *config.Settings) { s.NotifyNtfy, s.NotifyChat, s.OwnerURL.Text = ntfy, chat, owner }
	}
	finds := finding(t, (*examination).notifications)
	finds(nil, Skipped, "no target is set")
	finds(to(secret, secret, "https://desk.example/owner/"), OK, "ntfy at "+server+"; chat at "+server)
	finds(to(secret, "", ""), Warning, "ntfy at "+server)
	finds(to(secret, "http://[::1%25lo]:1/"+password, ""), Failed, "chat at http://[::1%25lo]:1: ")
	close(requests)
	for r := range requests {
		if r.Method != http.MethodHead || r.URL.Path != "/" || r.ContentLength > 0 {
			t.Errorf("%s %s: notifies or shows a secret", r.Method, r.URL)
		}
	}
}
