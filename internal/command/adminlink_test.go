package command_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"frontdesk/test/harness"
)

// TestAdminLinkCommand signs in with the link of a running service.
func TestAdminLinkCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, harness.WithAdmin)
	d.WaitReady(t)
	code, out, stderr := harness.Command(t, "admin-link", "--data", d.Settings.Data)
	link, err := url.Parse(strings.TrimSpace(out))
	if code != 0 || err != nil || link.Host != d.AdminAddr().String() || link.Path != "/owner/sign-in" {
		t.Fatalf("exit %d: %q %s", code, out, stderr)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	for i, want := range []string{"/owner/inquiries", "/owner/sign-in"} { // the link works once
		response, err := client.PostForm("http://"+link.Host+link.Path, url.Values{"link": {link.Query().Get("link")}})
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if got := response.Request.URL.Path; got != want {
			t.Errorf("use %d of the link leads to %s, want %s", i+1, got, want)
		}
	}
	if log := d.Log.String(); strings.Contains(log, link.Query().Get("link")) {
		t.Error("the link is in the log")
	}
}

func TestNoAdminLink(t *testing.T) {
	t.Parallel()
	if code, _, stderr := harness.Command(t, "admin-link", "--data", t.TempDir()); code != 3 || !strings.Contains(stderr, "no service runs") {
		t.Errorf("no service: exit %d: %s", code, stderr)
	}
	d := harness.Start(t, nil)
	d.WaitReady(t)
	if code, out, stderr := harness.Command(t, "admin-link", "--data", d.Settings.Data); code != 1 || out != "" || !strings.Contains(stderr, "FRONTDESK_ADMIN_ADDR") {
		t.Errorf("no admin address: exit %d: %s%s", code, out, stderr)
	}
}
