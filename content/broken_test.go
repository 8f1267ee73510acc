package content

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// entry is a FAQ whose entries are given, from line 3 on.
func entry(lines string) files {
	return files{FAQFile: "fallback: Ask a person.\nentries:\n" + lines}
}

var long = strings.Repeat("é", contract.MaxQuestion+1)

func TestBroken(t *testing.T) {
	t.Parallel()
	hints := strings.NewReplacer("<quotes>", quoteHint,
		"<plain>", "YAML anchors, aliases and tags are not allowed here (put a text that begins with *, & or ! in quotes)",
		"<amount>", "digits with a point, such as 490 or 4.80, and no currency",
		"<assets>", "put it into the folder assets, and write assets/NAME",
		"<entry>", "id, question, alternates, answer, group, url, review_by, expires, lang, prices, draft",
		"<list>", `write each item on its own line after "- "`,
		"<times>", "such as 06:30-18:00, 08:00-12:00, 14:00-18:00 with a break, 18:00-02:00, 24h or closed",
		"<address>", "https://... or a path of this site such as /pricing", "<date>", "year, month and day such as 2027-06-01",
		"<dates>", "2026-12-24, or 2026-12-24..2027-01-06", "<required>", "required: id, question, answer",
		"<page>", "write the page, or change the link",
		"<alt>", "say in a few words what it shows, for people who cannot see it")
	for _, tc := range []struct {
		name  string
		files files
		want  string // a fault in the file of the one above begins with its line
	}{
		{"misspelt and unknown keys", entry("  - id: a\n    question: Q?\n    anwser: A\n    colour: red\n"), `
faq.yaml:3: an entry has no answer (<required>)
:5: unknown key "anwser" (did you mean "answer"?)
:6: unknown key "colour" (known: <entry>)`},
		{"a key twice", entry("  - id: a\n    question: Q?\n    answer: A\n    answer: B\n"), `
faq.yaml:6: the key "answer" appears twice (first on line 5)`},
		{"nothing and blanks are not values", entry("  - id:\n    question: ~\n    answer: ' '\n    url: ''\n    alternates: [~, ]\n"), `
faq.yaml:3: an entry has no id (<required>)
:3: an entry has no question (<required>)
:5: answer is empty
:6: url is empty
:7: an alternate is empty`},
		{"wrong types", entry("  - id: a\n    question: [Q?]\n    alternates: Another?\n    answer: {text: A}\n  - just text\n"), `
faq.yaml:4: question must be a text (<quotes>)
:5: alternates must be a list (<list>)
:6: answer must be a text, or a text for each language (<quotes>)
:7: an entry must be a group of keys (its keys: <entry>)`},
		{"ids", entry("  - {id: Ünder_score, question: Q1?, answer: A}\n  - {id: a, question: Q2?, answer: A}\n  - {id: a, question: Q3?, answer: A}\n"), `
faq.yaml:3: id "Ünder_score" is not valid (only a-z, 0-9 and the hyphen)
:5: the id "a" appears twice (first on line 4)`},
		{"the same question", entry("  - id: a\n    question: Who is it for?\n    alternates: [\"who  is it FOR\", For whom?]\n    answer: A\n" +
			"  - id: b\n    question: Other?\n    alternates:\n      - for whom!\n    answer: A\n"), `
faq.yaml:5: the question "who is it FOR" appears twice (first on line 4)
:10: the question "for whom!" is in the entry "a" too (first on line 5)`},
		{"questions that cannot be asked", entry("  - id: a\n    question: " + long + "\n    alternates: ['?!']\n    answer: A\n"), `
faq.yaml:4: question has 301 characters (customers can send at most 300)
:5: an alternate has no word in it`},
		{"addresses and dates", entry("  - id: a\n    question: Q?\n    answer: A\n    url: //evil.example\n    review_by: 2027-02-29\n    expires: soon\n" +
			"  - {id: b, question: P?, answer: A, url: 'javascript:x'}\n  - {id: c, question: R?, answer: A, url: 'https:///x', expires: 0027-01-04}\n"), `
faq.yaml:6: url "//evil.example" is not an address (<address>)
:7: review_by "2027-02-29" is not a date (<date>)
:8: expires "soon" is not a date (<date>)
:9: url "javascript:x" is not an address (<address>)
:10: url "https:///x" is not an address (<address>)
:10: expires "0027-01-04" is not a date (<date>)`},
		{"control characters by escape", entry("  - {id: a, question: \"Q\\u0007?\", answer: \"A\\rB\", url: \"/a\\nb\"}\n"), `
faq.yaml:3: url must be one line without control characters
:3: url "/a\nb" is not an address (<address>)
:3: answer contains the control character U+000D (delete it)
:3: question contains the control character U+0007 (delete it)`},
		{"nothing required", files{FAQFile: "entires: []\n"}, `
faq.yaml:1: unknown key "entires" (did you mean "entries"?)
:1: the FAQ has no fallback (required: fallback, entries)
:1: the FAQ has no entries (required: fallback, entries)`},
		{"the top", files{CatalogFile: "business: Acme\nservices: []\npricing_bands: {}\nstatements: [[]]\n"}, `
catalog.yaml:1: the business must be a group of keys (its keys: name, summary, kind, hours, time_zone, closed, special_hours, address, coordinates, phone, email, booking, profiles, payment, area_served, languages, tone)
:2: services is empty (it needs at least one item)
:3: pricing_bands must be a list (<list>)
:4: an item of statements must be a text (<quotes>)`},
		{"business", files{CatalogFile: strings.Replace(goodCatalog, "name: Acme, summary: We make things.", "name: \"A\\nB\", languages: [en, english!]", 1)}, `
catalog.yaml:1: the business has no summary (required: name, summary)
:1: "english!" is not a language (a language tag such as en, de or pt-BR)
:1: name must be one line without control characters`},
		{"amounts", files{CatalogFile: "business: {name: A, summary: A}\nservices: [{id: s, name: S, summary: S, description: S, pricing_band: b}]\npricing_bands:\n" +
			"  - {id: b, name: B, summary: B, currency: euro, from: 20, to: 10, unit: month}\n" +
			"  - {id: c, name: C, summary: C, currency: EUR, from: 10.555, to: '20', unit: month}\n" +
			"  - {id: d, name: D, summary: D, currency: USD, from: -1, to: 0x10, unit: month}\n"}, `
catalog.yaml:4: currency "euro" is not a currency (an ISO 4217 code such as EUR)
:4: to 10 is less than from 20
:5: from 10.555 has too many digits after the point (EUR has 2)
:5: to must be an amount (write 20 for "20")
:6: from must be an amount (<amount>)
:6: to must be an amount (<amount>)`},
		{"a band that is not there", files{CatalogFile: strings.Replace(goodCatalog, "pricing_band: small", "pricing_band: smal", 1)}, `
catalog.yaml:3: unknown pricing_band "smal" (did you mean "small"?)`},
		{"unknown entry", files{goldenFile: "answered:\n  - {q: Open?, id: hour}\n  - {q: Closed?, id: prices}\n"}, `
golden.yaml:2: faq.yaml has no entry "hour" (did you mean "hours"?)
:3: faq.yaml has no entry "prices" (known: hours)`},
		{"both answered and unanswered", files{goldenFile: "answered:\n  - {q: Open?, id: hours}\nunanswered:\n  - open\n"}, `
golden.yaml:4: the question "open" appears twice (first on line 2)`},
		{"golden.yaml when faq.yaml cannot be parsed", files{FAQFile: "entries: [", goldenFile: "answered: [{q: Open?, id: x}]\n"}, `
faq.yaml:2: the YAML cannot be read: did not find expected node content (<quotes>)`},
		{"empty", files{FAQFile: "# nothing yet\n"}, `
faq.yaml: the file is empty (frontdesk init DIR writes a sample of every file)`},
		{"a quote that never ends", files{FAQFile: "fallback: F\nentries: 'x\n\n"}, `
faq.yaml:4: the YAML cannot be read: found unexpected end of stream, while scanning a quoted scalar that begins on line 2 (<quotes>)`},
		{"two documents", files{FAQFile: goodFAQ + "---\nfallback: F\n"}, `
faq.yaml:4: a second YAML document begins here (the file must hold one document: delete the line ---)`},
		{"a broken second document", files{FAQFile: goodFAQ + "---\n]\n"}, `
faq.yaml:5: the YAML cannot be read: did not find expected node content (<quotes>)`},
		{"anchors, aliases and tags", files{FAQFile: "fallback: &f F\nprecision: ! ''\nentries:\n  - {id: a, question: !new Q?, answer: *f}\n"}, `
faq.yaml:1: <plain>
:2: <plain>
:4: <plain>`},
		{"a list or a text where keys belong", files{FAQFile: "- a\n", goldenFile: "text\n"}, `
faq.yaml:1: the FAQ must be a group of keys (its keys: fallback, precision, facts, synonyms, entries)
golden.yaml:1: the file must be a group of keys (its keys: answered, unanswered)`},
		{"synonyms", files{FAQFile: goodFAQ + "synonyms:\n  - [sledge, toboggan]\n  - [Sledge]\n  - bob, luge\n  - [roll, \"bun, cake\"]\n"}, `
faq.yaml:6: the synonym "Sledge" appears twice (first on line 5)
:6: an item of synonyms has fewer than two words (such as [sledge, toboggan])
:7: an item of synonyms must be a list (<list>)
:7: an item of synonyms has fewer than two words (such as [sledge, toboggan])
:8: the synonym "bun, cake" contains a comma (write each word as its own item)`},
		{"bytes that are no text", files{FAQFile: goodFAQ + "# \xff\n", CatalogFile: "# \x00\n", goldenFile: "#\n# \u2028\n", "pages/a.md": "a\x1b"}, `
catalog.yaml:1: the invisible character U+0000 is not allowed (delete it)
faq.yaml:4: the text is not UTF-8 (save the file with the encoding UTF-8)
golden.yaml:2: the invisible character U+2028 is not allowed (delete it)
pages/a.md:1: the invisible character U+001B is not allowed (delete it)`},
		{"pages", files{"pages/Home.md": "x", "pages/notes.txt": "x", "pages/more/a.md": "x", "pages/blank.md": " \n", "pages/.hidden": "", "pages/README": "", "pages/mcp.md": "x"}, `
pages/Home.md: the name is not valid (it becomes an address: only a-z, 0-9 and the hyphen before .md)
pages/blank.md: the page is empty
pages/mcp.md: the name is taken (/mcp is an address of the service itself)
pages/more: a folder in pages must be named after a further language of the business (business.languages: en)
pages/notes.txt: a page is a file whose name ends with .md`},
		{"the name of a language", files{"pages/pt-br.md": "x",
			CatalogFile: strings.Replace(goodCatalog, "{name", "{languages: [en, pt-BR], name", 1)}, `
pages/pt-br.md: the name is taken (/pt-br is an address of the service itself)`},
		{"business", files{CatalogFile: shopCatalog("  kind: Bakry\n  address: {city: Bonn, country: Doitschland}\n  phone: call us\n  email: nowhere\n  hours: {mon: 9-5, tue: [9-12, 1-5], wed-mo: \"08:00-09:00\", tue: \"08:00-09:00\"}\n  closed: [2027-01-06..2026-12-24, 0026-12-24..0027-01-04]\n  tone: du\n", "")}, `
catalog.yaml:5: kind "Bakry" is not a kind of business (did you mean "Bakery"?)
:6: country "Doitschland" is not a country (two capital letters such as DE)
:7: phone "call us" is not valid (digits with spaces, such as +49 761 123456)
:8: email "nowhere" is not an e-mail address (such as hello@example.org)
:9: "9-5" reads as 09:00-05:00, which is over midnight (<times>)
:9: "9-12, 1-5" is not a time range (<times>)
:9: "wed-mo" is not a day of the week (mon, tue, wed, thu, fri, sat, sun; tue-fri or fri-mon for several, or sat, sun)
:9: the day "tue" appears twice (first on line 9)
:10: "2027-01-06..2026-12-24" ends before it begins (the earlier day first)
:10: "0026-12-24..0027-01-04" is not a date or a range of dates (<dates>)
:11: tone "du" is not valid (known: formal, informal)`},
		{"facts", files{CatalogFile: strings.NewReplacer(
			"pricing_band: small, lang", "pricing_band: small, picture: assets/none.png, booking: /book, lang", "unit: {de: Stück, en: piece}}", "unit: u, options: [{name: N, unit: [u], price: 9}]}",
		).Replace(shopCatalog("  closed: [2026-12-24..2026-12-26]\n  special_hours:\n    2026-12-26: 08:00-12:00\n    2026-12-29: noon\n    soon: 08:00-09:00\n"+
			"  time_zone: Berlin\n  coordinates: {latitude: 91, longitude: east}\n  profiles: [{name: Map, url: map.example}]\n", ""))}, `
catalog.yaml:7: a day of "2026-12-26" is also in closed, or in another line of special_hours (write each day once)
:8: "noon" is not a time range (<times>)
:9: "soon" is not a date or a range of dates (<dates>)
:10: time_zone "Berlin" is not a time zone (a name such as Europe/Berlin)
:11: latitude "91" is not valid (a number in the range -90 … 90)
:11: longitude "east" is not valid (a number in the range -180 … 180)
:12: url "map.example" is not a web address (https://...)
:15: a service has a picture without picture_alt (<alt>)
:15: there is no image "assets/none.png" (<assets>)
:15: booking "/book" is not a web address (https://...)
:17: unit must be a text (<quotes>)
:17: the price 9 is outside the pricing band (change from and to of the band, or the price)`},
		{"languages", files{
			CatalogFile: strings.Replace(shopCatalog("", ""), "{de: Machen, en: Making}", "{de: Machen, fr: Faire}", 1),
			FAQFile:     "fallback: {de: F}\nentries:\n  - {id: a, question: Q?, answer: A, lang: fr}\n",
		}, `
catalog.yaml:6: name has a text in "fr", which is not a language of the business (business.languages: de, en)
faq.yaml:1: fallback has no text in "en" (write one for each of business.languages)
:3: lang "fr" is not a language of the business (business.languages: de, en)`},
		{"brand", files{
			CatalogFile:       shopCatalog("", "brand:\n  logo: assets/logo.png\n  photo: assets/nothing.jpg\n  photo_alt: P\n  accent: \"#f5c542\"\n"),
			"assets/logo.png": picture(t, 2, 2),
		}, `
catalog.yaml:12: the brand has a logo without logo_alt (<alt>)
:13: there is no image "assets/nothing.jpg" (<assets>)
:15: accent #f5c542 has a contrast of 1.4:1 on light pages; WCAG AA requires 4.5:1 (the nearest readable colour is "#846a24")`},
		{"a logo for dark pages only", files{
			CatalogFile:       shopCatalog("", "brand:\n  logo_dark: assets/logo.png\n"),
			"assets/logo.png": picture(t, 2, 2),
		}, `
catalog.yaml:12: the brand has a logo_dark without logo (logo is the one for light pages)`},
		{"images", files{
			"assets/a b.png": picture(t, 1, 1),
			"assets/c.gif":   "GIF89a",
			"assets/d.jpg":   picture(t, 1, 1),
			"assets/e.png":   "no picture",
			"assets/j.svg":   `<svg xmlns="http://www.w3.org/2000/svg"/>`,
			"assets/k.svg":   `<!DOCTYPE svg [<!ENTITY x "y">]><svg viewBox="0 0 1 1"/>`,
		}, `
assets/a b.png: the name is not valid (it becomes an address: only letters without accents, digits, point, hyphen and underscore)
assets/c.gif: this is not an image for the web (JPEG, PNG, WebP, AVIF or SVG)
assets/d.jpg: the image cannot be used: it is a file of the type png: rename it
assets/e.png: the image cannot be used: it is damaged, or its name has the ending of another type
assets/j.svg: the image cannot be used: the SVG has neither width and height nor a viewBox
assets/k.svg: the image cannot be used: an SVG with a document type is not accepted`},
		{"heads of pages", files{"pages/a.md": "---\nheader: first\n---\nA", "pages/b.md": "---\n\n---\nB"}, `
pages/a.md:2: header "first" is not valid (its place in the header, such as 1)
pages/b.md:2: the head of the page must be a group of keys (its keys: lang, header)`},
		{"links", files{
			FAQFile:         "fallback: F\nentries:\n  - {id: a, question: Q?, answer: A, url: /pricng}\n",
			"pages/a.md":    "---\nlang: en\n---\n# A\n\n[one](/faq#a) [two](buried) and\n[three](/nowhere) [four](https://x.example)\n\n![none](photo.jpg) ![far](https://x.example/y.png)\n",
			"pages/home.md": "[a](/home)",
			"assets/x.png":  picture(t, 1, 1),
		}, `
faq.yaml:3: the link leads to /pricng, and there is no such page (did you mean "/pricing"?)
pages/a.md:6: the link leads to /buried, and there is no such page (<page>)
:7: the link leads to /nowhere, and there is no such page (<page>)
:9: there is no image "photo.jpg" in the folder assets (known: x.png)
:9: the image https://x.example/y.png is on another host (put it into the folder assets: pages load nothing from other hosts)
pages/home.md:1: the link leads to /home, and there is no such page (<page>)`},
		{"texts by language", files{CatalogFile: threeLanguages, FAQFile: `fallback: F
entries:
  - {id: a, question: {pt: P?, fr: F?}, answer: A}
  - {id: b, question: {en: Q?}, answer: A}
  - {id: c, lang: en, question: {pt: Sim?}, answer: A}
  - {id: d, question: {pt: Sim?, en: P}, answer: A}
`}, `
faq.yaml:3: question has a text in "fr", which is not a language of the business (business.languages: pt, en, it)
:5: the entry has lang, but its texts are written by language (delete lang)
:6: the question "Sim?" is in the entry "c" too (first on line 5)
:6: the question "P" is in the entry "a" too (first on line 3)`},
	} {
		got, last := "", ""
		for _, fault := range faultsOf(t, tc.files) {
			file, rest, _ := strings.Cut(fault, ":")
			if got += "\n"; file != last {
				got += file
			}
			got, last = got+":"+rest, file
		}
		expect.Same(t, tc.name, hints.Replace(tc.want), got)
	}
	for _, precision := range []string{"1", "95%", ".nan"} {
		want := []string{`faq.yaml:1: precision "` + precision + `" is not valid (a number in the range 0.5 … 0.995)`}
		expect.Same(t, precision, want, faultsOf(t, files{FAQFile: "precision: " + precision + "\n" + goodFAQ}))
	}
}

func TestMissingFiles(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"FAQ.yml": &fstest.MapFile{Data: []byte(goodFAQ)}}
	expect.Same(t, "faults", []string{
		"catalog.yaml: the file is missing (frontdesk init DIR writes a sample of every file)",
		`faq.yaml: the file is missing (there is "FAQ.yml": rename it)`,
	}, faultsOf(t, fsys))
}

// The end of these faults depends on the file system.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for want, fsys := range map[string]fs.FS{
		".: the content folder cannot be read: ": os.DirFS(filepath.Join(t.TempDir(), "nowhere")),
		"pages: the folder cannot be read: ":     files{"pages": "x"},
		"golden.yaml: the file cannot be read: ": files{"golden.yaml/a": "x"},
	} {
		faults := faultsOf(t, fsys)
		expect.Same(t, want, 1, len(faults))
		expect.Holds(t, "the faults", "\n"+strings.Join(faults, "\n"), "\n"+want)
	}
}

type documented struct{ Required, Local bool }

func TestKeysAreDocumented(t *testing.T) {
	t.Parallel()
	page := expect.File(t, "../docs/content.md")
	named, aside := regexp.MustCompile("`([a-z_]+)`(\\*?)"), regexp.MustCompile(`\([^()]*\)`)
	var rows []map[string]documented
	for line := range strings.Lines(page) {
		cells := strings.Split(aside.ReplaceAllString(line, ""), "|")
		if len(cells) != 5 {
			continue
		}
		row := map[string]documented{}
		for i, cell := range cells[2:4] {
			for _, key := range named.FindAllStringSubmatch(cell, -1) {
				row[key[1]] = documented{i == 0, key[2] != ""}
			}
		}
		rows = append(rows, row)
	}
	var check func(g *Group)
	check = func(g *Group) {
		want := map[string]documented{}
		for _, key := range g.Keys {
			want[key.Name] = documented{key.Required, key.Local}
			if key.Of != nil {
				check(key.Of)
			}
		}
		if g == &accentGroup { // beside its key
			return
		}
		if row, hasPrice := want["price"]; hasPrice && g == &serviceGroup { // required in place of pricing_band
			row.Required = true
			want["price"] = row
		}
		if !slices.ContainsFunc(rows, func(row map[string]documented) bool { return maps.Equal(row, want) }) {
			t.Errorf("docs/content.md has no row of %s: %v", g.Name, want)
		}
	}
	for _, g := range []*Group{&catalogGroup, &faqGroup, &goldenGroup} {
		check(g)
	}
}

func keysBelow(groups ...*Group) (names []string) {
	for _, g := range groups {
		names = append(names, g.names()...)
		for _, key := range g.Keys {
			if key.Of != nil {
				names = append(names, keysBelow(key.Of)...)
			}
		}
	}
	return names
}

// The comments of frontdesk init name no key that there is not.
func TestSampleComments(t *testing.T) {
	t.Parallel()
	optional := regexp.MustCompile(`^\s*#\s*([a-z_]+): `)
	known := keysBelow(&catalogGroup, &faqGroup, &goldenGroup)
	for _, name := range SampleNames() {
		for file, text := range expect.Files(t, SampleNamed(name), ".") {
			for line := range strings.Lines(text) {
				if key := optional.FindStringSubmatch(line); strings.HasSuffix(file, ".yaml") && key != nil && !slices.Contains(known, key[1]) {
					t.Errorf("%s, %s has a comment about %q", name, file, key[1])
				}
			}
		}
	}
}
