package routes

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/handlers"
)

const (
	formType = "Content-Type: application/x-www-form-urlencoded"
	browser  = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
)

// form encodes a form; what follows a name is its value.
func form(pairs ...string) string {
	values := url.Values{}
	for pair := range slices.Chunk(pairs, 2) {
		values.Set(pair[0], pair[1])
	}
	return values.Encode()
}

func pilotForm(pairs ...string) string {
	return form(append([]string{"name", "Ada", "business", "AE", "email", "ada@example.com", "message", "Hello"}, pairs...)...)
}

func TestPagesAreNegotiated(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	const html, markdown = "text/html; charset=utf-8", "text/markdown; charset=utf-8"
	tests := []struct{ path, accept, want string }{
		{"/", "", html},
		{"/", "*/*", html},
		{"/", "text/markdown", markdown},
		{"/", "text/markdown, text/html;q=0.9", markdown},
		{"/", "text/markdown;q=0.5, text/html", html},
		{"/", "text/markdown;q=0", html},
		{"/pricing", "text/*;q=0.4, text/markdown", markdown},
		{"/faq", "text/markdown, text/html", html},
		{"/developers", "image/png", html},
		{"/ask", "text/markdown", markdown},
		{"/contact", "text/markdown", markdown},
		{"/privacy", "text/markdown", markdown},
		{"/auth", "text/html", html},
		{"/index.md", "text/html", markdown},
		{"/pricing.md", "", markdown},
		{"/faq.md", "", markdown},
		{"/developers.md", "", markdown},
		{"/ask.md", "", markdown},
		{"/contact.md", "", markdown},
		{"/privacy.md", "text/html", markdown},
	}
	for _, tt := range tests {
		w := f.send(t, alice, http.MethodGet, tt.path, "", "Accept: "+tt.accept)
		if got := w.Header().Get("Content-Type"); w.Code != 200 || got != tt.want {
			t.Errorf("%s for %q: %d %s, want %s", tt.path, tt.accept, w.Code, got, tt.want)
		}
		twin := strings.HasSuffix(tt.path, ".md")
		if varies := slices.Contains(w.Header()["Vary"], "Accept"); varies == twin {
			t.Errorf("%s varies by Accept: %v", tt.path, varies)
		}
		relation := map[bool]string{false: `rel="alternate"`, true: `rel="canonical"`}[strings.HasPrefix(tt.want, "text/markdown")]
		if link := w.Header().Get("Link"); !strings.Contains(link, relation) {
			t.Errorf("%s for %q: Link is %q, want %s", tt.path, tt.accept, link, relation)
		}
	}
}

// TestNamedPaths walks the paths that the content and the binary name.
func TestNamedPaths(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	home := f.send(t, alice, http.MethodGet, "/", "").Body.String()
	_, rest, _ := strings.Cut(home, `href="/assets/`)
	asset, _, _ := strings.Cut(rest, `"`)
	tests := []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/privacy", 200, ""},
		{"HEAD", "/privacy.md", 200, ""},
		{"GET", "/assets/" + asset, 200, ""},
		{"POST", "/assets/" + asset, 405, "GET, HEAD"},
		{"POST", "/privacy", 405, "GET, HEAD"},
		{"BREW", "/privacy.md", 405, "GET, HEAD"},
		{"PUT", "/ask", 405, "GET, HEAD, POST"},
		{"POST", "/pricing", 405, "GET, HEAD"},
		{"GET", "/assets/", 404, ""},
		{"GET", "/assets/site.000000000000.css", 404, ""},
		{"GET", "/assets%2F" + asset, 404, ""},
		{"GET", "/%70rivacy", 404, ""},
		{"GET", "/privacy/", 404, ""},
		{"GET", "/Privacy", 404, ""},
		{"GET", "/home", 404, ""}, // the home page is at / alone
		{"GET", "/nope", 404, ""},
		{"GET", "/nope.md", 404, ""},
		{"GET", "/.md", 404, ""},
		{"POST", "/nope", 404, ""},
	}
	for _, tt := range tests {
		w := f.send(t, alice, tt.method, tt.path, "")
		if w.Code != tt.status || w.Header().Get("Allow") != tt.allow {
			t.Errorf("%s %s: %d, Allow %q; want %d, %q", tt.method, tt.path, w.Code, w.Header().Get("Allow"), tt.status, tt.allow)
		}
	}
}

// TestPageHeaders finds the protecting headers on every answer outside the API, and
// on none inside.
func TestPageHeaders(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	for path, want := range map[string]bool{"/": true, "/nope": true, "/v1/health": false, "/api/nope": false} {
		header := f.send(t, alice, http.MethodGet, path, "").Header()
		for _, name := range []string{"Content-Security-Policy", "Referrer-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy"} {
			if got := header.Get(name) != ""; got != want {
				t.Errorf("%s has %s: %v, want %v", path, name, got, want)
			}
		}
		if header.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s over http demands https", path)
		}
	}
	secure := config()
	secure.HTTPS = true
	w := front{Handler: New(Table(&handlers.API{}, NewLimiters())[:1], secure)}.send(t, alice, http.MethodGet, "/nope", "")
	if got := w.Header().Get("Strict-Transport-Security"); got != "max-age=31536000" {
		t.Errorf("over https Strict-Transport-Security is %q", got)
	}
}

// TestFormsShareTheLimits lets the pages and the API use up one another's slots.
func TestFormsShareTheLimits(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	question := form("q", "Who is it for?")
	status(t, "page", f.post(t, alice, "/ask", question, formType, browser), 200, `"ask";r=4`)
	status(t, "API", f.post(t, alice, contract.PathAsk, ask), 200, `"ask";r=3`)
	status(t, "invalid", f.post(t, alice, "/ask", form("q", " "), formType, browser), 400, `"ask";r=2`)
	status(t, "unreadable", f.post(t, alice, "/ask", "%zz", formType, browser), 400, `"ask";r=1`)
	status(t, "too large", f.post(t, alice, "/ask", strings.Repeat("x", contract.CapAskPage+1), formType, browser), 413, "")
	status(t, "page again", f.post(t, alice, "/ask", question, formType, browser), 200, `"ask";r=0`)
	refused := f.post(t, alice, "/ask", form("q", "Is this kept?"), formType, browser)
	status(t, "over the limit", refused, 429, `"ask";r=0`)
	wantPage(t, refused, `value="Is this kept?"`, "Please wait 60 seconds")
	if refused.Header().Get("Retry-After") != "60" {
		t.Errorf("Retry-After = %q, want 60", refused.Header().Get("Retry-After"))
	}

	status(t, "preview", f.post(t, alice, "/contact", pilotForm("dry_run", "true"), formType, browser), 200, "")
	for left := 2; left >= 0; left-- {
		status(t, "send", f.post(t, alice, "/contact", pilotForm("dry_run", "false"), formType, browser), 200, contract.ContactPolicy.Remaining(left))
	}
	status(t, "API over the limit", f.post(t, alice, contract.PathContact, real), 429, `"contact";r=0`)
	status(t, "page over the limit", f.post(t, alice, "/contact", pilotForm(), formType, browser), 429, `"contact";r=0`)
	if n := len(f.courier.sent); n != 3 {
		t.Errorf("%d requests reached the courier, want 3", n)
	}
}

// wantPage checks that an answer is an HTML page that nobody keeps, with all of parts.
func wantPage(t *testing.T, w *httptest.ResponseRecorder, parts ...string) {
	t.Helper()
	if got := w.Header().Get("Content-Type") + ", " + w.Header().Get("Cache-Control"); got != "text/html; charset=utf-8, no-store" {
		t.Errorf("the answer is %s", got)
	}
	for _, part := range parts {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("the page lacks %s:\n%s", part, w.Body)
		}
	}
}

// TestPreviewAndSend sends exactly what the page has shown.
func TestPreviewAndSend(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	preview := f.post(t, alice, "/contact", pilotForm("dry_run", "true"), formType, browser)
	wantPage(t, preview, "This is the mail", "Pilot request from AE", `name="preview" value="`)
	if len(f.courier.sent) != 0 {
		t.Fatal("a preview is sent")
	}
	_, rest, _ := strings.Cut(preview.Body.String(), `name="preview" value="`)
	digest, _, _ := strings.Cut(rest, `"`)

	changed := f.post(t, alice, "/contact", pilotForm("preview", digest, "message", "Something else"), formType, browser)
	status(t, "changed after the preview", changed, 400, "")
	wantPage(t, changed, "Something else", "preview is not the digest")
	if len(f.courier.sent) != 0 {
		t.Fatal("what was not previewed is sent")
	}
	sent := f.post(t, alice, "/contact", pilotForm("preview", digest, "dry_run", "false"), formType, browser)
	status(t, "as previewed", sent, 200, `"contact";r=2`)
	wantPage(t, sent, f.courier.sent[0].ID, "ada@example.com")
}

// TestRefusedFormsKeepWhatWasTyped reads each refusal back.
func TestRefusedFormsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	kept := []string{`value="Ada"`, "Hello</textarea>"}
	tests := []struct {
		name, body string
		fail       error
		status     int
		parts      []string
	}{
		{"one field", pilotForm("email", "ada@localhost"), nil, 400,
			append(kept, `value="ada@localhost" aria-invalid="true" aria-describedby="email-error"`, `id="email-error">email must be one plain`)},
		{"two fields", pilotForm("email", "", "business", strings.Repeat("b", 201)), nil, 400,
			append(kept, `id="email-error">email is required`, `id="business-error">business must be at most 200 characters`)},
		{"delivery", pilotForm(), errDelivery, 502, append(kept, `role="alert">The mail server refuses. Nothing is wrong with the request: retry after a minute.`)},
		{"markup", pilotForm("name", `"><script>alert(1)</script>`, "email", "x"), nil, 400, []string{`value="&#34;&gt;&lt;script&gt;`}},
		{"dry_run as a word", pilotForm("dry_run", "yes"), nil, 400, append(kept, "dry_run must be true or false")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			f.courier.fail = tt.fail
			w := f.post(t, alice, "/contact", tt.body, formType, browser)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
			wantPage(t, w, tt.parts...)
			if tt.fail == nil && len(f.courier.sent) > 0 {
				t.Error("a refused form is sent")
			}
		})
	}
}

// TestFormsInMarkdown answers agents that post a form and read Markdown.
func TestFormsInMarkdown(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	for body, want := range map[string]string{
		pilotForm("dry_run", "true"): "with `preview` = `",
		pilotForm():                  "## Sent",
		pilotForm("email", "x"):      "- email must be one plain",
	} {
		w := f.post(t, alice, "/contact", body, formType, "Accept: text/markdown")
		if got := w.Header().Get("Content-Type"); got != "text/markdown; charset=utf-8" || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %s, want %q in\n%s", body, got, want, w.Body)
		}
	}
	w := f.post(t, alice, "/ask", form("q", "Who is it for?"), formType, "Accept: text/markdown")
	if !strings.Contains(w.Body.String(), "## Who is it for?\n\nFor small local businesses") {
		t.Errorf("answer:\n%s", w.Body)
	}
}

// TestFormsObeyTheOriginRule: a page of somebody else's cannot post the forms.
func TestFormsObeyTheOriginRule(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]int{base: 200, "https://evil.example": 403, "null": 403} {
		f := newFront(t)
		w := f.post(t, alice, "/contact", pilotForm(), formType, browser, "Origin: "+origin)
		if w.Code != want || (want != 200 && len(f.courier.sent) > 0) {
			t.Errorf("%s: %d and %d sent, want %d", origin, w.Code, len(f.courier.sent), want)
		}
	}
}
