package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"frontdesk/internal/expect"
)

// TestResultsFitTheirSchemas validates real results with the published output schemas,
// which here allow no other members.
func TestResultsFitTheirSchemas(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	const fields = `"name":"Ada","business":"AE","email":"ada@example.com"`
	calls := []struct {
		server          server
		tool, arguments string
	}{
		{f.website, "list_services", `{}`},
		{f.workspace, "list_services", `{}`},
		{f.website, "get_service", `{"id":"online-booking"}`},
		{f.workspace, "get_service", `{"id":"full-front-desk"}`},
		{f.website, "ask_faq", `{"q":"Who is it for?"}`},
		{f.website, "ask_faq", `{"q":"What is the weather in Paris?"}`},
		{f.website, "request_pilot", `{` + fields + `,"message":"Hello","phone":"1","segment":null,"preview":null,"idempotency_key":null,"dry_run":true}`},
		{f.website, "request_pilot", `{` + fields + `,"message":"Hello"}`},
		{f.workspace, "start_trial", `{` + fields + `,"segment":null,"idempotency_key":null,"dry_run":true}`},
		{f.workspace, "start_trial", `{` + fields + `}`},
	}
	for i, c := range calls {
		t.Run(fmt.Sprint(c.tool, i), func(t *testing.T) {
			t.Parallel()
			d := expect.JSON[described](t, tools(t, c.server)[c.tool])
			got := toolResultOf(t, c.server.post(t, toolCall(c.tool, c.arguments)))
			if got.IsError || got.Content[0].Type != "text" || got.Content[0].Text != string(got.StructuredContent) {
				t.Errorf("text and structured content differ:\n%s\n%s", got.Content[0].Text, got.StructuredContent)
			}
			fits(t, d.OutputSchema, got.StructuredContent, true)
			fits(t, d.InputSchema, json.RawMessage(c.arguments), true)
			fits(t, d.InputSchema, json.RawMessage(`{"unknown":1}`), false)
			fits(t, d.InputSchema, json.RawMessage(strings.Replace(c.arguments, `"dry_run":true`, `"dry_run":null`, 1)), !strings.Contains(c.arguments, "dry_run"))
			if bytes.Contains(d.InputSchema, []byte("additionalProperties")) {
				t.Error("the schema of the arguments has additionalProperties, on which some clients fail")
			}
		})
	}
}

func fits(t *testing.T, schema, value json.RawMessage, want bool) {
	t.Helper()
	parsed := expect.Value(jsonschema.UnmarshalJSON(bytes.NewReader(schema)))(t)
	adapt(parsed)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	expect.OK(t, compiler.AddResource("schema.json", parsed))
	compiled := expect.Value(compiler.Compile("schema.json"))(t)
	instance := expect.Value(jsonschema.UnmarshalJSON(bytes.NewReader(value)))(t)
	if err := compiled.Validate(instance); (err == nil) != want {
		t.Errorf("%s fits: %v, want %v", value, err, want)
	}
}

// adapt forbids unlisted properties in every object of a schema, and reads nullable as
// OpenAPI and Ajv do.
func adapt(node any) {
	object, is := node.(map[string]any)
	if !is {
		return
	}
	for _, child := range object {
		adapt(child)
	}
	if object["nullable"] == true {
		object["type"] = []any{object["type"], "null"}
	}
	if _, has := object["properties"].(map[string]any); has {
		object["additionalProperties"] = false
	}
}
