package discovery

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

var loaded = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// publicationOf is the publication of the sample under a name and an address.
func publicationOf(t testing.TB, name string, at Addresses) *Publication {
	t.Helper()
	sample := expect.Value(content.Load(content.Sample()))(t)
	if name != "" {
		sample.Business.Name = name
	}
	catalog := Catalog(sample, at)
	return &Publication{
		Content: sample, At: at, Catalog: catalog, Loaded: loaded,
		Examples: Examples{Requests: NewSampleRequests(sample, loaded)},
		Pages: ListPages(map[string]*Page{
			"/privacy": NewPage(nil, []byte("# Privacy [in short]\n")),
			"/faq":     NewPage(nil, []byte("text\n# Questions {#top}\n")),
			"/":        NewPage(nil, []byte("# Home\n")),
			"/ask":     NewPage(nil, []byte("# Ask\n")),
			"/about":   NewPage(nil, []byte("no heading\n")),
		}),
	}
}

// published returns the text of a document.
func published(p *Publication, path string) string { return string(Documents(p)[path].Body.Bytes) }

var desk = Addresses{Base: "https://desk.example", App: "https://app.example"}

func TestListPages(t *testing.T) {
	t.Parallel()
	var got []string
	for _, page := range publicationOf(t, "", desk).Pages {
		got = append(got, page.Path+" "+page.Title)
	}
	want := []string{"/ Home", "/faq Questions", "/about ", "/privacy Privacy [in short]"}
	expect.Same(t, "difference", want, got)
}

// TestWorkspaceAddress checks that everything of the workspace application is published
// under its own address, or under the base address if it has none.
func TestWorkspaceAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		at   Addresses
		want string
	}{
		{desk, "https://app.example/api/public/mcp"},
		{Addresses{Base: "https://desk.example"}, "https://desk.example/api/public/mcp"},
	} {
		documents := Documents(publicationOf(t, "", tt.at))
		for _, path := range []string{contract.PathOpenAPI, contract.PathLLMS, contract.PathAuthGuide, contract.PathAPICatalog,
			contract.PathAICatalog, contract.PathSkill, contract.PathCatalog} {
			if body := string(documents[path].Body.Bytes); !strings.Contains(body, tt.want) {
				t.Errorf("%s does not name %s", path, tt.want)
			}
		}
		card := expect.JSON[map[string]any](t, documents[contract.PathServerCard].Body.Bytes)
		if card["endpoint"] != "https://desk.example/mcp" {
			t.Errorf("endpoint = %v", card["endpoint"])
		}
	}
}

func TestServerName(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://desk.example":          "example.desk/website",
		"https://www.desk.example:8443": "example.desk.www/website",
		"http://localhost:8080":         "localhost/website",
		"http://127.0.0.1:8080":         "127.0.0.1/website",
		"http://[::1]:8080":             "--1/website",
		"":                              "localhost/website",
	} {
		got := ServerName(address, WebsiteServer)
		if got != want || !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(got) {
			t.Errorf("ServerName(%q) = %s, want %s", address, got, want)
		}
	}
}

// TestLongNameFitsTheCard checks the 100 characters of SEP-2127.
func TestLongNameFitsTheCard(t *testing.T) {
	t.Parallel()
	p := publicationOf(t, strings.Repeat("é", 101), desk)
	for _, path := range []string{contract.PathServerCard, contract.PathWorkspaceCard} {
		card := expect.JSON[struct{ Title, Description string }](t, []byte(published(p, path)))
		for _, text := range []string{card.Title, card.Description} {
			if n := len([]rune(text)); n < 1 || n > 100 {
				t.Errorf("%q has %d characters", text, n)
			}
		}
	}
}

func TestSkillDigestIsThatOfTheServedBytes(t *testing.T) {
	t.Parallel()
	documents := Documents(publicationOf(t, "", desk))
	var index struct {
		Skills []struct{ URL, Digest, Name string }
	}
	expect.OK(t, json.Unmarshal(documents[contract.PathSkills].Body.Bytes, &index))
	skill := index.Skills[0]
	sum := sha256.Sum256(documents[skill.URL].Body.Bytes)
	expect.Same(t, "digest", "sha256:"+hex.EncodeToString(sum[:]), skill.Digest)
	if !strings.HasPrefix(string(documents[skill.URL].Body.Bytes), "---\nname: "+skill.Name+"\n") {
		t.Error("the skill document has another name than the index says")
	}
}

func TestSecurityText(t *testing.T) {
	t.Parallel()
	want := "Contact: https://desk.example/contact\nExpires: 2027-11-16T00:00:00Z\n" +
		"Canonical: https://desk.example/.well-known/security.txt\nPreferred-Languages: en\n"
	expect.Same(t, "difference", want, published(publicationOf(t, "", desk), contract.PathSecurity))
}

func BenchmarkDocuments(b *testing.B) {
	p := publicationOf(b, "", desk)
	for b.Loop() {
		Documents(p)
	}
}
