package site

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

const base = "https://desk.example"

var today = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

func load(t testing.TB, sample string) *content.Content {
	t.Helper()
	return expect.Value(content.Load(content.SampleNamed(sample)))(t)
}

func sampleSite(t testing.TB, change func(*content.Content)) *Site {
	t.Helper()
	c := load(t, "")
	if change != nil {
		change(c)
	}
	return siteOf(t, c)
}

func siteOf(t testing.TB, c *content.Content) *Site {
	t.Helper()
	catalog := contract.Catalog{
		Services: c.Services, PricingBands: c.Bands, Facts: c.Facts,
		Contact: contract.ContactAction{URL: base + contract.PathContact},
		Links: contract.Links{
			Ask: base + contract.PathAsk, MCP: base + contract.PathMCP, WorkspaceMCP: new(base + contract.PathWorkspaceMCP),
			FAQ: base + contract.PathFAQ,
		},
	}
	auth := "# auth.md\n\nBegin at [llms.txt](" + base + "/llms.txt).\n"
	return expect.Value(New(Source{Content: c, Catalog: catalog, Base: base, Auth: auth}))(t)
}

func first(s *Site) *edition { return s.editions[0] }

func TestQuestionsAreByteForByte(t *testing.T) {
	t.Parallel()
	odd := []string{
		"a * b * c, _under_ and [a link](/pricing)", "<b>bold</b> & \"quoted\" 'single'", "# no heading\n\n- no list",
		"two  spaces\n    four before", "```\nan open fence", "| a | b |", "ümlaut, 漢字, \u202eright to left", "Pode contactar-nos.",
	}
	s := sampleSite(t, func(c *content.Content) {
		for i, answer := range odd {
			id := string(rune('a' + i))
			c.FAQ.Entries = append(c.FAQ.Entries, content.Entry{ID: "odd-" + id, Question: "Odd " + id + "?", Answer: answer, URL: "/pricing"})
		}
	})
	page := first(s).faq(today)
	for i := range s.Content.FAQ.Entries {
		entry := &s.Content.FAQ.Entries[i]
		expect.Holds(t, "the Markdown", page.Markdown, "## "+entry.Question+"\n\n"+entry.Answer+"\n")
		expect.Holds(t, "the HTML", page.HTML, `<div class="qa" id="`+entry.ID+`">`)
	}
	expect.Holds(t, "the HTML", page.HTML, `>Pode contactar-nos.<`)
	data := dataOf(t, page)
	questions := data["mainEntity"].([]any)
	expect.Same(t, "JSON-LD", []any{"FAQPage", len(s.Content.FAQ.Entries)}, []any{data["@type"], len(questions)})
	last := questions[len(questions)-1].(map[string]any)["acceptedAnswer"].(map[string]any)["text"]
	expect.Same(t, "the answer in JSON-LD", any(odd[len(odd)-1]), last)
}

var dataElement = regexp.MustCompile(`<script type="application/ld\+json">(.*?)</script>`)

func dataOf(t *testing.T, page Page) map[string]any {
	t.Helper()
	found := dataElement.FindSubmatch(page.HTML)
	if found == nil {
		t.Fatal("the page has no JSON-LD")
	}
	return expect.JSON[map[string]any](t, found[1])
}

func TestExpiredEntriesDisappear(t *testing.T) {
	t.Parallel()
	zone := expect.Value(time.LoadLocation("America/Los_Angeles"))(t)
	day := func(d int) time.Time { return time.Date(2026, time.November, d, 0, 0, 0, 0, zone) }
	s := sampleSite(t, func(c *content.Content) {
		c.FAQ.Entries = append(c.FAQ.Entries,
			content.Entry{ID: "gone", Question: "Gone?", Answer: "Yes.", Expires: day(20)},
			content.Entry{ID: "soon", Question: "Soon?", Answer: "Until tonight.", Expires: day(21)},
			content.Entry{ID: "later", Question: "Later?", Answer: "Until tomorrow.", Expires: day(22)})
	})
	for _, tt := range []struct {
		now, changes time.Time
		want         []string
	}{
		{today, day(22), []string{"soon", "later"}},
		{day(22).Add(-time.Nanosecond), day(22), []string{"soon", "later"}},
		{day(22), day(23), []string{"later"}},
		{day(23), time.Time{}, nil},
	} {
		var shown []string
		html := string(s.Pages(t.Context(), tt.now)[contract.PathFAQ].HTML)
		for _, id := range []string{"gone", "soon", "later"} {
			if strings.Contains(html, `id="`+id+`"`) {
				shown = append(shown, id)
			}
		}
		expect.Same(t, tt.now.String(), tt.want, shown)
		expect.Same(t, tt.now.String()+": the next change", tt.changes, s.Changes(tt.now))
	}
}

func TestEveryPage(t *testing.T) {
	t.Parallel()
	s := sampleSite(t, nil)
	pages := s.Pages(t.Context(), today)
	for _, path := range []string{"/", "/pricing", "/faq", "/developers", "/auth", "/privacy", "/ask", "/contact"} {
		expect.Same(t, "there is "+path, true, pages[path].HTML != nil)
	}
	inline := regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|<script>|javascript:|<iframe`)
	foreign := regexp.MustCompile(`(?:src|href|action)="(?:https?:)?//[^"]*"`)
	for path, page := range pages {
		html, markdown := string(page.HTML), string(page.Markdown)
		expect.Same(t, path+": first-level headings", 1, strings.Count(html, "<h1"))
		head, _, _ := strings.Cut(html, "<main")
		expect.Holds(t, path+" begins with", head, `<a href="/llms.txt">`)
		expect.Holds(t, path+" as Markdown begins with", markdown[:min(len(markdown), 250)], base+"/llms.txt")
		expect.Same(t, path+" has inline code", "", inline.FindString(html))
		for _, link := range foreign.FindAllString(html, -1) {
			expect.Holds(t, path, link, base+"/")
		}
		expect.AtMost(t, path+": bytes", 60_000, max(len(html), len(markdown)))
		expect.Same(t, path+" as Markdown: where its last title is", 0, strings.LastIndex("\n"+markdown, "\n# "))
	}
	total := len(pages["/"].HTML)
	for _, asset := range s.Assets() {
		total += len(asset.Bytes)
	}
	expect.AtMost(t, "bytes of the home page", 50_000, total)
}

func TestAbsolute(t *testing.T) {
	t.Parallel()
	s := first(sampleSite(t, nil))
	for _, tt := range []struct{ markdown, want string }{
		{"[a](/x)", "[a](https://desk.example/x)"},
		{`[a](x) and [b](/y "title")`, `[a](https://desk.example/x) and [b](https://desk.example/y "title")`},
		{"[a](<./x>)", "[a](<https://desk.example/x>)"},
		{"![i](/i.svg)", "![i](https://desk.example/i.svg)"},
		{"[a](http://x.example)", "[a](http://x.example)"},
		{"[a](//x.example)", "[a](//x.example)"},
		{"[a](#there)", "[a](#there)"},
		{"[a](mailto:a@b.example)", "[a](mailto:a@b.example)"},
		{"[a]: /x", "[a]: https://desk.example/x"},
		{"```\n[a](/x)\n```\n[b](/y)", "```\n[a](/x)\n```\n[b](https://desk.example/y)"},
		{"no link (/x)", "no link (/x)"},
	} {
		expect.Same(t, tt.markdown, tt.want, s.absolute(tt.markdown))
	}
}
