package doctor

import (
	"net/http"
	"testing"

	"frontdesk/internal/config"
)

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
		{"wrong settings", to("ntfy.sh/"+password, "", ""), Skipped, "no target is set"},
	}...)
	close(requests)
	for r := range requests {
		if r.Method != http.MethodHead || r.URL.Path != "/" || r.ContentLength > 0 {
			t.Errorf("%s %s: a check sends a notification or shows a secret", r.Method, r.URL)
		}
	}
}
