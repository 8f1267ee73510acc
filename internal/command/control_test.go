package command_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestReloadCommand(t *testing.T) {
	t.Parallel()
	content := harness.SmallContent(t)
	d := harness.Start(t, func(s *config.Settings) { s.Content = content })
	d.WaitReady(t)
	reload := "reload --data " + d.Settings.Data
	run(t, 0, reload, "is live")
	harness.Edit(t, content, "faq.yaml", "fallback: No.\nentries:\n  - {id: x, question: Why?, anwser: x}\n")
	run(t, 1, reload, "faq.yaml:3: ")
	run(t, 3, "reload --data "+t.TempDir(), "no service runs")
}

// Without an admin address the link leads to a port that has nothing but the owner's pages.
func TestAdminLinkCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	d.WaitReady(t)
	out, _ := run(t, 0, "admin-link --data "+d.Settings.Data)
	link := expect.Value(url.Parse(strings.TrimSpace(out)))(t)
	expect.Same(t, out, []any{d.AdminAddr().String(), "/owner/sign-in"}, []any{link.Host, link.Path})
	jar := expect.Value(cookiejar.New(nil))(t)
	client := &http.Client{Jar: jar}
	response := expect.Value(client.PostForm("http://"+link.Host+link.Path, url.Values{"link": {link.Query().Get("link")}}))(t)
	_ = response.Body.Close()
	expect.Same(t, "the link leads to", "/owner/", response.Request.URL.Path)
	expect.Lacks(t, "the log", d.Log.String(), link.Query().Get("link"))
	for _, path := range []string{"/metrics", "/debug/pprof/", "/healthz"} {
		d.Operate(t, path, http.StatusNotFound) // no setting asked for the port
	}
	run(t, 3, "admin-link --data "+t.TempDir(), "no service runs")
}

// Without --url a command finds the desk of the data folder, else that of the settings, also by HTTPS.
func TestLocate(t *testing.T) {
	d := harness.Start(t, nil)
	d.WaitReady(t)
	t.Setenv("FRONTDESK_DATA", d.Settings.Data)
	t.Setenv("FRONTDESK_ADDR", "127.0.0.1:1")
	run(t, 0, "health", "ok")

	health := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contract.TypeJSON)
		_, _ = io.WriteString(w, `{"status":"`+contract.HealthOK+`"}`)
	}
	plain, encrypted := httptest.NewServer(http.HandlerFunc(health)), httptest.NewTLSServer(http.HandlerFunc(health))
	defer plain.Close()
	defer encrypted.Close()
	t.Setenv("FRONTDESK_DATA", t.TempDir())
	run(t, 3, "health", "http://127.0.0.1:1")
	t.Setenv("FRONTDESK_ADDR", plain.Listener.Addr().String())
	run(t, 0, "health", plain.URL)
	t.Setenv("FRONTDESK_ADDR", encrypted.Listener.Addr().String())
	t.Setenv("FRONTDESK_DOMAIN", "desk.example,www.desk.example")
	run(t, 0, "health", "https://desk.example ")
}

// A service on every interface is reached by a loopback address, and one with domains by its first.
func TestLocal(t *testing.T) {
	t.Parallel()
	for listens, want := range map[string]string{
		":8080": "http://127.0.0.1:8080", "[::]:8080": "http://127.0.0.1:8080", "0.0.0.0:1": "http://127.0.0.1:1", "[::1]:1": "http://[::1]:1",
		"10.1.2.3:80": "http://10.1.2.3:80",
	} {
		got, _ := config.Service{}.Local(listens)
		expect.Same(t, listens, want, got)
	}
	got, dial := config.Service{Domains: []string{"desk.example"}}.Local(":8443")
	expect.Same(t, "a domain", "https://desk.example 127.0.0.1:8443", got+" "+dial)
}
