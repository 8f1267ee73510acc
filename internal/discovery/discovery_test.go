package discovery

import (
	"fmt"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func sample(t *testing.T) *content.Content {
	t.Helper()
	return expect.Value(content.Load(content.Sample()))(t)
}

func TestResolve(t *testing.T) {
	t.Parallel()
	at := Addresses{Base: "https://desk.example"}
	for address, want := range map[string]string{
		"/pricing": "https://desk.example/pricing", "https://a.example/x": "https://a.example/x", "": "",
	} {
		expect.Same(t, fmt.Sprintf("Resolve(%q)", address), want, at.Resolve(address))
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
