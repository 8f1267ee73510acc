package contract_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// exampleAnswers names, for a request example, the response example that answers it
// and the members of the answer that differ each time or by the owner's settings.
var exampleAnswers = map[string]struct {
	answer string
	but    []string
}{
	"ask example": {answer: "answered"}, "askAlias example": {answer: "answered"}, "giveFeedback example": {answer: "example"},
	"contact dry_run": {"preview", []string{"digest"}}, "contactAlias dry_run": {"preview", []string{"digest"}},
	"contact send": {"accepted", []string{"id"}}, "contactAlias send": {"accepted", []string{"id"}},
	"websiteMCP ping": {answer: "pong"}, "workspaceMCP ping": {answer: "pong"},
}

// TestExamplesWorkWhenSent sends every request example of the description. Each must be
// accepted, and answered like its response example if there is one.
func TestExamplesWorkWhenSent(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	client := harness.NewClient(t)
	doc := loadDescription(t)
	compared := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil {
				continue
			}
			for mediaType, media := range operation.RequestBody.Value.Content {
				for name, value := range mediaExamples(media) {
					got := d.Send(t, client, method, path, exampleBody(t, mediaType, value), "Content-Type: "+mediaType)
					key := operation.OperationID + " " + name
					if got.StatusCode != 200 {
						t.Errorf("%s (%s): status %d\n%s", key, mediaType, got.StatusCode, got.Text)
						continue
					}
					if want, ok := exampleAnswers[key]; ok {
						compared[key] = true
						answers := mediaExamples(operation.Responses.Value("200").Value.Content["application/json"])
						compareExample(t, key, answers[want.answer], got.Text, want.but...)
					}
				}
			}
		}
	}
	if missing := slices.DeleteFunc(slices.Sorted(maps.Keys(exampleAnswers)), func(key string) bool { return compared[key] }); len(missing) > 0 {
		t.Errorf("the description lacks the examples %v", missing)
	}
}

func mediaExamples(media *openapi3.MediaType) map[string]any {
	values := map[string]any{}
	if media.Example != nil {
		values["example"] = media.Example
	}
	for name, example := range media.Examples {
		values[name] = example.Value.Value
	}
	return values
}

func exampleBody(t *testing.T, mediaType string, value any) string {
	t.Helper()
	if mediaType == "application/x-www-form-urlencoded" {
		form := url.Values{}
		for name, field := range value.(map[string]any) {
			text, ok := field.(string)
			if !ok {
				encoded := expect.Value(json.Marshal(field))(t)
				text = string(encoded)
			}
			form.Set(name, text)
		}
		return form.Encode()
	}
	encoded := expect.Value(json.Marshal(value))(t)
	return string(encoded)
}

func compareExample(t *testing.T, name string, example any, body []byte, but ...string) {
	t.Helper()
	var answered any
	if err := json.Unmarshal(body, &answered); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	ignored := cmp.FilterPath(func(p cmp.Path) bool {
		key, ok := p.Last().(cmp.MapIndex)
		return ok && slices.Contains(but, key.Key().String())
	}, cmp.Ignore())
	expect.Same(t, name, example, answered, ignored)
}

func TestErrorExamplesAreAnswers(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	client := harness.NewClient(t)
	doc := loadDescription(t)
	compare := func(response, path, body string) {
		t.Helper()
		got := d.Send(t, client, "POST", path, body, harness.JSONType, "X-Request-Id: 0123456789abcdef")
		example := doc.Components.Responses[response].Value.Content["application/problem+json"].Example
		compareExample(t, response, example, got.Text)
	}
	compare("InvalidRequest", "/v1/contact", `{"name":"Ada","email":"ada@example.com","message":"Hello"}`)
	for range contract.AskPolicy.Quota {
		d.Send(t, client, "POST", "/v1/ask", `{"q":"x"}`, harness.JSONType)
	}
	compare("RateLimited", "/v1/ask", `{"q":"x"}`)
}
