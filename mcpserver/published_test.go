package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/mcpserver"
	"frontdesk/middleware"
	"frontdesk/test/harness"
)

type described struct {
	Name, Title, Description  string
	InputSchema, OutputSchema json.RawMessage
	Annotations               map[string]any
}

func tools(t *testing.T, server server) map[string]json.RawMessage {
	t.Helper()
	list := expect.JSON[struct{ Tools []json.RawMessage }](t, replyOf(t, server.post(t, rpc("tools/list", `{}`))).Result)
	byName := map[string]json.RawMessage{}
	for _, raw := range list.Tools {
		d := expect.JSON[described](t, raw)
		byName[d.Name] = raw
	}
	return byName
}

// TestGoldens compares everything that both servers publish with golden files: one for
// each tool and each answer to initialize.
func TestGoldens(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for folder, server := range f.servers() {
		byName := tools(t, server)
		for name, tool := range byName {
			checkGolden(t, filepath.Join(folder, name+".json"), tool)
		}
		for _, version := range contract.MCPVersions {
			body := rpc("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{}}`, version))
			checkGolden(t, filepath.Join(folder, "initialize-"+version+".json"), replyOf(t, server.post(t, body)).Result)
		}
		files := expect.Value(os.ReadDir(filepath.Join("testdata", folder)))(t)
		if want := len(byName) + len(contract.MCPVersions); len(files) != want {
			t.Errorf("%s has %d goldens, %d are made", folder, len(files), want)
		}
	}
	checkGolden(t, "resources.json", replyOf(t, f.website.post(t, rpc("resources/list", `{}`))).Result)
}

func TestRequestName(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	catalog, languages := f.wiring.Live.Catalog(), []string{content.English}
	website := serving(f.wiring.Core.Website(catalog, languages, "Anfrage", f.wiring.Live))
	for name, server := range map[string]server{"website": website, "workspace": serving(f.wiring.Core.Workspace(catalog, languages, "Anfrage"))} {
		instructions := string(replyOf(t, server.post(t, rpc("initialize", `{"protocolVersion":"2025-06-18","capabilities":{}}`))).Result)
		if !strings.Contains(instructions, "(“Anfrage”)") || strings.Contains(instructions, "pilot request") {
			t.Errorf("the instructions of the %s server: %s", name, instructions)
		}
	}
	tool := expect.JSON[described](t, tools(t, website)[contract.ToolRequestPilot])
	if tool.Title != "Anfrage" || !strings.HasPrefix(tool.Description, "Send the business a request (“Anfrage”) or any other message;") {
		t.Errorf("the tool is %q: %s", tool.Title, tool.Description)
	}
}

func serving(s *mcpserver.Server) server {
	handler := &mcpserver.Handler{Current: func() *mcpserver.Server { return s }}
	problems := &middleware.Problems{BaseURL: base}
	capped := middleware.BodyCap(contract.CapMCP, nil, problems)(problems.Handle(handler.Serve))
	return server{&harness.Front{Handler: capped}, contract.PathMCP}
}

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
