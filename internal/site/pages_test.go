package site

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
)

func TestTone(t *testing.T) {
	t.Parallel()
	pages := sampleSite(t, func(c *content.Content) {
		c.SiteLanguages, c.Tone = []string{"de"}, i18n.Informal
	}).Pages(t.Context(), today)
	formal := regexp.MustCompile(`\b(?:Sie|Ihnen|Ihre?[mnrs]?)\b`)
	for path, want := range map[string]string{"/": "Frag uns", "/ask": "Deine Frage", "/contact": "Dein Name"} {
		page := pages[path].HTML
		expect.Holds(t, path, page, want)
		expect.Same(t, path, "", string(formal.Find(page)))
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Linden Desk (sample)": "linden-desk-sample", "A & B": "a-b", "株式会社": "frontdesk", "  ": "frontdesk", "Café 24": "caf-24",
	} {
		expect.Same(t, name, want, slug(name))
	}
}

func TestAmountsOfACountry(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ language, country, code, want string }{
		{"pt", "PT", "EUR", "1 240,50 €"},
		{"pt", "BR", "BRL", "R$ 1.240,50"},
		{"pt-BR", "PT", "EUR", "€ 1.240,50"},
		{"de", "AT", "EUR", "€ 1 240,50"},
		{"de", "CH", "CHF", "CHF 1’240.50"},
		{"es", "MX", "MXN", "$1,240.50"},
		{"en", "DE", "EUR", "€1,240.50"},
		{"en", "", "EUR", "€1,240.50"},
	} {
		words := i18n.For(i18n.InCountry(tt.language, tt.country))
		expect.Same(t, tt.language+" in "+tt.country, tt.want, words.Amount(tt.code, "1240.50"))
	}
}

func TestPricingSaysTheCatalog(t *testing.T) {
	t.Parallel()
	s := sampleSite(t, nil)
	page := first(s).pricing(today)
	text := html.UnescapeString(strings.NewReplacer("\u00a0", " ", "\u2060", "").Replace(string(page.HTML)))
	for _, service := range s.Catalog.Details() {
		said := append([]string{service.Name, service.Summary, service.Description, service.Audience}, service.Includes...)
		expect.Holds(t, "/pricing", text, append(said, first(s).amount(service.Pricing))...)
		expect.Holds(t, "/pricing as Markdown", page.Markdown, append(said, first(s).Price(service.Pricing))...)
	}
	low := func(from, to contract.Amount) string {
		return first(s).lowest(contract.PricingBand{Currency: "EUR", From: from, To: to})
	}
	expect.Same(t, "the lower ends of prices", []string{"from €49", "from €390", "€80"}, []string{low("49", "99"), low("390", ""), low("80", "80")})
	offers := dataOf(t, page)["makesOffer"].([]any)
	expect.Same(t, "JSON-LD: offers", len(s.Catalog.Details()), len(offers))
	first := offers[0].(map[string]any)["priceSpecification"].(map[string]any)
	expect.Same(t, "the first offer", []any{"EUR", 49.0, 99.0}, []any{first["priceCurrency"], first["minPrice"],
		first["maxPrice"]})
}

func TestOwnersPages(t *testing.T) {
	t.Parallel()
	s := sampleSite(t, func(c *content.Content) {
		c.SiteLanguages = []string{"en", "fr"}
		c.Pages = []content.Page{
			{Name: "our-oven", Markdown: "Cuit.", Language: "fr"},
			{Name: "home", Markdown: "[x](our-oven)", Language: "fr"},
			{Name: "about", Markdown: "Who **we** are. <script>alert(1)</script> [x](javascript:alert(1))\n"},
			{Name: "pricing", Markdown: "# What it costs\n\nAsk for the [spring offer](/contact).\n"},
		}
	})
	pages := s.Pages(t.Context(), today)
	about := pages["/about"]
	expect.Holds(t, "/about", about.HTML, "<strong>we</strong>")
	expect.Holds(t, "our oven", pages["/fr/our-oven"].HTML, "<h1>Our oven</h1>")
	expect.Holds(t, "/about as Markdown", "^"+string(about.Markdown), "^# About\n")
	expect.Holds(t, "/fr", pages["/fr"].HTML, `<a href="/fr/our-oven">x</a>`)
	expect.Lacks(t, "/about", about.HTML, "<script>", "javascript:")
	pricing := pages["/pricing"]
	expect.Holds(t, "/pricing", pricing.HTML, "<h1>What it costs</h1>", `<a href="/contact">spring offer</a>`)
	expect.Holds(t, "/pricing as Markdown", pricing.Markdown, "[spring offer]("+base+"/contact)")
	home := pages["/"].HTML
	expect.Holds(t, "the home page without home.md", home, "<h1>"+s.Content.Name+"</h1>", `<a href="/about">About</a>`)
	expect.Lacks(t, "the home page", home, `/privacy"`) // which the owner has taken away
	expect.Same(t, "its length", 0, len(pages["/privacy"].HTML))
}

func TestHeader(t *testing.T) {
	t.Parallel()
	svg := func(width, height int, colour string) *content.Image {
		return &content.Image{Name: "logo.svg", Type: "image/svg+xml", Width: width, Height: height, Data: []byte(`<path fill="` + colour + `"/>`)}
	}
	for what, tt := range map[string]struct {
		logo, icon *content.Image
		want       string
	}{
		"a word mark":   {svg(300, 100, "#fc0"), nil, `<img class="logo wide" src="[^"]*" alt="Our logo" width="300" height="100"><span class="unseen">`},
		"a square logo": {svg(100, 100, "#fc0"), nil, `<img class="logo" src="[^"]*" alt="Our logo" width="100" height="100"><span>`},
		"a dark logo":   {svg(100, 100, "#123"), nil, `<img class="logo plate" `},
		"a logo for dark pages": {svg(100, 100, "#123"), nil, `<picture><source media="\(prefers-color-scheme: dark\)" srcset="[^"]+" ` +
			`width="100" height="100"><img class="logo" src="[^"]+" alt="Our logo" width="100" height="100"></picture><span>`},
		"only an icon":    {nil, svg(100, 100, "#123"), `<img class="logo" src="[^"]*" alt="" [^>]*><span>`},
		"neither of them": {nil, nil, `<span class="mono" aria-hidden="true">É</span><span>`},
	} {
		s := sampleSite(t, func(c *content.Content) {
			c.SiteLanguages = []string{"en"}
			c.Images = []content.Image{*cmp.Or(tt.logo, tt.icon, svg(1, 1, ""))}
			c.Brand.Logo, c.Brand.Icon = tt.logo, tt.icon
			if what == "a logo for dark pages" {
				c.Brand.LogoDark = tt.logo
			}
		})
		e := first(s)
		e.Name, e.LogoAlt = "«épices»", "Our logo"
		page := e.home(today, nil)
		if !regexp.MustCompile(`<a class="brand" href="/">` + tt.want).Match(page.HTML) {
			t.Errorf("%s: the header is\n%s", what, headerOf(page))
		}
	}
}

func headerOf(page Page) string {
	header, _, _ := strings.Cut(string(page.HTML), "</header>")
	return header
}

func TestMorePages(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]struct {
		languages  []string
		more, list int
	}{2: {[]string{"en", "de", "fr"}, 0, 0}, 3: {[]string{"en", "de", "fr", "es"}, 1, 1}} {
		s := sampleSite(t, func(c *content.Content) {
			c.SiteLanguages, c.Brand.IsSet, c.Pages = want.languages, true, nil
			for i := range n {
				c.Pages = append(c.Pages, content.Page{Name: fmt.Sprint("own", i), Markdown: fmt.Sprintf("# Page %d\n", i), Header: i + 1})
			}
		})
		pages := s.Pages(t.Context(), today)
		header := headerOf(pages[fmt.Sprint("/own", n-1)])
		expect.Same(t, "lists of pages", want.more, strings.Count(header, `<summary>More</summary>`))
		shown, rest, _ := strings.Cut(header, "<summary>More</summary>")
		expect.Same(t, "pages that are shown", 5-want.more, strings.Count(shown, "</a>")-3) // besides "Skip", llms.txt and the brand
		if want.more > 0 {
			expect.Holds(t, "behind More", rest, fmt.Sprintf(`<a href="/own%d" aria-current="page">`, n-1))
		}
		header = headerOf(pages["/"])
		expect.Same(t, "lists of languages", want.list, strings.Count(header, `<details class="languages fold"`))
		expect.Same(t, "languages", len(want.languages), strings.Count(header, "<abbr>"))
		expect.Holds(t, "the header", header, `hreflang="en" lang="en" aria-current="true"><span>English</span>`)
	}
}

func TestHeaderOfOwnPages(t *testing.T) {
	t.Parallel()
	s := sampleSite(t, func(c *content.Content) {
		c.Pages = []content.Page{
			{Name: "about", Markdown: "# About us\n\nText.\n", Header: 2},
			{Name: "menu", Markdown: menu, Header: 1},
			{Name: "terms", Markdown: "# Terms\n\nNone.\n"},
		}
	})
	pages := s.Pages(t.Context(), today)
	header := headerOf(pages["/"])
	_, second, _ := strings.Cut(header, `<a href="/menu">Our menu &amp; prices</a>`)
	expect.Holds(t, "the header behind the first page", second, `<a href="/about">About us</a>`)
	expect.Lacks(t, "the header", header, "/terms")
	expect.Same(t, "links to a page of the header", 2, bytes.Count(pages["/"].HTML, []byte(`<a href="/menu">`)))
	html := pages["/menu"].HTML
	expect.Same(t, "headings", 1, bytes.Count(html, []byte("<h1")))
	expect.Holds(t, "/menu", html, "<h1>Our menu &amp; prices</h1>", "<title>Our menu &amp; prices · ", `<meta name="description" content="Soup.">`)
}

func TestPrivateBusinessHasNoEngineersWords(t *testing.T) {
	t.Parallel()
	s := siteOf(t, load(t, "bakery"))
	missing := s.Error("/nowhere", &contract.Error{Code: contract.NotFound, Detail: "No."}, contract.TypeHTML)
	for path, html := range map[string][]byte{"/": s.Pages(t.Context(), today)["/"].HTML, "an unknown path": missing} {
		_, body, _ := strings.Cut(string(html), "<main")
		expect.Lacks(t, path, body, "Markdown", "OpenAPI", "/developers", "not_found", "404")
		expect.Same(t, path+": links for assistants", 1, strings.Count(body, `<a href="/llms.txt">`))
	}
}

func TestQuestionIsTheHeadline(t *testing.T) {
	t.Parallel()
	s := sampleSite(t, func(c *content.Content) { c.Phone = "+49 761 5550123" })
	answer := func(q string, id ...string) string {
		answer := contract.Answer{Answer: "Yes."}
		if len(id) > 0 {
			answer.EntryID, answer.Question = &id[0], &id[1]
		}
		page := s.Asked(Asked{Q: q, Answer: &answer})
		expect.Holds(t, "the Markdown", page.Markdown, "# Ask a question\n")
		return string(page.HTML)
	}
	typed := answer("who  is it for", "audience", "Who is it for?")
	expect.Holds(t, "the page", typed, "<title>who is it for · ", "<h1>who is it for</h1>", `class="unseen">Who is it for?<`, `name="q" type="text"`, ` value="">`)
	other := answer("for whom?", "audience", "Who is it for?")
	expect.Holds(t, "the page", other, "<h1>for whom?</h1>", `<h2 id="answer-title">Who is it for?<`)
	missed := answer("Weather?")
	expect.Holds(t, "the page without an answer", missed, `<a class="button plain" href="tel:&#43;497615550123">Call<br>`, `class="write-on"`, ` value="Weather?">`)
	expect.Lacks(t, "the page with an answer", other, `class="write-on"`, `class="person"`)
	expect.Holds(t, "a long question", answer(strings.Repeat("long ", 20)), `<h1 class="long">long long`)
}

func TestLikelyCandidateIsOpen(t *testing.T) {
	t.Parallel()
	s := sampleSite(t, nil)
	for confidence, want := range map[float64]int{0.5: 1, 0.49: 0} {
		answer := contract.Answer{Answer: "Nothing approved.", Confidence: confidence, Candidates: []contract.Candidate{
			{EntryID: "removed"}, {EntryID: "audience", Question: "Who is it for?"}, {EntryID: "location", Question: "Where are you located?"},
		}}
		html := string(s.Asked(Asked{Q: "q", Answer: &answer}).HTML)
		expect.Same(t, fmt.Sprintf("open candidates at %v", confidence), want, strings.Count(html, "<details open>"))
		expect.Same(t, "candidates", 2-want, strings.Count(html, "<details>"))
		if _, open, _ := strings.Cut(html, "<details open>"); want == 1 {
			expect.Holds(t, "the open candidate", open[:100], "Who is it for?")
		}
	}
}

func TestRelatedQuestions(t *testing.T) {
	t.Parallel()
	var entries []content.Entry
	for i, group := range []string{"a", "b", "a", "a", "a", "a", "a"} {
		id := string(rune('a' + i))
		entries = append(entries, content.Entry{ID: id, Question: strings.ToUpper(id) + "?", Answer: "Yes.", Group: group})
	}
	entries[3].Expires = today.AddDate(-20, 0, 0)
	entries[4].Lang = "de"
	s := sampleSite(t, func(c *content.Content) { c.SiteLanguages, c.FAQ.Entries = []string{"en", "de"}, entries })
	all := first(s).relatedQuestions(today)
	expect.Same(t, "for the desk inside another site", []any{[]string{"A?", "F?", "G?"}, []string(nil)}, []any{all["C?"], all["B?"]})
	entries[4].Question = "C?" // in German too
	entries = append(entries, content.Entry{ID: "h", Question: "H?", Answer: "Ja.", Group: "a", Lang: "de"})
	s.Content.FAQ.Entries = entries
	expect.Same(t, "related", []string{"A?", "F?", "G?"}, first(s).relatedQuestions(today)["C?"])
	html := s.Asked(Asked{Q: "C?", Answer: &contract.Answer{Answer: "Yes.", EntryID: new("c"), Question: new("C?")}}).HTML
	expect.Holds(t, "the page", html, `<a href="/faq#a">A?</a></li>`, `#f">F?<`, `#g">G?<`)
	expect.Lacks(t, "the page", html, ">C?</a>")
}

// The home page has what is asked most, then the order of the file.
func TestChips(t *testing.T) {
	t.Parallel()
	c := load(t, "")
	entries := c.FAQ.Entries
	ids := func(asked ...string) (ids []string) {
		chip := regexp.MustCompile(`<li><a href="/faq#([a-z-]+)">`)
		for _, match := range chip.FindAllSubmatch(siteOf(t, c).Pages(t.Context(), today, asked...)["/"].HTML, -1) {
			ids = append(ids, string(match[1]))
		}
		return ids
	}
	last := entries[len(entries)-1].ID
	expect.Same(t, "chips", []string{last, entries[1].ID, entries[0].ID}, ids(last, "removed", entries[1].ID))
	expect.Same(t, "chips when nothing is known", []string{entries[0].ID, entries[1].ID, entries[2].ID}, ids())
}

func TestPreviewCannotEndItsFence(t *testing.T) {
	t.Parallel()
	preview := contract.Preview{WouldSend: contract.WouldSend{Text: "a\n~~~\n~~~~\nb"}}
	markdown := sampleSite(t, nil).Contacted(Contacted{Preview: &preview}).Markdown
	expect.Holds(t, "the preview", markdown, "~~~~~text\na\n~~~\n~~~~\nb\n~~~~~\n")
}

func TestAssetNames(t *testing.T) {
	t.Parallel()
	if newAsset("a.css", "", []byte("a")).Path == newAsset("a.css", "", []byte("b")).Path {
		t.Error("the name of an asset does not follow its bytes")
	}
}

func TestFirstWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 60)
	for markdown, want := range map[string]string{
		"One **bold** [paragraph](/x)\nof two lines.\n\nAnother.": "One bold paragraph of two lines.",
		"![Soup](/soup.png)\n\n## Monday\n\nSoup \\& bread.":      "Soup & bread.",
		"Acme  \nMill Road 5\\\nCambridge":                        "Acme Mill Road 5 Cambridge",
		"- [Soup][a]\n- <https://soup.example>\n\n[a]: /soup":     "Soup https://soup.example",
		"":                       "",
		long:                     strings.TrimSpace(long[:160]) + " …",
		strings.Repeat("д ", 80): strings.Repeat("д ", 79) + "д",
		strings.Repeat("本", 161): strings.Repeat("本", 160) + " …",
	} {
		expect.Same(t, markdown, want, firstWords(markdown))
	}
}

const menu = "![Soup](/soup.png) ![Bread](/bread.png)\n\n# Our **menu** & [prices](/pricing) #\n\nSoup.\n"

func TestTitleIsPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ markdown, title, rest string }{
		{menu, "Our menu & prices", "![Soup](/soup.png) ![Bread](/bread.png)\n\nSoup.\n"},
		{"# Our [prices][p]\n\nSoup.\n\n[p]: /pricing\n", "Our prices", "Soup.\n\n[p]: /pricing\n"}, // the address is below
		{"# ![Soup](/soup.png)\n\nSoup.\n", "Menu", "# ![Soup](/soup.png)\n\nSoup.\n"},
	} {
		title, rest := splitTitle(tt.markdown, "Menu")
		expect.Same(t, tt.markdown, []string{tt.title, tt.rest}, []string{title, rest})
	}
}

// Only what the service formats has characters at which no line ends, and only in the HTML.
func TestAmountsStayOnOneLine(t *testing.T) {
	t.Parallel()
	s := sampleSite(t, func(c *content.Content) {
		c.SiteLanguages = []string{"de"}
		c.Services, c.Bands = c.Services[:1], c.Bands[:1]
		c.Services[0].Summary, c.Services[0].PricingBand = "Brot-Abo für 4,20–7,80 €", c.Bands[0].ID
		c.Bands[0].Currency, c.Bands[0].From, c.Bands[0].To, c.Bands[0].Unit, c.Bands[0].Options = "EUR", "4.20", "7.80", "Laib Brot", nil
		c.Facts.Hours = openOn("tue wed thu fri", "06:30", "18:00")
	})
	const amount, owners = "4,20\u2060–\u20607,80\u00a0€", "Brot-Abo für 4,20–7,80 €"
	for path, want := range map[string]struct{ html, markdown []string }{
		"/pricing": {[]string{">" + amount + "<", " pro Laib Brot<", owners}, []string{"\n4,20–7,80 € pro Laib Brot ", owners}},
		"/": {[]string{">ab 4,20\u00a0€<", ">Di.\u2060–\u2060Fr.<", ">06:30\u2060–\u206018:00<", owners},
			[]string{"| 4,20–7,80 € pro Laib Brot |", " Di.–Fr. 06:30–18:00\n", owners}},
	} {
		page := s.Pages(t.Context(), today)[path]
		expect.Holds(t, path, page.HTML, want.html...)
		expect.Holds(t, path, page.Markdown, want.markdown...)
		expect.Lacks(t, path, page.Markdown, "\u00a0", "\u202f", "\u2060")
		expect.Lacks(t, path+": JSON-LD", fmt.Sprint(dataOf(t, page)), "\u00a0", "\u202f", "\u2060")
	}
}

func TestPricesAreSaidOnce(t *testing.T) {
	t.Parallel()
	s := sampleSite(t, func(c *content.Content) {
		c.SiteLanguages = []string{"en"}
		c.Services, c.Bands = c.Services[:2], c.Bands[:2]
		for i, name := range []string{"Tuning", "Loan"} {
			c.Services[i].ID, c.Services[i].Name, c.Services[i].Summary, c.Services[i].PricingBand = name, name, "About "+name+".", name
			c.Bands[i] = contract.PricingBand{ID: name, Name: name, Summary: "About " + name + ".", Currency: "EUR", From: "55", To: "55", Unit: "visit"}
		}
		c.Bands[0].Options = []contract.PriceOption{{Name: "Upright", Price: "55.50", Unit: "visit"}}
		c.Bands[1].From, c.Bands[1].To = "0", "0"
	})
	page := first(s).pricing(today)
	_, main, _ := strings.Cut(string(page.HTML), "<main")
	for text, want := range map[string]int{">Tuning<": 1, "About Tuning.": 1, "€55.00<": 1, "€55.50<": 1, "per visit": 1, "<strong>free</strong>": 1} {
		expect.Same(t, text, want, strings.Count(strings.ReplaceAll(main, "\u00a0", " "), text))
	}
	expect.Holds(t, "the Markdown", page.Markdown, "€55 per visit", "free")
}

// Where the program has no texts in a language, its own are marked as English.
func TestLanguageWithoutMessages(t *testing.T) {
	t.Parallel()
	const english = `<span lang="en" dir="ltr">`
	for _, tt := range []struct{ language, root, name string }{
		{"cy", `<html lang="cy">`, "Cymraeg"}, {"ar", `<html lang="ar" dir="rtl">`, "العربية"}, {"ja", `<html lang="ja">`, "日本語"},
		{"az-Arab", `<html lang="az-Arab" dir="rtl">`, ""},
	} {
		s := sampleSite(t, func(c *content.Content) { c.SiteLanguages = []string{"en", tt.language} })
		perMonth := english + ` per <span lang="` + tt.language + `" dir="auto">month</span></span>`
		asked, pricing := s.editions[1].asked(Asked{}, today, nil), s.editions[1].pricing(today)
		expect.Holds(t, "the page of questions", asked.HTML, `<title lang="en">Ask a question · `,
			"<h1>"+english+"Ask a question</span></h1>", `<label for="q" lang="en">`)
		expect.Holds(t, "its Markdown", asked.Markdown, "# "+english+"Ask a question</span>",
			english+"The answer is approved text", english+"The index of this site")
		expect.Holds(t, "the page of prices", pricing.HTML, `<h1 lang="en">What we offer`, `<strong lang="en">`,
			perMonth)
		expect.Holds(t, "its Markdown", pricing.Markdown, "# "+english+"What we offer", "</span> "+perMonth+" (band")
		expect.Holds(t, "the page in "+tt.language, s.editions[1].home(today, nil).HTML, tt.root, english+"Skip to",
			` lang="en" dir="ltr">Prices</a>`, `aria-label="Pages"`, ">"+tt.name)
		expect.Holds(t, "the offer", s.editions[1].home(today, nil).Offering["en"], `<aside class="offer" lang="en" dir="ltr" `)
		expect.Holds(t, "the offer", first(s).home(today, nil).Offering[tt.language], `hreflang="`+tt.language+`">`+tt.name)
		expect.Lacks(t, "the English page", first(s).home(today, nil).HTML, "<span lang")
	}
	arabic := sampleSite(t, func(c *content.Content) {
		c.SiteLanguages, c.Address = []string{"ar"}, &contract.Address{Street: "Weg 1", City: "Bern"}
	}).Pages(t.Context(), today)
	expect.Holds(t, "an address", arabic["/"].HTML, `<bdi>Weg 1</bdi><br><bdi`, `<bdi class="nobreak">Bern</bdi>`)
	expect.Holds(t, "the guide", arabic[contract.PathDevelopers].HTML, `<main id="main" lang="en" dir="ltr">`)
}
