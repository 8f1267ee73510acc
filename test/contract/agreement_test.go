package contract_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/mail"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/internal/payload"
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

// What a new endpoint needs and was forgotten (CONTRIBUTING, "Add an endpoint"). Pages for people are in the sitemap
// instead.
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

// isOfPages is true for a page, its Markdown form, a form, an asset, and a text that is not set here.
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

var descriptionGolden = filepath.Join("testdata", "openapi.golden.json")

// Not parallel: with -update, it writes what parallel tests read.
func TestDescriptionGolden(t *testing.T) {
	served := document(t, harness.Start(t, nil), "/openapi.json")
	var indented bytes.Buffer
	expect.OK(t, json.Indent(&indented, []byte(served), "", "  "))
	golden.Check(t, descriptionGolden, indented.Bytes())
}

// kin-openapi does not know these by default.
var registerFormats = sync.OnceFunc(func() {
	openapi3.DefineStringFormatValidator("email", openapi3.NewCallbackValidator(func(s string) error {
		_, err := mail.ParseAddress(s)
		return err
	}))
	openapi3.DefineStringFormatValidator("uri", openapi3.NewCallbackValidator(func(s string) error {
		parsed, err := url.Parse(s)
		if err == nil && !parsed.IsAbs() {
			err = errors.New("not absolute")
		}
		return err
	}))
	for _, mediaType := range []string{"text/markdown", "text/xml"} {
		openapi3filter.RegisterBodyDecoder(mediaType, openapi3filter.PlainBodyDecoder)
	}
})

// loadDescription forbids other members in its objects: callers must ignore one, but the service must describe it.
func loadDescription(t *testing.T) *openapi3.T {
	t.Helper()
	registerFormats()
	doc := expect.Value(openapi3.NewLoader().LoadFromFile(descriptionGolden))(t)
	expect.OK(t, doc.Validate(t.Context()))
	closed := false
	for _, schema := range doc.Components.Schemas {
		if len(schema.Value.Properties) > 0 {
			schema.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: &closed}
		}
	}
	return doc
}

// agrees validates an answer, and its request if it was accepted, and returns the operation that it shows.
func (tt transcript) agrees(t *testing.T, doc *openapi3.T, answer harness.Answer) (operation string) {
	t.Helper()
	request := expect.Value(http.NewRequest(tt.method, harness.Base+tt.path, strings.NewReader(tt.body)))(t)
	for _, line := range tt.header {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Add(name, value)
	}
	if strings.HasSuffix(tt.path, "/ask") {
		request.Header.Set("Content-Type", "application/json") // ask reads JSON with any type
	}
	route := describedRoute(doc, request)
	if route == nil { // then only an error has a description
		if answer.Header.Get("Content-Type") == "application/problem+json" {
			record := expect.JSON[any](t, answer.Text)
			expect.OK(t, doc.Components.Schemas["Problem"].Value.VisitJSON(record, openapi3.EnableFormatValidation()))
		}
		return ""
	}
	options := &openapi3filter.Options{
		IncludeResponseStatus: true, // otherwise an undescribed status is accepted
		ExcludeResponseBody:   request.Method == "HEAD" || answer.StatusCode == 304,
	}
	input := &openapi3filter.RequestValidationInput{Request: request, Route: route, Options: options}
	if answer.StatusCode == 200 {
		expect.OK(t, openapi3filter.ValidateRequest(t.Context(), input))
	}
	expect.OK(t, openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: answer.StatusCode, Header: answer.Header,
		Body: io.NopCloser(bytes.NewReader(answer.Text)), Options: options,
	}))
	return route.Operation.OperationID
}

// HEAD is GET without the body.
func describedRoute(doc *openapi3.T, request *http.Request) *routers.Route {
	item, method := doc.Paths.Value(request.URL.Path), request.Method
	if method == "HEAD" {
		method = "GET"
	}
	if item == nil || item.GetOperation(method) == nil {
		return nil
	}
	return &routers.Route{Spec: doc, Path: request.URL.Path, PathItem: item, Method: request.Method,
		Operation: item.GetOperation(method)}
}

func TestMCPGuide(t *testing.T) {
	t.Parallel()
	guide := expect.File(t, "docs/mcp.md")
	expect.Holds(t, "the guide", guide, append(contract.MCPVersions, contract.PathMCP, contract.PathWorkspaceMCP,
		fmt.Sprint(contract.CapMCP, " bytes"), contract.HeaderRetryAfter, contract.ResourceLLMS, contract.ResourceOpenAPI,
		contract.ResourceAgents, contract.ResourcePricing, contract.ResourceDevelopers,
		contract.AskPolicy.Header(), contract.ContactPolicy.Header(), contract.TrialPolicy.Header())...)
	for tool, fields := range map[string][]string{
		contract.ToolListServices: nil, contract.ToolGetService: {contract.FieldID},
		contract.ToolAskFAQ: payload.QuestionFields, contract.ToolRequestPilot: payload.PilotFields,
		contract.ToolStartTrial: payload.TrialFields,
	} {
		row := regexp.MustCompile("(?m)^\\| `" + tool + "` \\|.*$").FindString(guide)
		if row == "" {
			t.Errorf("the guide lacks a row for %s", tool)
		}
		for _, field := range fields {
			expect.Holds(t, "the row of "+tool, row, "`"+field+"`")
		}
	}
}
