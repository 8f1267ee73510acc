package discovery

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/content"
	"frontdesk/contract"
)

func sample(t *testing.T) *content.Content {
	t.Helper()
	loaded, err := content.Load(content.Sample())
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestCatalogShape checks the members that the decisions publish, typed from their text.
func TestCatalogShape(t *testing.T) {
	t.Parallel()
	var got map[string]any
	document := CatalogDocument(Catalog(sample(t), Addresses{Base: "https://desk.example", App: "https://app.example"}))
	if err := json.Unmarshal(document.Body.Bytes, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"":        {"contact", "links", "name", "pricing_bands", "revision", "services", "statements", "summary", "url"},
		"contact": {"content_types", "dry_run", "method", "optional", "required", "url"},
		"links":   {"ask", "documentation", "faq", "mcp", "openapi", "pricing", "workspace_mcp"},
	}
	for member, names := range want {
		object := got
		if member != "" {
			object, _ = got[member].(map[string]any)
		}
		if diff := cmp.Diff(names, sortedNames(object)); diff != "" {
			t.Errorf("members of %q (-decided +got):\n%s", member, diff)
		}
	}
	contact := got["contact"].(map[string]any)
	if diff := cmp.Diff([]any{"name", "business", "email", "message"}, contact["required"]); diff != "" {
		t.Errorf("required (-contract +got):\n%s", diff)
	}
	links := got["links"].(map[string]any)
	if links["workspace_mcp"] != "https://app.example/api/public/mcp" || links["mcp"] != "https://desk.example/mcp" {
		t.Errorf("links = %v", links)
	}
}

func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

func TestRevisionFollowsTheCatalog(t *testing.T) {
	t.Parallel()
	at := Addresses{Base: "https://desk.example"}
	one, same, other := sample(t), sample(t), sample(t)
	other.Services[0].Summary += "!"
	if Catalog(one, at).Revision != Catalog(same, at).Revision {
		t.Error("equal catalogs have different revisions")
	}
	if Catalog(one, at).Revision == Catalog(other, at).Revision {
		t.Error("different catalogs have one revision")
	}
}

func TestDocumentForms(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("approved text "), 100)
	document := NewDocument(contract.TypeJSON, body)
	reader, err := gzip.NewReader(bytes.NewReader(document.Gzip().Bytes))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(reader); err != nil || !bytes.Equal(unpacked, body) {
		t.Errorf("the gzip form is other bytes: %v", err)
	}
	if document.Body.ETag == document.Gzip().ETag || len(document.Body.Bytes) != 1400 || document.Body.Encoding != "" {
		t.Errorf("forms = %+v", document)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	at := Addresses{Base: "https://desk.example"}
	for address, want := range map[string]string{
		"/pricing": "https://desk.example/pricing", "https://a.example/x": "https://a.example/x", "": "",
	} {
		if got := at.Resolve(address); got != want {
			t.Errorf("Resolve(%q) = %q, want %q", address, got, want)
		}
	}
}
