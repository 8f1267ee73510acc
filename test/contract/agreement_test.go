package contract_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"frontdesk/handlers"
	"frontdesk/internal/expect"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

// The tests of this file and published_test.go compare the route table and every
// published document with the contract. The expected values are typed from the contract's
// text, not taken from package contract or another document.

// operationOfSection4 is a row of section 4 with its limits of section 8.
type operationOfSection4 struct {
	method, path, alias string
	bodyCap             int64
	policy              string
}

var section4 = []operationOfSection4{
	{"GET", "/v1/health", "", 0, ""},
	{"GET", "/v1/catalog", "/agents.json", 0, ""},
	{"POST", "/v1/ask", "/api/ask", 2048, `"ask";q=5;w=60`},
	{"POST", "/api/ask/feedback", "", 2048, `"ask";q=5;w=60`},
	{"POST", "/v1/contact", "/api/contact", 8192, `"contact";q=3;w=60`},
	{"GET", "/openapi.json", "", 0, ""},
}

// mcpPaths are the paths of the MCP servers.
var mcpPaths = []string{"/mcp", "/api/public/mcp"}

func (o operationOfSection4) paths() []string {
	if o.alias == "" {
		return []string{o.path}
	}
	return []string{o.path, o.alias}
}

func routeTable() []routes.Route {
	return routes.Table(&handlers.API{}, routes.MCP{}, routes.NewLimiters(nil))
}

func TestRouteTableIsSection4(t *testing.T) {
	t.Parallel()
	got := map[string]operationOfSection4{}
	for _, route := range routeTable() {
		row := operationOfSection4{route.Method, route.Path, strings.Join(route.Aliases, ","), route.BodyCap, ""}
		switch {
		case route.Limit != nil:
			row.policy = route.Limit.Policy().Header()
		case len(route.TakesSlots) == 1:
			row.policy = route.TakesSlots[0].Header()
		}
		got[route.Method+" "+route.Path] = row
	}
	for _, want := range section4 {
		if got := got[want.method+" "+want.path]; got != want {
			t.Errorf("route %+v, want %+v", got, want)
		}
	}
}

func TestDescriptionIsSection4(t *testing.T) {
	t.Parallel()
	doc := loadDescription(t)
	if doc.OpenAPI != "3.1.0" || doc.Info.Version != "1.0.0" {
		t.Errorf("OpenAPI %s, description %s; section 9.6 says 3.1.0 and 1.0.0", doc.OpenAPI, doc.Info.Version)
	}
	for _, want := range section4 {
		for _, path := range want.paths() {
			operation := doc.Paths.Value(path).GetOperation(want.method)
			if operation == nil {
				t.Errorf("%s %s is not described", want.method, path)
				continue
			}
			if want.bodyCap > 0 && !strings.Contains(operation.Description, strconv.FormatInt(want.bodyCap, 10)+" bytes") {
				t.Errorf("%s %s does not say that its body has at most %d bytes", want.method, path, want.bodyCap)
			}
			checkAnswers(t, path, want, operation)
		}
	}
	for _, path := range mcpPaths {
		if item := doc.Paths.Value(path); item == nil || item.Post == nil || !strings.Contains(doc.Paths.Value("/mcp").Post.Description, "8192 bytes") {
			t.Errorf("POST %s is not described", path)
		}
	}
}

// checkAnswers compares the headers and the statuses of an operation with sections 4, 7
// and 8.
func checkAnswers(t *testing.T, path string, want operationOfSection4, operation *openapi3.Operation) {
	t.Helper()
	for status, response := range operation.Responses.Map() {
		at := want.method + " " + path + " " + status
		if got := headerConst(response.Value.Headers["Service-API-Version"]); strings.HasPrefix(path, "/v1/") && got != "1" {
			t.Errorf("%s: Service-API-Version is %q, want 1", at, got)
		}
		policy := headerConst(response.Value.Headers["RateLimit-Policy"])
		if policy != "" && policy != want.policy {
			t.Errorf("%s: RateLimit-Policy is %s, want %s", at, policy, want.policy)
		}
		if status >= "400" && response.Value.Content["application/problem+json"] == nil {
			t.Errorf("%s is not application/problem+json", at)
		}
	}
	if want.policy == "" {
		return
	}
	name, _, _ := strings.Cut(want.policy, ";")
	over := operation.Responses.Value("429")
	for _, needed := range []string{"200", "400", "403", "413"} {
		if operation.Responses.Value(needed) == nil {
			t.Errorf("%s %s lacks %s", want.method, path, needed)
		}
	}
	if over == nil || headerConst(over.Value.Headers["RateLimit"]) != name+";r=0" || over.Value.Headers["Retry-After"] == nil {
		t.Errorf("%s %s: 429 must have RateLimit %s;r=0 and Retry-After", want.method, path, name)
	}
	if ok := operation.Responses.Value("200"); headerConst(ok.Value.Headers["RateLimit-Policy"]) != want.policy {
		t.Errorf("%s %s: 200 does not name the policy %s", want.method, path, want.policy)
	}
	if strings.HasSuffix(path, "contact") && operation.Responses.Value("502") == nil {
		t.Errorf("%s %s lacks 502", want.method, path)
	}
}

func headerConst(header *openapi3.HeaderRef) string {
	if header == nil {
		return ""
	}
	text, _ := header.Value.Schema.Value.Const.(string)
	return text
}

func TestDescriptionHasTheBoundsOfSection2(t *testing.T) {
	t.Parallel()
	schemas := loadDescription(t).Components.Schemas
	for _, want := range []struct {
		schema, field string
		most          uint64
	}{
		{"Question", "q", 300}, {"PilotRequest", "name", 200}, {"PilotRequest", "business", 200},
		{"PilotRequest", "message", 5000}, {"PilotRequest", "email", 254},
		{"Feedback", "q", 300}, {"Feedback", "comment", 400},
	} {
		field := schemas[want.schema].Value.Properties[want.field].Value
		if field.MaxLength == nil || *field.MaxLength != want.most {
			t.Errorf("%s.%s has the bound %v, want %d", want.schema, want.field, field.MaxLength, want.most)
		}
	}
	required := [][]string{schemas["PilotRequest"].Value.Required, schemas["Question"].Value.Required, schemas["Feedback"].Value.Required}
	expect.Same(t, "required fields", [][]string{{"name", "business", "email", "message"}, {"q"}, {"helpful"}}, required)
	fields := schemas["PilotRequest"].Value.Properties
	if fields["dry_run"].Value.Type.Slice()[0] != "boolean" || fields["email"].Value.Format != "email" {
		t.Error("dry_run must be a boolean and email an address")
	}
}

func TestDescriptionHasTheErrorsOfSection7(t *testing.T) {
	t.Parallel()
	doc := loadDescription(t)
	want := map[string]float64{
		"invalid_request": 400, "forbidden": 403, "not_found": 404, "method_not_allowed": 405,
		"payload_too_large": 413, "rate_limited": 429, "internal_error": 500, "bad_gateway": 502,
	}
	got := map[string]float64{}
	records := doc.Components.Schemas["Problem"].Value.Examples
	for _, example := range doc.Components.Examples {
		records = append(records, example.Value.Value)
	}
	for _, example := range records {
		record := example.(map[string]any)
		code := record["code"].(string)
		got[code] = record["status"].(float64)
		if record["type"] != harness.Base+"/developers#errors-"+code {
			t.Errorf("the example of %s has the type %v", code, record["type"])
		}
	}
	expect.Same(t, "errors", want, got)
	if codes := doc.Components.Schemas["Problem"].Value.Properties["code"].Value.Enum; len(codes) != len(want) {
		t.Errorf("the schema knows the codes %v", codes)
	}
}

// TestEveryEndpointIsWhole finds the files that a new endpoint needs and that were forgotten
// (CONTRIBUTING, "Add an endpoint"). Pages for people are in the sitemap instead.
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
	for _, route := range routeTable() {
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
			if !strings.Contains(llms, path) {
				t.Errorf("/llms.txt lacks %s: add a line to internal/discovery/documents/llms.md", endpoint)
			}
		}
	}
	for endpoint := range described {
		t.Errorf("the description has %s, which no route answers: remove it from internal/discovery/documents/openapi.yaml", endpoint)
	}
}

// isOfPages reports whether a path of the route table is a page, its Markdown form, a
// form or an asset.
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
	got := d.Send(t, harness.NewClient(t), http.MethodGet, page, "")
	return strings.HasPrefix(got.Header.Get("Content-Type"), "text/html")
}
