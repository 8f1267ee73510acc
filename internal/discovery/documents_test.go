package discovery

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/content"
	"frontdesk/contract"
)

var loaded = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// publicationOf is the publication of the sample under a name and an address.
func publicationOf(t testing.TB, name string, at Addresses) *Publication {
	t.Helper()
	sample, err := content.Load(content.Sample())
	if err != nil {
		t.Fatal(err)
	}
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
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
		var card map[string]any
		if err := json.Unmarshal(documents[contract.PathServerCard].Body.Bytes, &card); err != nil {
			t.Fatal(err)
		}
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
		var card struct{ Title, Description string }
		if err := json.Unmarshal([]byte(published(p, path)), &card); err != nil {
			t.Fatal(err)
		}
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
	if err := json.Unmarshal(documents[contract.PathSkills].Body.Bytes, &index); err != nil {
		t.Fatal(err)
	}
	skill := index.Skills[0]
	sum := sha256.Sum256(documents[skill.URL].Body.Bytes)
	if skill.Digest != "sha256:"+hex.EncodeToString(sum[:]) {
		t.Errorf("digest = %s", skill.Digest)
	}
	if !strings.HasPrefix(string(documents[skill.URL].Body.Bytes), "---\nname: "+skill.Name+"\n") {
		t.Error("the skill document has another name than the index says")
	}
}

// TestRobots reads the groups as RFC 9309 defines them: names of agents, then their
// rules.
func TestRobots(t *testing.T) {
	t.Parallel()
	text := published(publicationOf(t, "", desk), contract.PathRobots)
	for _, agent := range []string{"*", "GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-Web", "anthropic-ai",
		"Google-Extended", "PerplexityBot", "Amazonbot", "Applebot-Extended", "Bytespider", "CCBot"} {
		if !strings.Contains(text, "User-agent: "+agent+"\n") {
			t.Errorf("%s is not named", agent)
		}
	}
	const rules = "Content-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n"
	if strings.Count(text, rules) != 2 || strings.Contains(text, "Disallow") {
		t.Errorf("the two groups do not have the same rules:\n%s", text)
	}
	for _, line := range []string{"Sitemap: https://desk.example/sitemap.xml", "# Agentmap: https://desk.example/.well-known/ard.json"} {
		if !slices.Contains(strings.Split(text, "\n"), line) {
			t.Errorf("no line %s", line)
		}
	}
}

func TestSecurityText(t *testing.T) {
	t.Parallel()
	want := "Contact: https://desk.example/contact\nExpires: 2027-11-16T00:00:00Z\n" +
		"Canonical: https://desk.example/.well-known/security.txt\nPreferred-Languages: en\n"
	if diff := cmp.Diff(want, published(publicationOf(t, "", desk), contract.PathSecurity)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAICatalog(t *testing.T) {
	t.Parallel()
	var catalog struct {
		Entries []struct {
			Identifier, URL string
			Data            map[string]any
			Queries         []string `json:"representativeQueries"`
		}
	}
	if err := json.Unmarshal([]byte(published(publicationOf(t, "", desk), contract.PathAICatalog)), &catalog); err != nil {
		t.Fatal(err)
	}
	for _, entry := range catalog.Entries {
		if !regexp.MustCompile(`^urn:air:desk\.example:[a-z]+:[a-z0-9-]+$`).MatchString(entry.Identifier) {
			t.Errorf("identifier %s", entry.Identifier)
		}
		if (entry.URL == "") == (entry.Data == nil) {
			t.Errorf("%s needs exactly one of url and data", entry.Identifier)
		}
		if n := len(entry.Queries); n < 2 || n > 5 {
			t.Errorf("%s has %d queries, ARD asks for 2 to 5", entry.Identifier, n)
		}
	}
}

// TestLLMSOrder checks the shape of llms.txt: one title, a summary, free text, then
// headings with links.
func TestLLMSOrder(t *testing.T) {
	t.Parallel()
	text := published(publicationOf(t, "", desk), contract.PathLLMS)
	head, links, found := strings.Cut(text, "\n## ")
	if !found || !strings.HasPrefix(text, "# ") || !strings.Contains(head, "\n> ") || strings.Contains(head, "](") {
		t.Errorf("llms.txt has another shape:\n%s", text)
	}
	if !strings.Contains(links, `- [Privacy \[in short\]](https://desk.example/privacy.md)`) {
		t.Errorf("links:\n%s", links)
	}
}

func BenchmarkDocuments(b *testing.B) {
	p := publicationOf(b, "", desk)
	for b.Loop() {
		Documents(p)
	}
}
