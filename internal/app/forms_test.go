package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func bakery(t *testing.T) *harness.Desk {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bakery")
	expect.Value(content.Init(dir, "bakery"))(t)
	return harness.Start(t, func(s *config.Settings) { s.Content = dir })
}

// No document of a business without trials mentions them. Only the catalog's links.workspace_mcp stays, as null.
func TestTrialsOff(t *testing.T) {
	t.Parallel()
	d := bakery(t)
	client := harness.NewClient(t)
	for _, path := range []string{"/v1/catalog", "/openapi.json", "/llms.txt", "/llms-full.txt", "/auth.md", "/developers.md",
		"/.well-known/api-catalog", "/.well-known/ai-catalog.json", "/.well-known/agent-skills/front-desk/SKILL.md", "/faq.md", "/"} {
		body := string(d.Send(t, client, "GET", path, "").Text)
		if path == "/v1/catalog" {
			expect.Holds(t, path, body, `"workspace_mcp":null`)
		}
		body = strings.ToLower(strings.ReplaceAll(body, `"workspace_mcp"`, ""))
		expect.Lacks(t, path, body, "workspace", "trial", "/api/public/mcp", "takes no orders", "medical advice")
	}
}

// The address decides the language of a page and of an answer in it, and the reader's preference only adds a link.
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
	for path, want := range map[string]string{"/ask": "Nein. In unserer Backstube", "/en/ask": "No. There is flour everywhere"} {
		answer := d.Send(t, client, "POST", path, "q=gluten", "Accept: text/html", "Content-Type: application/x-www-form-urlencoded")
		expect.Holds(t, "the answer at "+path, string(answer.Text), want)
	}
}
