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
				t.Errorf("%s is not described: add the operation to internal/discovery/documents/openapi.yaml", endpoint)
			}
			delete(described, endpoint)
			if !strings.HasPrefix(path, "/v1/") && !strings.HasPrefix(path, "/api/") || slices.Contains(mcpPaths, path) || route.AnyOrigin {
				continue // a document, or a server: the pages have sections of their own about them
			}
			row := regexp.MustCompile(`(?m)^\| ` + route.Method + ` \| .*` + regexp.QuoteMeta("`"+path+"`"))
			if !row.MatchString(developers) {
				t.Errorf("the table of the developer page lacks %s: add a row to internal/site/templates/developers.md", endpoint)
			}
			expect.Holds(t, "/llms.txt lacks "+endpoint+": add a line to internal/discovery/documents/llms.md", llms, path)
		}
	}
	for endpoint := range described {
		t.Errorf("the description has %s, which no route answers: remove it from internal/discovery/documents/openapi.yaml", endpoint)
	}
}

// isOfPages reports whether a path of the route table is a page, its Markdown form, a form or an asset. So are texts
// that only directories read and that are not set here.
func isOfPages(t *testing.T, d *harness.Desk, path string) bool {
	t.Helper()
	if strings.Contains(path, "{") {
		return true
	}
	page := strings.TrimSuffix(path, ".md")
	if page == "/index" {
		page = "/"
	}
	if path == "/feedback" || path == "/auth.md" {
		return path == "/feedback"
	}
	got := d.Send(t, harness.NewClient(t), "GET", page, "")
	mediaType := got.Header.Get("Content-Type")
	return strings.HasPrefix(mediaType, "text/html") || strings.HasPrefix(mediaType, "image/") || strings.HasPrefix(mediaType, "text/javascript") ||
		got.StatusCode == 404 && page == path
}
