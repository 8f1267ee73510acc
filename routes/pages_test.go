package routes_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/middleware"
	"frontdesk/test/harness"
)

// A path that the content lacks is not found, whatever the body, and has no route.
func TestContentInTwoLanguages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "bakery")
	expect.Value(content.Init(dir, "bakery"))(t)
	var seen middleware.Finished
	f := front{harness.NewFront(t, io.Discard, func(s *config.Settings) { s.Content = dir }, harness.Changes{
		Wiring: func(w *app.Wiring) { w.Layers.Observe = func(done middleware.Finished) { seen = done } },
	})}
	_, rest, _ := strings.Cut(f.send(t, alice, "GET", "/", "").Body.String(), `href="/assets/`)
	asset, _, _ := strings.Cut("/assets/"+rest, `"`)
	long := strings.Repeat("x", contract.CapContactPage+1)
	for _, tt := range []struct {
		method, path, body string
		status             int
		allow, route       string
	}{
		{"GET", "/en", "", 200, "", "/{page}"},
		{"GET", "/en/faq", "", 200, "", "/{language}/{page}"},
		{"HEAD", "/en/faq.md", "", 200, "", "/{page}.md"},
		{"GET", "/en/faq/", "", 308, "", "/{page}"},
		{"POST", "/en/ask", "", 400, "", "/{language}/ask"},
		{"POST", "/en/ask", long, 413, "", "/{language}/ask"},
		{"POST", "/en/contact", long, 413, "", "/{language}/contact"},
		{"POST", "/en/feedback", "", 400, "", "/{language}/feedback"},
		{"DELETE", "/en/ask", "", 405, "GET, HEAD, POST", ""},
		{"BREW", "/en/contact", "", 405, "GET, HEAD, POST", ""},
		{"GET", "/en/feedback", "", 405, "POST", ""},
		{"POST", "/en/faq", "", 405, "GET, HEAD", ""},
		{"POST", "/fr/ask", long, 404, "", ""},
		{"GET", "/fr/ask", "", 404, "", ""},
		{"POST", "/de/contact", "", 404, "", ""},
		{"POST", "/en/ask/", "", 404, "", ""},
		{"POST", contract.PathWorkspaceMCP, long, 404, "", ""},
		{"GET", contract.PathWorkspaceMCP, "", 404, "", ""},
		{"GET", contract.PathWorkspaceCard, "", 404, "", ""},
		{"GET", contract.PathCatalogAlias, "", 200, "", contract.PathCatalogAlias},
		{"GET", contract.PathRegistryAuth, "", 404, "", ""},
		{"GET", contract.PathAppsChallenge, "", 404, "", ""},
		{"POST", asset, "", 405, "GET, HEAD", ""},
		{"GET", asset + "/", "", 404, "", ""},
		{"GET", "/assets/site.000000000000.css", "", 404, "", ""},
		{"GET", "/assets/", "", 404, "", ""},
		{"GET", "/privacy//", "", 404, "", ""},
		{"GET", "/privacy.md/", "", 404, "", ""},
		{"GET", "/home", "", 404, "", ""}, // the home page is only at /
		{"GET", "/.md", "", 404, "", ""},
	} {
		w := f.send(t, alice, tt.method, tt.path, tt.body)
		expect.Same(t, tt.method+" "+tt.path,
			[]any{tt.status, tt.allow, tt.route}, []any{w.Code, w.Header().Get("Allow"), seen.Route})
	}
}
