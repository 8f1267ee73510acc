package mcpserver_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
		byName[expect.JSON[described](t, raw).Name] = raw
	}
	return byName
}

// There is a golden for each tool and each answer to initialize.
func TestGoldens(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for folder, server := range map[string]server{"website": f.website, "workspace": f.workspace} {
		byName := tools(t, server)
		for name, tool := range byName {
			checkGolden(t, filepath.Join(folder, name+".json"), tool)
		}
		for _, version := range contract.MCPVersions {
			body := rpc("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{}}`, version))
			checkGolden(t, filepath.Join(folder, "initialize-"+version+".json"), replyOf(t, server.post(t, body)).Result)
		}
		files := expect.Value(os.ReadDir(filepath.Join("testdata", folder)))(t)
		expect.Same(t, folder, len(byName)+len(contract.MCPVersions), len(files))
	}
	checkGolden(t, "resources.json", replyOf(t, f.website.post(t, rpc("resources/list", `{}`))).Result)
}

// Words of the owner may mean something in YAML, JSON or HTML.
func TestOwnersWords(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	p := f.wiring.Live.Publication()
	const name, request = `'Ada': "Desk" <b>&amp; {{.Name}} \ #1 - é—日本`, `Say "hi": <i>&lt; {x} | \n [y]`
	p.Content.Name, p.Content.Request = name, request
	website, workspace := f.wiring.Core.Servers(&p, f.wiring.Live)
	expect.Holds(t, "the instructions of the website", instructions(t, website), name+": prices, ", "\n3. Contact (“"+request+"”), or no answer: ")
	expect.Holds(t, "the instructions of the workspace", instructions(t, workspace), name+": free trials ", "\n4. Questions and requests (“"+request+"”): ")
	tool := expect.JSON[described](t, tools(t, serving(website))[contract.ToolRequestPilot])
	if tool.Title != request || !strings.HasPrefix(tool.Description, "Send the business a request (“"+request+"”) or any other message;") {
		t.Errorf("the tool is %q: %s", tool.Title, tool.Description)
	}
}

func TestTwoLanguagesWithoutTrials(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	p := f.wiring.Live.Publication()
	p.Content = expect.Value(content.Load(content.SampleNamed("bakery")))(t)
	website, workspace := f.wiring.Core.Servers(&p, f.wiring.Live)
	expect.Same(t, "the server of the workspace", nil, workspace)
	text := instructions(t, website)
	expect.Holds(t, "the instructions", text, " Content languages: de, en.\n1. ", "Contact (“Message to us”)")
	if !strings.HasSuffix(text, "\n4. At a limit, wait the seconds that the error names.") {
		t.Errorf("the instructions end otherwise: %s", text)
	}
	for tool, languages := range map[string]string{contract.ToolListServices: "de", contract.ToolGetService: "de", contract.ToolAskFAQ: "de, en"} {
		expect.Holds(t, tool, expect.JSON[described](t, tools(t, serving(website))[tool]).Description, " Content languages: "+languages+".")
	}
}

func instructions(t *testing.T, s *mcpserver.Server) string {
	t.Helper()
	result := replyOf(t, serving(s).post(t, rpc("initialize", `{"protocolVersion":"2025-06-18","capabilities":{}}`))).Result
	return expect.JSON[struct{ Instructions string }](t, result).Instructions
}

func serving(s *mcpserver.Server) server {
	handler := &mcpserver.Handler{Current: func() *mcpserver.Server { return s }}
	problems := &middleware.Problems{BaseURL: base}
	capped := middleware.BodyCap(contract.CapMCP, nil, problems)(problems.Handle(handler.Serve))
	return server{&harness.Front{Handler: capped}, contract.PathMCP}
}

// They fit although no other members are allowed here.
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
		{f.website, "request_pilot", `{` + fields + `,"message":"Hello","dry_run":true}`},
		{f.website, "request_pilot", `{` + fields + `,"message":"Hello"}`},
		{f.workspace, "start_trial", `{` + fields + `,"dry_run":true}`},
		{f.workspace, "start_trial", `{` + fields + `}`},
	}
	for i, c := range calls {
		t.Run(fmt.Sprint(c.tool, i), func(t *testing.T) {
			t.Parallel()
			d := expect.JSON[described](t, tools(t, c.server)[c.tool])
			got := expect.JSON[struct {
				Content           []struct{ Type, Text string }
				StructuredContent json.RawMessage
				IsError           bool
			}](t, replyOf(t, c.server.post(t, toolCall(c.tool, c.arguments))).Result)
			expect.Same(t, "isError, type and text of the result",
				[]any{false, "text", string(got.StructuredContent)}, []any{got.IsError, got.Content[0].Type, got.Content[0].Text})
			expect.Error(t, string(got.StructuredContent), compile(t, d.OutputSchema)(got.StructuredContent), nil)
		})
	}
}

func compile(t *testing.T, schema json.RawMessage) func(value json.RawMessage) error {
	t.Helper()
	parsed := expect.Value(jsonschema.UnmarshalJSON(bytes.NewReader(schema)))(t)
	adapt(parsed)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	expect.OK(t, compiler.AddResource("schema.json", parsed))
	compiled := expect.Value(compiler.Compile("schema.json"))(t)
	return func(value json.RawMessage) error {
		t.Helper()
		return compiled.Validate(expect.Value(jsonschema.UnmarshalJSON(bytes.NewReader(value)))(t))
	}
}

// adapt forbids unlisted properties, and reads nullable as OpenAPI and Ajv do.
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

// Schema and reader know the same arguments, and accept the same values. That an address or an id is not empty is left
// to the description.
func TestInputSchemas(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for tool, tt := range map[string]struct {
		server    server
		arguments map[string]any
	}{
		"list_services": {f.website, nil},
		"get_service":   {f.website, map[string]any{"id": "online-booking"}},
		"ask_faq":       {f.website, map[string]any{"q": "Why?"}},
		"request_pilot": {f.website, map[string]any{"name": "A", "business": "B", "email": "a@example.com", "message": "m", "dry_run": true}},
		"start_trial":   {f.workspace, map[string]any{"business": "B", "email": "a@example.com", "dry_run": true}},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			schema := expect.JSON[described](t, tools(t, tt.server)[tool]).InputSchema
			expect.Lacks(t, "the schema", schema, "additionalProperties") // on which some clients fail
			properties := expect.JSON[struct {
				Properties map[string]struct{ MaxLength int }
			}](t, schema).Properties
			call := func(arguments json.RawMessage) *contract.RPCError {
				return replyOf(t, tt.server.post(t, toolCall(tool, string(arguments)))).Error
			}
			_, known, _ := strings.Cut(strings.TrimSuffix(call([]byte(`{"unknown":1}`)).Data.Errors[0].Message, "there are no arguments"), "the arguments are ")
			expect.Same(t, "arguments", slices.Sorted(maps.Keys(properties)), slices.Sorted(strings.FieldsFuncSeq(known, func(r rune) bool { return r == ',' || r == ' ' })))
			valid := compile(t, schema)
			for name, property := range properties {
				text := func(length int) string {
					if name == contract.FieldEmail {
						return strings.Repeat("a", length-len("@example.com")) + "@example.com"
					}
					return strings.Repeat("a", length)
				}
				values := []any{"absent", nil, "", true, 1, text(cmp.Or(property.MaxLength, 6000)), text(property.MaxLength + 1)}
				if property.MaxLength == 0 {
					values = values[:6]
				}
				for i, value := range values {
					arguments := maps.Clone(tt.arguments)
					if arguments[name] = value; i == 0 {
						delete(arguments, name)
					}
					if name == contract.FieldIdempotencyKey {
						delete(arguments, contract.FieldDryRun) // which ignores the key
					}
					body := expect.Value(json.Marshal(arguments))(t)
					refused, invalid := call(body), valid(body)
					isWord := name == contract.FieldID && i > 0 || name == contract.FieldEmail && value == ""
					if (refused == nil) != (invalid == nil) && !(isWord && invalid == nil) {
						t.Errorf("%s: the tool says %v, the schema %v: %.200s", name, refused, invalid, body)
					}
				}
			}
		})
	}
}

// Each output schema requires the members that are never left out.
func TestOutputSchemas(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for tool, results := range map[string][]reflect.Type{
		"list_services": {reflect.TypeFor[contract.Catalog]()},
		"get_service":   {reflect.TypeFor[contract.ServiceDetail]()},
		"ask_faq":       {reflect.TypeFor[contract.Answer]()},
		"request_pilot": {reflect.TypeFor[contract.Preview](), reflect.TypeFor[contract.Accepted]()},
		"start_trial":   {reflect.TypeFor[contract.TrialPreview](), reflect.TypeFor[contract.Trial]()},
	} {
		server := f.website
		if tool == contract.ToolStartTrial {
			server = f.workspace
		}
		type required struct{ Required []string }
		schema := expect.JSON[struct {
			required
			Properties map[string]any
			OneOf      []required
		}](t, expect.JSON[described](t, tools(t, server)[tool]).OutputSchema)
		if len(results) == 1 {
			schema.OneOf = []required{schema.required}
		}
		members, always := map[string]any{}, make([]required, len(results))
		for i, result := range results {
			for _, field := range reflect.VisibleFields(result) {
				name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
				if name == "-" || field.Anonymous {
					continue
				}
				if members[name] = nil; options == "" {
					always[i].Required = append(always[i].Required, name)
				}
			}
		}
		expect.Same(t, "members of "+tool, slices.Sorted(maps.Keys(members)), slices.Sorted(maps.Keys(schema.Properties)))
		expect.Same(t, "required members of "+tool, always, schema.OneOf)
	}
}
