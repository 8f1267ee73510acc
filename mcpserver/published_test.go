package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/contract"
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
