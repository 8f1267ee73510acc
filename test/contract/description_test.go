package contract_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/mail"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/test/harness"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

var descriptionGolden = filepath.Join("testdata", "openapi.golden.json")

func TestDescriptionGolden(t *testing.T) {
	t.Parallel()
	served := document(t, harness.Start(t, nil), "/openapi.json")
	var indented bytes.Buffer
	expect.OK(t, json.Indent(&indented, []byte(served), "", "  "))
	golden.Check(t, descriptionGolden, indented.Bytes())
}

// registerFormats registers formats and media types that kin-openapi does not check or read by default.
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

// loadDescription reads the golden description and forbids other members in its objects, so that an answer with an
// undescribed member fails. Callers must ignore such a member, but the service must describe it.
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

// agrees validates the answer of a transcript, and its request if it was accepted, and returns the operation of the
// description that it shows.
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

// describedRoute returns the operation of a request, nil if it is not described; HEAD is GET without the body.
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
