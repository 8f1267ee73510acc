package app_test

import (
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

type cached struct{ control, vary, encoding string }

func get(t *testing.T, d *harness.Desk, path string, headers ...string) (by cached, status int, etag string) {
	t.Helper()
	r, w := httptest.NewRequestWithContext(t.Context(), "GET", path, nil), httptest.NewRecorder()
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	d.Handler().ServeHTTP(w, r)
	h := w.Header()
	return cached{h.Get("Cache-Control"), strings.Join(h.Values("Vary"), ", "), h.Get("Content-Encoding")}, w.Code, strings.Join(h.Values("ETag"), "|")
}

// The table of docs/scale.md: what may be kept has a time, the headers that it varies by, and an ETag of each form,
// with which a cache gets a 304.
func TestCachesAreTold(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) {
		s.BaseURL.Text, s.Proofs = "https://desk.example", []string{"mcp-registry=v=MCPv1"}
	})
	const minutes, year, markdown = "public, max-age=300", "public, max-age=31536000, immutable", " text/markdown"
	want := map[string]cached{ // by path and, where it decides, Accept
		contract.PathCatalog: {minutes, "Accept-Encoding, Accept-Signature", "gzip"}, contract.PathCatalogAlias: {minutes, "Accept-Encoding, Accept-Signature", "gzip"},
		contract.PathKeyDirectory: {"public, max-age=86400, no-transform", "", ""},
		contract.PathRegistryAuth: {minutes, "Accept-Encoding", ""},
		contract.PathFavicon:      {minutes, "Accept-Encoding", ""}, contract.PathTouchIcon: {minutes, "Accept-Encoding", ""},
	}
	client, pages := harness.NewClient(t), map[string]bool{}
	for _, route := range routes.All() {
		for _, path := range route.Paths() {
			if _, ok := want[path]; ok || route.Method != "GET" || strings.Contains(path, "{") {
				continue
			}
			got := d.Send(t, client, "GET", path, "")
			if strings.HasPrefix(got.Header.Get("Content-Type"), contract.TypeHTML) {
				pages[path] = true
			} else if got.Header.Get("ETag") != "" {
				want[path] = cached{minutes, "Accept-Encoding", "gzip"}
			}
		}
	}
	home := string(d.Send(t, client, "GET", "/", "").Text)
	for _, path := range regexp.MustCompile(`/assets/[^"\s),]+`).FindAllString(home, -1) {
		want[path] = cached{year, "Accept-Encoding", "gzip"}
	}
	for _, address := range regexp.MustCompile(`<loc>https://desk.example([^<]+)`).FindAllStringSubmatch(
		string(d.Send(t, client, "GET", contract.PathSitemap, "").Text), -1) {
		pages[address[1]] = true
	}
	for path := range pages {
		want[path], want[path+markdown] = cached{"no-cache", "Accept, Accept-Encoding", "gzip"}, cached{minutes, "Accept, Accept-Encoding", "gzip"}
		want[contract.TwinPath(path)] = cached{minutes, "Accept-Encoding", "gzip"}
	}
	for form, want := range want {
		path, accept, _ := strings.Cut(form, " ")
		tags := map[string]bool{}
		for _, want := range []cached{{want.control, want.vary, ""}, want} {
			headers := []string{"Accept", accept, "Accept-Encoding", want.encoding}
			got, status, etag := get(t, d, path, headers...)
			if status != 200 || got != want || etag == "" || strings.Contains(etag, "|") || want.encoding != "" && tags[etag] {
				t.Errorf("%s: %d, %+v, ETag %s; want %+v, a new ETag", form, status, got, etag, want)
			}
			tags[etag] = true
			got, status, again := get(t, d, path, append(headers, "If-None-Match", etag)...)
			if status != 304 || got.control != want.control || got.vary != want.vary || again != etag {
				t.Errorf("%s, held: %d, %+v, ETag %s; want %+v, %s", form, status, got, again, want, etag)
			}
			_, status, _ = get(t, d, path, "Accept", accept, "If-None-Match", etag)
			if want.encoding != "" && status != 200 {
				t.Errorf("%s, held without gzip: %d", form, status)
			}
			for tag := range tags { // the other form's too
				if _, status, again := get(t, d, path, append(headers, "If-None-Match", `"other", W/`+tag)...); status != 304 || again != tag {
					t.Errorf("%s, held as %s with others: %d, ETag %s; want 304", form, tag, status, again)
				}
			}
		}
	}
	expect.AtLeast(t, "published paths", 30, len(want))
}

func bakery(t *testing.T) *harness.Desk {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bakery")
	expect.Value(content.Init(dir, "bakery"))(t)
	return harness.Start(t, func(s *config.Settings) { s.Content = dir })
}

// Only the catalog's links.workspace_mcp stays, as null.
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

// The address decides the language, and the reader's preference only adds a link.
func TestLanguageOfAPage(t *testing.T) {
	t.Parallel()
	d := bakery(t)
	client := harness.NewClient(t)
	for _, tt := range []struct{ path, accept, lang, offer string }{
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
