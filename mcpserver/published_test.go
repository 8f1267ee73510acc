package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// described is a tool as tools/list publishes it.
type described struct {
	Name, Title, Description  string
	InputSchema, OutputSchema json.RawMessage
	Annotations               map[string]any
}

func tools(t *testing.T, server http.Handler) map[string]json.RawMessage {
	t.Helper()
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(replyOf(t, post(t, server, rpc("tools/list", `{}`))).Result, &list); err != nil {
		t.Fatal(err)
	}
	byName := map[string]json.RawMessage{}
	for _, raw := range list.Tools {
		var d described
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		byName[d.Name] = raw
	}
	return byName
}

// TestGoldens compares everything that both servers publish with golden files: one for
// each tool and each answer to initialize.
func TestGoldens(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for folder, server := range map[string]http.Handler{"website": f.website, "workspace": f.workspace} {
		byName := tools(t, server)
		for name, tool := range byName {
			checkGolden(t, filepath.Join(folder, name+".json"), tool)
		}
		for _, version := range contract.MCPVersions {
			body := rpc("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{}}`, version))
			checkGolden(t, filepath.Join(folder, "initialize-"+version+".json"), replyOf(t, post(t, server, body)).Result)
		}
		files, err := os.ReadDir(filepath.Join("testdata", folder))
		if err != nil {
			t.Fatal(err)
		}
		if want := len(byName) + len(contract.MCPVersions); len(files) != want {
			t.Errorf("%s has %d goldens, %d are made", folder, len(files), want)
		}
	}
	checkGolden(t, "resources.json", replyOf(t, post(t, f.website, rpc("resources/list", `{}`))).Result)
}

// TestToolsAreWhole checks what every tool must publish (decisions, MCP).
func TestToolsAreWhole(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	want := map[string][]string{
		"website":   {"ask_faq", "get_service", "list_services", "request_pilot"},
		"workspace": {"get_service", "list_services", "start_trial"},
	}
	for name, server := range map[string]http.Handler{"website": f.website, "workspace": f.workspace} {
		var names []string
		for tool, raw := range tools(t, server) {
			names = append(names, tool)
			var d described
			if err := json.Unmarshal(raw, &d); err != nil {
				t.Fatal(err)
			}
			if d.Title == "" || d.Description == "" || len(d.OutputSchema) == 0 {
				t.Errorf("%s lacks a title, a description or an output schema", tool)
			}
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				if _, is := d.Annotations[hint].(bool); !is {
					t.Errorf("%s lacks %s", tool, hint)
				}
			}
			writes := tool == contract.ToolRequestPilot || tool == contract.ToolStartTrial
			if d.Annotations["readOnlyHint"] == writes {
				t.Errorf("%s: readOnlyHint = %v", tool, !writes)
			}
		}
		slices.Sort(names)
		if diff := cmp.Diff(want[name], names); diff != "" {
			t.Errorf("tools of the %s (-contract +got):\n%s", name, diff)
		}
	}
}

// TestStructuredContentIsTheHTTPAnswer compares the catalog tools with the catalog that
// HTTP serves.
func TestStructuredContentIsTheHTTPAnswer(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	want := strings.TrimSpace(string(f.shelf[contract.PathCatalog].Body.Bytes))
	for _, arguments := range []string{`{}`, `null`, `{ }`} {
		for _, server := range []http.Handler{f.website, f.workspace} {
			got := toolResultOf(t, post(t, server, toolCall("list_services", arguments)))
			if string(got.StructuredContent) != want {
				t.Errorf("list_services %s is not the catalog: %s", arguments, got.StructuredContent)
			}
		}
	}
	for _, id := range f.catalog.ServiceIDs() {
		var got contract.ServiceDetail
		result := toolResultOf(t, post(t, f.website, toolCall("get_service", fmt.Sprintf(`{"id":%q}`, id))))
		if err := json.Unmarshal(result.StructuredContent, &got); err != nil {
			t.Fatal(err)
		}
		want, _ := f.catalog.Service(id)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-catalog +tool):\n%s", id, diff)
		}
	}
}

// TestCandidatesAreReadable asks a question that no entry surely answers: models that read only
// text get the approved answers that may fit, and the structured content is as over HTTP.
func TestCandidatesAreReadable(t *testing.T) {
	t.Parallel()
	fallback := contract.Answer{
		OK: true, Answer: "Ask us.", Reason: contract.ReasonNoMatch, Match: contract.MatchNone, Suggestions: []string{"A?", "B?"},
		Candidates: []contract.Candidate{
			{EntryID: "a", Question: "A?", Answer: "  <A>\n\n1 & 2", URL: new("https://a.example"), Revision: "ra"},
			{EntryID: "b", Question: "B?", Answer: "B.", Revision: "rb"},
		},
	}
	far := fallback
	far.Suggestions, far.Candidates = []string{}, []contract.Candidate{}
	for name, test := range map[string]struct {
		answer contract.Answer
		second string
	}{
		"candidates":           {fallback, "Not answered for certain. Approved answers that may fit:\n\n1. A?\n  <A>\n\n1 & 2\n\n2. B?\nB."},
		"far from everything": {far, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t, func(c *Core) { c.Answers = asking(func(context.Context, string) contract.Answer { return test.answer }) })
			got := toolResultOf(t, post(t, f.website, toolCall("ask_faq", `{"q":"What?"}`)))
			texts := []string{strings.TrimSpace(string(payload.JSON(test.answer)))}
			if string(got.StructuredContent) != texts[0] {
				t.Errorf("structured content %s", got.StructuredContent)
			}
			if test.second != "" {
				texts = append(texts, test.second)
			}
			if diff := cmp.Diff(texts, got.texts()); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for path, key := range map[string]string{
		"/llms.txt": contract.PathLLMS, "/openapi.json": contract.PathOpenAPI, "/agents.json": contract.PathCatalog,
		"/pricing": contract.PathPricing, "/developers": contract.PathDevelopers,
	} {
		var got struct {
			Contents []struct{ URI, MIMEType, Text string }
		}
		w := post(t, f.website, rpc("resources/read", fmt.Sprintf(`{"uri":%q}`, base+path)))
		if err := json.Unmarshal(replyOf(t, w).Result, &got); err != nil || len(got.Contents) != 1 {
			t.Fatalf("%s: %v %s", path, err, w.Body)
		}
		document := f.shelf[key]
		if c := got.Contents[0]; c.URI != base+path || c.Text != string(document.Body.Bytes) || !strings.HasPrefix(document.ContentType, c.MIMEType) {
			t.Errorf("%s is not what HTTP serves: %+v", path, c)
		}
	}
	if w := post(t, f.workspace, rpc("resources/list", `{}`)); replyOf(t, w).Error == nil {
		t.Errorf("the workspace's server lists resources: %s", w.Body)
	}
}

// TestMissingDocumentsAreNotListed makes a server without one of the documents.
func TestMissingDocumentsAreNotListed(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	delete(f.shelf, contract.PathPricing)
	bare := f.layered(f.core.Website(f.catalog, f.shelf))
	w := post(t, bare, rpc("resources/list", `{}`))
	if bytes.Contains(w.Body.Bytes(), []byte("/pricing")) || !bytes.Contains(w.Body.Bytes(), []byte("/openapi.json")) {
		t.Errorf("resources = %s", w.Body)
	}
	if got := replyOf(t, post(t, bare, rpc("resources/read", `{"uri":"`+base+`/pricing"}`))); got.Error == nil || got.Error.Code != -32002 {
		t.Errorf("reading it: %+v, want -32002", got.Error)
	}
	none := f.layered(f.core.Website(f.catalog, shelf{}))
	if got := replyOf(t, post(t, none, rpc("resources/list", `{}`))); got.Error == nil || got.Error.Code != -32601 {
		t.Errorf("without any: %+v, want -32601", got.Error)
	}
}
