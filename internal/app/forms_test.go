package app_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

const formType = "Content-Type: application/x-www-form-urlencoded"

func hidden(t *testing.T, page, name string) string {
	t.Helper()
	_, rest, _ := strings.Cut(page, `name="`+name+`" value="`)
	value, _, found := strings.Cut(rest, `"`)
	if !found || value == "" {
		t.Fatalf("the page has no %s:\n%s", name, page)
	}
	return value
}

func bakery(t *testing.T) *harness.Desk {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bakery")
	expect.Value(content.Init(dir, "bakery"))(t)
	return harness.Start(t, func(s *config.Settings) { s.Content = dir })
}

// A business without trials has no workspace server, and
// no document mentions one. Only the catalog's links.workspace_mcp stays, as null.
func TestTrialsOff(t *testing.T) {
	t.Parallel()
	d := bakery(t)
	client := harness.NewClient(t)
	for _, method := range []string{"POST", "GET"} {
		harness.WantStatus(t, d.Send(t, client, method, "/api/public/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, harness.JSONType), 404)
	}
	for _, path := range []string{"/v1/catalog", "/openapi.json", "/llms.txt", "/llms-full.txt", "/auth.md", "/developers.md",
		"/.well-known/api-catalog", "/.well-known/ai-catalog.json", "/.well-known/agent-skills/front-desk/SKILL.md", "/faq.md", "/"} {
		body := string(d.Send(t, client, "GET", path, "").Text)
		if path == "/v1/catalog" && !strings.Contains(body, `"workspace_mcp":null`) {
			t.Errorf("the catalog has no null for workspace_mcp: %s", body)
		}
		body = strings.ReplaceAll(body, `"workspace_mcp"`, "")
		for _, word := range []string{"workspace", "trial", "start_trial", "/api/public/mcp", "takes no orders", "medical advice"} {
			if at := strings.Index(strings.ToLower(body), word); at >= 0 {
				t.Errorf("%s mentions %s: …%s…", path, word, body[max(0, at-60):min(len(body), at+60)])
			}
		}
	}
}

// The address decides the language, and the
// reader's preference only adds a link.
func TestLanguageOfAPage(t *testing.T) {
	t.Parallel()
	d := bakery(t)
	client := harness.NewClient(t)
	for _, tt := range []struct {
		path, accept, lang, offer string
	}{
		{"/faq", "", "de", ""},
		{"/faq", "de-CH, en;q=0.5", "de", ""},
		{"/faq", "en-GB, de;q=0.5", "de", `href="/en/faq" hreflang="en">Read this in English<`},
		{"/en/faq", "de", "en", `href="/faq" hreflang="de">Auf Deutsch lesen<`},
		{"/en/anfahrt", "de", "en", `href="/anfahrt" hreflang="de">Auf Deutsch lesen<`},
		{"/en", "fr", "en", ""},
		{"/en/nowhere", "", "en", ""},
		{"/nowhere", "", "de", ""},
	} {
		answer := d.Send(t, client, "GET", tt.path, "", "Accept: text/html", "Accept-Language: "+tt.accept)
		page := string(answer.Text)
		if !strings.Contains(page, `<html lang="`+tt.lang+`">`) || strings.Contains(page, `class="offer"`) != (tt.offer != "") || !strings.Contains(page, tt.offer) {
			t.Errorf("%s for %q:\n%s", tt.path, tt.accept, page[:min(len(page), 1800)])
		}
	}
}

func TestAnswerInTheLanguageOfThePage(t *testing.T) {
	t.Parallel()
	d := bakery(t)
	client := harness.NewClient(t)
	for path, want := range map[string]string{"/ask": "Nein. In unserer Backstube", "/en/ask": "No. There is flour everywhere"} {
		answer := d.Send(t, client, "POST", path, "q=gluten", "Accept: text/html", "Content-Type: application/x-www-form-urlencoded")
		expect.Holds(t, path, string(answer.Text), want)
	}
}

// TestTrap sends what a program that fills in every field sends: the request is stored
// and not mailed, its sender sees that it was received, and the owner gets a notice.
func TestTrap(t *testing.T) {
	t.Parallel()
	d := bakery(t)
	client := harness.NewClient(t)
	form := string(d.Send(t, client, "GET", "/contact", "", "Accept: text/html").Text)
	if !strings.Contains(form, `<div class="trap" aria-hidden="true">`) || !strings.Contains(form, `name="website" autocomplete="off" tabindex="-1" readonly value=""`) {
		t.Errorf("the form has no hidden field:\n%s", form)
	}
	fields := url.Values{"name": {"Bot"}, "business": {"-"}, "email": {"bot@example.com"}, "message": {"Buy now"}, "q": {"deleted from the message"}, "website": {"https://spam.example"}, "dry_run": {"true"}}
	preview := string(d.Send(t, client, "POST", "/contact", fields.Encode(), formType, "Accept: text/html").Text)
	if got := hidden(t, preview, "website"); got != "https://spam.example" {
		t.Errorf("the next step holds %q", got)
	}
	fields.Set("dry_run", "false")
	page := string(d.Send(t, client, "POST", "/contact", fields.Encode(), formType, "Accept: text/html").Text)
	if !strings.Contains(page, "Wir haben Ihre Nachricht erhalten") || strings.Contains(page, "bot@example.com") {
		t.Errorf("the answer is\n%s", page)
	}
	if _, text := d.Mail.Wait(1)[0].Read(t); strings.Contains(text, "Buy now") || !strings.Contains(text, "spam: 1.") {
		t.Errorf("the owner gets %s, want only a notice with the count", text)
	}
	list := d.Inquiries(t, 1, "--quarantined")
	if list[0].State != records.Quarantined || list[0].Question != "" {
		t.Errorf("stored as %s with the question %q", list[0].State, list[0].Question)
	}
}
