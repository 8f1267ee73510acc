package discovery

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

var loaded = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

func publicationOf(t testing.TB, name string, at Addresses) *Publication {
	t.Helper()
	sample := sample(t)
	if name != "" {
		sample.Name = name
	}
	return &Publication{
		Content: sample, At: at, Catalog: Catalog(sample, at), Loaded: loaded, Now: loaded,
		Ask:     func(string) contract.Answer { return contract.Answer{} },
		Preview: func(contract.PilotRequest) contract.Preview { return contract.Preview{} },
		Pages: ListPages(map[string]*Page{
			"/privacy": NewPage("Privacy [in short]", nil, []byte("# Privacy [in short]\n")),
			"/faq":     NewPage("Questions", nil, []byte("# Questions\n")),
			"/":        NewPage("Home", nil, []byte("# Home\n")),
			"/ask":     NewPage("Ask", nil, []byte("# Ask\n")),
			"/about":   NewPage("", nil, []byte("no heading\n")),
		}),
	}
}

func published(p *Publication, path string) string { return string(Documents(p)[path].Body.Bytes) }

var desk = Addresses{Base: "https://desk.example", App: "https://app.example"}

func TestListPages(t *testing.T) {
	t.Parallel()
	listed := func(pages []ListedPage) (paths []string) {
		for _, page := range pages {
			paths = append(paths, page.Path+" "+page.Title)
		}
		return paths
	}
	expect.Same(t, "pages", []string{"/ Home", "/faq Questions", "/about ", "/privacy Privacy [in short]"},
		listed(publicationOf(t, "", desk).Pages))
	pages := map[string]*Page{}
	for language, paths := range map[string]string{
		"de": "/ /faq /ask /contact /weg /pt-br-x", "pt-BR": "/pt-br /pt-br/faq /pt-br/ask /pt-br/contact /pt-br/weg",
	} {
		for _, path := range strings.Fields(paths) {
			pages[path] = NewPage("Page", nil, nil)
			pages[path].Language = language
		}
	}
	got := ListPages(pages)
	expect.Same(t, "pages in two languages", []string{
		"/ Page", "/pt-br Page", "/faq Page", "/pt-br/faq Page", "/pt-br-x Page", "/weg Page", "/pt-br/weg Page",
	}, listed(got))
	expect.Same(t, "what /pt-br/faq is about", got[2].About, got[3].About)
}

// What is of the workspace application has its own address, or the base address if it has none.
func TestWorkspaceAddress(t *testing.T) {
	t.Parallel()
	for app, want := range map[string]string{desk.App: desk.App, "": desk.Base} {
		documents := Documents(publicationOf(t, "", Addresses{Base: desk.Base, App: app}))
		for _, path := range []string{contract.PathOpenAPI, contract.PathLLMS, contract.PathAuthGuide,
			contract.PathAPICatalog, contract.PathAICatalog, contract.PathSkill, contract.PathCatalog} {
			expect.Holds(t, path, documents[path].Body.Bytes, want+"/api/public/mcp")
		}
		card := expect.JSON[struct{ Endpoint string }](t, documents[contract.PathServerCard].Body.Bytes)
		expect.Same(t, "endpoint", "https://desk.example/mcp", card.Endpoint)
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

// Documents have the owner's name of a request; only names of fields and tools keep the contract's.
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
	lines := func(line string) int { return strings.Count(published(p, contract.PathRobots), line) }
	expect.Same(t, "by default", 2, lines("\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n"))
	p.Content.ContentSignal = "ai-train=yes"
	expect.Same(t, "of the owner", 2, lines("\nContent-Signal: ai-train=yes\nAllow: /\n"))
	p.Content.ContentSignal = "off"
	expect.Same(t, "off", 0, lines("Content-Signal"))
}

// .ci/documents checks the same with the registry's schema.
func TestListing(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]string{
		WebsiteServer:   "example.desk/website https://desk.example/mcp",
		WorkspaceServer: "example.desk.app/workspace https://app.desk.example/api/public/mcp",
	} {
		got := expect.JSON[struct {
			Name, Description, Title, Version string
			Remotes                           []struct{ Type, URL string }
		}](t, Listing(sample(t), Addresses{Base: "https://desk.example", App: "https://app.desk.example"}, server))
		expect.Same(t, server, want, got.Name+" "+got.Remotes[0].URL)
		if len(got.Description) > 100 || got.Title == "" || got.Version == "" || got.Remotes[0].Type != "streamable-http" {
			t.Errorf("%s: %+v", server, got)
		}
	}
}

func sample(t testing.TB) *content.Content {
	t.Helper()
	return expect.Value(content.Load(content.Sample()))(t)
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/pricing": "https://desk.example/pricing", "https://a.example/x": "https://a.example/x", "": "",
	} {
		expect.Same(t, address, want, desk.Resolve(address))
	}
}

func TestRevisionFollowsTheCatalog(t *testing.T) {
	t.Parallel()
	other := sample(t)
	other.Services[0].Summary += "!"
	revision := Catalog(sample(t), desk).Revision
	expect.Same(t, "the revision of an equal and a different catalog", []bool{true, false},
		[]bool{Catalog(sample(t), desk).Revision == revision, Catalog(other, desk).Revision == revision})
}

// ecmaSpace is what \s matches in ECMA-262; in Go it matches only ASCII.
const ecmaSpace = `\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`

func goPattern(t *testing.T, path string) *regexp.Regexp {
	t.Helper()
	at := expect.JSON[any](t, publicationOf(t, "", desk).openAPI())
	for name := range strings.SplitSeq("components/"+path+"/pattern", "/") {
		object, _ := at.(map[string]any)
		if at = object[name]; at == nil {
			t.Fatalf("the description has no %s", path)
		}
	}
	return regexp.MustCompile(strings.ReplaceAll(at.(string), `\s`, ecmaSpace))
}

// Each pattern accepts what its field's validation accepts, with every special character and its neighbours, at the
// start, inside and at the end.
func TestPatternsAreAsStrictAsTheContract(t *testing.T) {
	t.Parallel()
	pilot := func(field func(*contract.PilotRequest) *string) func(string) bool {
		return func(s string) bool {
			p := contract.PilotRequest{Name: "a", Business: "a", Email: "a@example.com", Message: "a"}
			*field(&p) = s
			p.Normalize()
			return contract.Validate(&p) == nil
		}
	}
	feedback := func(q, entry, comment string) bool {
		f := contract.Feedback{Helpful: new(true), Q: q, EntryID: entry, Comment: comment}
		f.Normalize()
		return contract.Validate(&f) == nil
	}
	for pattern, accepts := range map[string]func(string) bool{
		"PilotRequest/properties/name":     pilot(func(p *contract.PilotRequest) *string { return &p.Name }),
		"PilotRequest/properties/business": pilot(func(p *contract.PilotRequest) *string { return &p.Business }),
		"PilotRequest/properties/message":  pilot(func(p *contract.PilotRequest) *string { return &p.Message }),
		"PilotRequest/properties/phone":    pilot(func(p *contract.PilotRequest) *string { return &p.Phone }),
		"Feedback/properties/entry_id":     func(s string) bool { return feedback("a", s, "") },
		"Feedback/properties/q":            func(s string) bool { return feedback(s, "a", "") },
		"Feedback/properties/comment":      func(s string) bool { return feedback("a", "a", s) },
		"Feedback/then/properties/q":       func(s string) bool { return feedback(strings.Map(printable, s), "", "") },
		"Question/properties/q": func(s string) bool {
			q := contract.Question{Q: s}
			q.Normalize()
			return contract.Validate(&q) == nil
		},
	} {
		expression := goPattern(t, "schemas/"+pattern)
		for r := rune(0); r <= 0xffff; r++ {
			if !special(r) && (!special(r-1) && !special(r+1) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
				continue
			}
			for _, s := range []string{"%c", "%ca", "a%cb", "a%c", " %c "} {
				s = fmt.Sprintf(s, r)
				if strings.Contains(pattern, "/then/") {
					s = strings.Map(printable, s)
				}
				if got, want := expression.MatchString(s), accepts(s); got != want {
					t.Fatalf("%s of %+q: the pattern says %v, the contract %v", pattern, s, got, want)
				}
			}
		}
		expect.Same(t, pattern+" of an empty text", accepts(""), expression.MatchString(""))
	}
}

// special is what a pattern may treat specially. Format characters and line separators are left to the words.
func special(r rune) bool {
	return (unicode.IsSpace(r) || unicode.IsControl(r)) && !unicode.In(r, unicode.Zl, unicode.Zp)
}

// printable replaces control characters, which the pattern of "not blank" does not check.
func printable(r rune) rune {
	if unicode.IsControl(r) && !unicode.IsSpace(r) {
		return 'x'
	}
	return r
}

func TestKeyPattern(t *testing.T) {
	t.Parallel()
	expression := goPattern(t, "parameters/IdempotencyKey/schema")
	for key, want := range map[string]bool{
		"8e03978e-40d5-43dd-bc93-6894a57f9324": true, `"a b, c"`: true, `"a\"b"`: true, strings.Repeat("k", 255): true,
		"": false, `""`: false, "a b": false, "a,b": false, `a"b`: false, `"a`: false,
		"é": false, strings.Repeat("k", 256): false,
	} {
		expect.Same(t, fmt.Sprintf("%q matches", key), want, expression.MatchString(key))
	}
}
