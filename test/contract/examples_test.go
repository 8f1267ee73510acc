package contract_test

import (
	"encoding/json"
	"frontdesk/test/harness"
	"net/http"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// TestExamplesAreAnswers asks what the examples of the description ask, and must be
// answered as they are.
func TestExamplesAreAnswers(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	client := harness.NewClient(t)
	doc := loadDescription(t)
	ask := doc.Paths.Value("/v1/ask").Post
	question, err := json.Marshal(ask.RequestBody.Value.Content["application/json"].Example)
	if err != nil {
		t.Fatal(err)
	}
	answered := d.Send(t, client, http.MethodPost, "/v1/ask", string(question), harness.JSONType)
	wantExample(t, ask.Responses.Value("200").Value.Content["application/json"].Examples["answered"], answered)

	contact := doc.Paths.Value("/v1/contact").Post
	dryRun, err := json.Marshal(contact.RequestBody.Value.Content["application/json"].Examples["dry_run"].Value.Value)
	if err != nil {
		t.Fatal(err)
	}
	preview := d.Send(t, client, http.MethodPost, "/v1/contact", string(dryRun), harness.JSONType)
	wantExample(t, contact.Responses.Value("200").Value.Content["application/json"].Examples["preview"], preview, "digest")
}

// wantExample compares an answer with an example, but for members that the owner's
// settings decide.
func wantExample(t *testing.T, example *openapi3.ExampleRef, got harness.Answer, but ...string) {
	t.Helper()
	harness.WantStatus(t, got, http.StatusOK)
	var answered map[string]any
	if err := json.Unmarshal(got.Text, &answered); err != nil {
		t.Fatal(err)
	}
	ignored := cmp.FilterPath(func(p cmp.Path) bool {
		key, ok := p.Last().(cmp.MapIndex)
		return ok && slices.Contains(but, key.Key().String())
	}, cmp.Ignore())
	if diff := cmp.Diff(example.Value.Value, any(answered), ignored); diff != "" {
		t.Errorf("(-example +answer):\n%s", diff)
	}
}
