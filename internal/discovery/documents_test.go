package discovery

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

var loaded = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

func publicationOf(t testing.TB, name string, at Addresses) *Publication {
	t.Helper()
	sample := expect.Value(content.Load(content.Sample()))(t)
	if name != "" {
		sample.Name = name
	}
	catalog := Catalog(sample, at)
	return &Publication{
		Content: sample, At: at, Catalog: catalog, Loaded: loaded, Now: loaded,
		Ask:     func(string) contract.Answer { return contract.Answer{} },
		Preview: func(contract.PilotRequest) contract.Preview { return contract.Preview{} },
		Pages: ListPages(map[string]*Page{
			"/privacy": NewPage(nil, []byte("# Privacy [in short]\n")),
			"/faq":     NewPage(nil, []byte("text\n# Questions {#top}\n")),
			"/":        NewPage(nil, []byte("# Home\n")),
			"/ask":     NewPage(nil, []byte("# Ask\n")),
			"/about":   NewPage(nil, []byte("no heading\n")),
		}),
	}
}

func published(p *Publication, path string) string { return string(Documents(p)[path].Body.Bytes) }

var desk = Addresses{Base: "https://desk.example", App: "https://app.example"}

func TestListPages(t *testing.T) {
	t.Parallel()
	expect.Same(t, "pages", []string{"/ Home", "/faq Questions", "/about ", "/privacy Privacy [in short]"},
		listed(publicationOf(t, "", desk).Pages))
	pages := map[string]*Page{}
	for path, language := range map[string]string{
		"/": "de", "/faq": "de", "/ask": "de", "/contact": "de", "/weg": "de", "/englisch": "de",
		"/en": "en", "/en/faq": "en", "/en/ask": "en", "/en/contact": "en", "/en/weg": "en",
	} {
		pages[path] = NewPage(nil, []byte("# Page\n"))
		pages[path].Language = language
	}
	got := ListPages(pages)
	expect.Same(t, "pages in two languages", []string{
		"/ Page", "/en Page", "/faq Page", "/en/faq Page", "/englisch Page", "/weg Page", "/en/weg Page"}, listed(got))
	expect.Same(t, "what /en/faq is about", got[2].About, got[3].About)
}

func listed(pages []ListedPage) (paths []string) {
	for _, page := range pages {
		paths = append(paths, page.Path+" "+page.Title)
	}
	return paths
}

// Everything of the workspace application is published
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
			expect.Holds(t, path, string(documents[path].Body.Bytes), tt.want)
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
		got := serverName(address, WebsiteServer)
		if got != want || !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(got) {
			t.Errorf("serverName(%q) = %s, want %s", address, got, want)
		}
	}
}

// TestRequestName looks for the owner's name of a request in documents, in place of the
// contract's, which only names of fields and tools keep.
func TestRequestName(t *testing.T) {
	t.Parallel()
	for sample, want := range map[string]string{"bakery": "Message to us", "agency": "Request a quote", "firm": ""} {
		expect.Same(t, sample, want, requestName(expect.Value(content.Load(content.SampleNamed(sample)))(t)))
	}
	p := publicationOf(t, "", desk)
	p.Content.Request, p.Catalog.Statements = "Anfrage", nil
	for path, document := range Documents(p) {
		if strings.Contains(strings.ToLower(string(document.Body.Bytes)), "pilot request") && path != contract.PathOpenAPI {
			t.Errorf("%s has a pilot request", path)
		}
	}
	for _, path := range []string{contract.PathLLMS, contract.PathSkill, contract.PathOpenAPI} {
		expect.Holds(t, path, published(p, path), "Anfrage")
	}
}

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

func TestContentSignal(t *testing.T) {
	t.Parallel()
	p := publicationOf(t, "", desk)
	expect.Same(t, "lines by default", 2, strings.Count(published(p, contract.PathRobots), "\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n"))
	p.Content.ContentSignal = "ai-train=yes"
	expect.Same(t, "lines of the owner", 2, strings.Count(published(p, contract.PathRobots), "\nContent-Signal: ai-train=yes\nAllow: /\n"))
	p.Content.ContentSignal = "off"
	expect.Same(t, "lines when off", 0, strings.Count(published(p, contract.PathRobots), "Content-Signal"))
}

// TestListing checks the server.json of both servers against the rules that .ci/documents
// checks with the registry's schema.
func TestListing(t *testing.T) {
	t.Parallel()
	sample := expect.Value(content.Load(content.Sample()))(t)
	for server, want := range map[string]string{
		WebsiteServer:   "example.desk/website https://desk.example/mcp",
		WorkspaceServer: "example.desk.app/workspace https://app.desk.example/api/public/mcp",
	} {
		got := expect.JSON[struct {
			Name, Description, Title, Version string
			Remotes                           []struct{ Type, URL string }
		}](t, Listing(sample, Addresses{Base: "https://desk.example", App: "https://app.desk.example"}, server))
		expect.Same(t, server, want, got.Name+" "+got.Remotes[0].URL)
		if len(got.Description) > 100 || got.Title == "" || got.Version == "" || got.Remotes[0].Type != "streamable-http" {
			t.Errorf("%s: %+v", server, got)
		}
	}
}

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
