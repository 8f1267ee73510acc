package contract_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"frontdesk/internal/golden"
	"frontdesk/test/harness"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// descriptionGolden is the description of the sample service, indented so that changes
// are readable. .ci/oasdiff compares it with the published one.
var descriptionGolden = filepath.Join("testdata", "openapi.golden.json")

func TestDescriptionGolden(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	served := d.Send(t, harness.NewClient(t), http.MethodGet, "/openapi.json", "")
	harness.WantStatus(t, served, http.StatusOK)
	var indented bytes.Buffer
	if err := json.Indent(&indented, served.Text, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, descriptionGolden, indented.Bytes())
}

// registerFormats registers formats and media types that kin-openapi does not check or
// read by default.
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

// loadDescription reads the golden description and forbids other members in its objects,
// so that an answer with an undescribed member fails. Callers must ignore such a member,
// but the service must describe it.
func loadDescription(t *testing.T) *openapi3.T {
	t.Helper()
	registerFormats()
	doc, err := openapi3.NewLoader().LoadFromFile(descriptionGolden)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	closed := false
	for _, schema := range doc.Components.Schemas {
		if len(schema.Value.Properties) > 0 {
			schema.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: &closed}
		}
	}
	return doc
}

// TestTranscriptsAgreeWithTheDescription validates every golden transcript: answers of
// described paths, their requests if accepted, and problem records of other paths.
func TestTranscriptsAgreeWithTheDescription(t *testing.T) {
	t.Parallel()
	doc := loadDescription(t)
	played := map[string]bool{}
	for _, tt := range transcripts {
		request, response, body := tt.golden(t)
		item := doc.Paths.Value(request.URL.Path)
		operation := (*openapi3.Operation)(nil)
		if item != nil {
			operation = describedOperation(item, request.Method)
		}
		if operation == nil {
			checkProblem(t, doc, tt.name, response, body)
			continue
		}
		played[operation.OperationID] = true
		route := &routers.Route{Spec: doc, Path: request.URL.Path, PathItem: item, Method: request.Method, Operation: operation}
		if err := validateExchange(t, route, request, response, body); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			documents := operation.Tags[0] == "Documents" || operation.Tags[0] == "MCP"
			if !documents && !played[operation.OperationID] {
				t.Errorf("no transcript shows %s %s", method, path)
			}
		}
	}
}

// describedOperation returns the operation of a method; HEAD is GET without the body.
func describedOperation(item *openapi3.PathItem, method string) *openapi3.Operation {
	if operation := item.GetOperation(method); operation != nil || method != http.MethodHead {
		return operation
	}
	return item.Get
}

func validateExchange(t *testing.T, route *routers.Route, request *http.Request, response *http.Response, body []byte) error {
	t.Helper()
	options := &openapi3filter.Options{
		IncludeResponseStatus: true, // otherwise an undescribed status is accepted
		ExcludeResponseBody:   request.Method == http.MethodHead || response.StatusCode == http.StatusNotModified,
	}
	input := &openapi3filter.RequestValidationInput{Request: request, Route: route, Options: options}
	if response.StatusCode == http.StatusOK {
		if err := openapi3filter.ValidateRequest(t.Context(), input); err != nil {
			return err
		}
	}
	return openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header,
		Body: io.NopCloser(bytes.NewReader(body)), Options: options,
	})
}

// checkProblem validates an error of a path or a method that is not described.
func checkProblem(t *testing.T, doc *openapi3.T, name string, response *http.Response, body []byte) {
	t.Helper()
	if response.Header.Get("Content-Type") != "application/problem+json" {
		return
	}
	var record any
	if err := json.Unmarshal(body, &record); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if err := doc.Components.Schemas["Problem"].Value.VisitJSON(record, openapi3.EnableFormatValidation()); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// golden returns the request of a transcript and the answer of its golden file.
func (tt transcript) golden(t *testing.T) (*http.Request, *http.Response, []byte) {
	t.Helper()
	method := tt.method
	if method == "" {
		method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(t.Context(), method, harness.Base+tt.path, strings.NewReader(tt.body))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range tt.header {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Add(name, value)
	}
	if strings.HasSuffix(tt.path, "/ask") {
		request.Header.Set("Content-Type", "application/json") // ask reads JSON with any type
	}
	text, err := os.ReadFile(filepath.Join("testdata", "http", tt.name+".golden"))
	if err != nil {
		t.Fatal(err)
	}
	_, answer, _ := strings.Cut(string(text), "\n\n")
	response, err := http.ReadResponse(bufio.NewReader(strings.NewReader(answer)), request)
	if err != nil {
		t.Fatalf("%s: %v", tt.name, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s: %v", tt.name, err)
	}
	return request, response, body
}

// TestDescriptionNoticesWhatIsWrong checks that the validation can fail.
func TestDescriptionNoticesWhatIsWrong(t *testing.T) {
	t.Parallel()
	doc := loadDescription(t)
	golden := func(name string) transcript {
		for _, tt := range transcripts {
			if tt.name == name {
				return tt
			}
		}
		t.Fatalf("no transcript %s", name)
		return transcript{}
	}
	tests := []struct {
		name, transcript string
		spoil            func(*http.Request, *http.Response, *[]byte)
	}{
		{"an undescribed status", "health", func(_ *http.Request, r *http.Response, _ *[]byte) { r.StatusCode = 418 }},
		{"no version header", "health", func(_ *http.Request, r *http.Response, _ *[]byte) { r.Header.Del("Service-API-Version") }},
		{"another limit", "ask-exact", func(_ *http.Request, r *http.Response, _ *[]byte) {
			r.Header.Set("RateLimit-Policy", `"ask";q=6;w=60`)
		}},
		{"an undescribed member", "health", replace(`"ok"`, `"ok","x":1`)},
		{"an unknown reason", "ask-exact", replace("matched", "guessed")},
		{"a malformed address", "ask-no-match", replace(`"url":null`, `"url":"pricing"`)},
		{"an error as plain JSON", "error-invalid-request-ask", func(_ *http.Request, r *http.Response, _ *[]byte) {
			r.Header.Set("Content-Type", "application/json")
		}},
		{"a request without business", "contact", func(r *http.Request, _ *http.Response, _ *[]byte) {
			body := `{"name":"Ada","email":"ada@example.com","message":"Hello"}`
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		}},
	}
	for _, tt := range tests {
		request, response, body := golden(tt.transcript).golden(t)
		tt.spoil(request, response, &body)
		item := doc.Paths.Value(request.URL.Path)
		route := &routers.Route{Spec: doc, Path: request.URL.Path, PathItem: item, Method: request.Method,
			Operation: item.GetOperation(request.Method)}
		if err := validateExchange(t, route, request, response, body); err == nil {
			t.Errorf("%s is not noticed", tt.name)
		}
	}
}

func replace(old, changed string) func(*http.Request, *http.Response, *[]byte) {
	return func(_ *http.Request, _ *http.Response, body *[]byte) {
		*body = bytes.Replace(*body, []byte(old), []byte(changed), 1)
	}
}
