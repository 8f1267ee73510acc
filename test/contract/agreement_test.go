package contract_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

var mcpPaths = []string{"/mcp", "/api/public/mcp"}

func document(t *testing.T, d *harness.Desk, path string) string {
	t.Helper()
	got := d.Send(t, harness.NewClient(t), "GET", path, "")
	harness.WantStatus(t, got, 200)
	return string(got.Text)
}

// TestEveryEndpointIsWhole finds the files that a new endpoint needs and that were forgotten (CONTRIBUTING, "Add an
// endpoint"). Pages for people are in the sitemap instead.
func TestEveryEndpointIsWhole(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	described := map[string]bool{}
	for path, item := range loadDescription(t).Paths.Map() {
		for method := range item.Operations() {
			described[method+" "+path] = true
		}
	}
	developers, llms := document(t, d, "/developers.md"), document(t, d, "/llms.txt")
	for _, route := range routes.All() {
		for _, path := range route.Paths() {
			if isOfPages(t, d, path) && !slices.Contains(mcpPaths, path) {
				continue
			}
			endpoint := route.Method + " " + path
			if !described[endpoint] {
				t.Errorf("internal/discovery/documents/openapi.yaml lacks %s", endpoint)
			}
			delete(described, endpoint)
			inAPI := strings.HasPrefix(path, "/v1/") || strings.HasPrefix(path, "/api/")
			if !inAPI || slices.Contains(mcpPaths, path) || route.AnyOrigin {
				continue // a document, or a server: the pages have sections of their own about them
			}
			row := regexp.MustCompile(`(?m)^\| ` + route.Method + ` \| .*` + regexp.QuoteMeta("`"+path+"`"))
			if !row.MatchString(developers) {
				t.Errorf("the table of internal/site/templates/developers.md lacks %s", endpoint)
			}
			expect.Holds(t, "internal/discovery/documents/llms.md", llms, path)
		}
	}
	for endpoint := range described {
		t.Errorf("internal/discovery/documents/openapi.yaml has %s, which no route answers", endpoint)
	}
}

// isOfPages reports whether a path of the route table is a page, its Markdown form, a form or an asset. So are texts
// that only directories read and that are not set here.
func isOfPages(t *testing.T, d *harness.Desk, path string) bool {
	t.Helper()
	if strings.Contains(path, "{") || path == "/feedback" {
		return true
	}
	page := strings.TrimSuffix(path, ".md")
	if page == "/index" {
		page = "/"
	}
	got := d.Send(t, harness.NewClient(t), "GET", page, "")
	kind, subtype, _ := strings.Cut(got.Header.Get("Content-Type"), "/")
	return path != "/auth.md" && (kind == "image" || strings.HasPrefix(subtype, "html") ||
		strings.HasPrefix(subtype, "javascript") || got.StatusCode == 404 && page == path)
}
