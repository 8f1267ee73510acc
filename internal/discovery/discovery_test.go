package discovery

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func sample(t *testing.T) *content.Content {
	t.Helper()
	loaded := expect.Value(content.Load(content.Sample()))(t)
	return loaded
}

func TestDocumentForms(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("approved text "), 100)
	document := NewDocument(contract.TypeJSON, body)
	reader := expect.Value(gzip.NewReader(bytes.NewReader(document.Gzip().Bytes)))(t)
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
