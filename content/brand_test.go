package content

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// shopCatalog is a catalog in two languages; business and more are added to it.
func shopCatalog(business, more string) string {
	return `business:
  name: Acme
  summary: {de: Wir machen Dinge., en: We make things.}
  languages: [de, en]
` + business + `services:
  - {id: making, name: {de: Machen, en: Making}, summary: S, description: D, includes: {de: [Eins], en: [One]}, pricing_band: small}
  - {id: reading, name: Lesung, summary: S, description: D, pricing_band: small, lang: de}
pricing_bands:
  - {id: small, name: Small, summary: L, currency: EUR, from: 4.8, to: 7, unit: {de: Stück, en: piece}}
statements: [{de: Nein., en: No.}]
` + more
}

// picture is a PNG of the given size.
func picture(t testing.TB, width, height int) string {
	t.Helper()
	var out bytes.Buffer
	expect.OK(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, width, height))))
	return out.String()
}

// TestEditions reads one catalog in its two languages.
func TestEditions(t *testing.T) {
	t.Parallel()
	loaded := mustLoad(t, folder(files{
		catalogFile: shopCatalog("", "requests: {name: {de: Nachricht, en: Message}, ask_business: false}\ntrials: false\n"),
		faqFile: "fallback: {de: Frag uns., en: Ask us.}\nentries:\n" +
			"  - {id: a, question: Auf?, answer: Ja., lang: de, group: Laden}\n  - {id: b, question: Open?, answer: Yes., lang: en}\n" +
			"  - {id: c, question: Later?, answer: Soon., lang: en, draft: true}\n",
		"pages/about.md":    "---\nlang: fr\nheader: 2\n---\n# Nous\n",
		"pages/en/about.md": "# Us\n\n[home](/en) [prices](pricing)\n",
	}))
	if loaded.AskBusiness || loaded.Trials || loaded.Request != "Nachricht" || len(loaded.Drafts) != 1 || len(loaded.FAQ.Entries) != 2 {
		t.Errorf("content = %+v", loaded)
	}
	english := loaded.In("en")
	got := []string{english.Summary, english.Request, english.Fallback, english.Services[0].Name, english.Services[0].Includes[0],
		english.Bands[0].Unit, english.Statements[0], loaded.In("de").Services[1].Name, loaded.Services[0].Name, loaded.FAQ.Fallback}
	want := []string{"We make things.", "Message", "Ask us.", "Making", "One", "piece", "No.", "Lesung", "Machen", "Frag uns."}
	expect.Same(t, "texts", want, got)
	if len(english.Services) != 1 || len(loaded.Services) != 2 {
		t.Errorf("a German service is offered in English: %v", english.Services)
	}
	if band := english.Bands[0]; band.From != "4.80" || band.To != "7" {
		t.Errorf("amounts %s and %s", band.From, band.To)
	}
	if page := loaded.Pages[0]; page.Lang != "fr" || page.Header != 2 || page.Markdown != "# Nous\n" || loaded.Pages[1].Path(loaded) != "/en/about" {
		t.Errorf("pages = %+v", loaded.Pages)
	}
}

// TestFacts reads the optional facts of a business, its services and its prices.
func TestFacts(t *testing.T) {
	t.Parallel()
	catalog := strings.NewReplacer(
		"pricing_band: small}\n  - {id: reading", "pricing_band: small, picture: assets/loaf.png, picture_alt: {de: Laib, en: Loaf}, booking: https://book.example/making}\n  - {id: reading",
		"unit: {de: Stück, en: piece}}", "unit: {de: Stück, en: piece}, options: [{name: {de: Klein, en: Small}, price: 4.8}, {name: Large, price: 7, unit: box}]}",
	).Replace(shopCatalog(`  kind: Bakery
  address: {street: Street 1, postal_code: "079", city: Freiburg, country: DE}
  phone: +49 761 123456
  email: a@b.example
  hours: {tue-thu: "06:30-18:00", "sat, sun": ["08:00-12:00", "14:00-24:00"]}
  closed: [2026-12-25..2027-01-06, 2027-05-01]
  special_hours:
    2026-12-24: 08:00-12:00
    2027-12-29..2027-12-30: ["08:00-12:00", "14:00-16:00"]
  time_zone: Europe/Berlin
  coordinates: {latitude: 47.9959, longitude: -7.85}
  area_served: {de: [Freiburg, Umland], en: [Freiburg]}
  payment: [Bar, {de: Karte, en: Card}]
  profiles: [{name: {de: Karte, en: Map}, url: "https://map.example/?q=1"}]
  booking: https://book.example/
  tone: informal
`, ""))
	loaded := mustLoad(t, folder(files{catalogFile: catalog, "assets/loaf.png": picture(t, 2, 2)}))
	want := Business{Name: "Acme", Summary: "Wir machen Dinge.", Languages: []string{"de", "en"}, Tone: "informal", Facts: contract.Facts{
		Kind: "Bakery", Address: &contract.Address{Street: "Street 1", PostalCode: "079", City: "Freiburg", Country: "DE"},
		Phone: "+49 761 123456", Email: "a@b.example",
		Hours: []contract.OpeningHours{
			{Days: []string{"tue", "wed", "thu"}, Opens: "06:30", Closes: "18:00"},
			{Days: []string{"sat", "sun"}, Opens: "08:00", Closes: "12:00"},
			{Days: []string{"sat", "sun"}, Opens: "14:00", Closes: "24:00"},
		},
		Closed: []contract.Days{{From: "2026-12-25", To: "2027-01-06"}, {From: "2027-05-01", To: "2027-05-01"}},
		SpecialHours: []contract.SpecialHours{
			{Days: contract.Days{From: "2026-12-24", To: "2026-12-24"}, Opens: "08:00", Closes: "12:00"},
			{Days: contract.Days{From: "2027-12-29", To: "2027-12-30"}, Opens: "08:00", Closes: "12:00"},
			{Days: contract.Days{From: "2027-12-29", To: "2027-12-30"}, Opens: "14:00", Closes: "16:00"},
		},
		TimeZone: "Europe/Berlin", Coordinates: &contract.Coordinates{Latitude: 47.9959, Longitude: -7.85},
		AreaServed: []string{"Freiburg", "Umland"}, Payment: []string{"Bar", "Karte"},
		Profiles: []contract.Profile{{Name: "Karte", URL: "https://map.example/?q=1"}}, Booking: "https://book.example/",
	}}
	expect.Same(t, "business", want, loaded.Business)
	english := loaded.In("en")
	expect.Same(t, "English facts", []any{[]string{"Freiburg"}, []string{"Bar", "Card"}, "Map"}, []any{english.AreaServed, english.Payment, english.Profiles[0].Name})
	expect.Same(t, "options", []contract.PriceOption{{Name: "Small", Price: "4.80", Unit: "piece"}, {Name: "Large", Price: "7", Unit: "box"}}, english.Bands[0].Options)
	expect.Same(t, "picture", &contract.Picture{URL: loaded.Images[0].Path(), Alt: "Loaf"}, english.Services[0].Picture)
	expect.Same(t, "booking", "https://book.example/making", english.Services[0].Booking)
}

// TestBrokenBrand checks the faults of business, brand, languages and images.
func TestBrokenBrand(t *testing.T) {
	t.Parallel()
	runBroken(t, []brokenCase{
		{"business", files{catalogFile: shopCatalog("  kind: Bakry\n  address: {city: Bonn, country: Deutschland}\n  phone: call us\n  email: nowhere\n  hours: {mon: 9-5, tue: \"18:00-09:00\", wed-mon: \"08:00-09:00\", tue: \"08:00-09:00\"}\n  closed: [2027-01-06..2026-12-24]\n  tone: du\n", "")}, []string{
			`catalog.yaml:5: "Bakry" is not a kind of business (did you mean "Bakery"?)`,
			`catalog.yaml:6: "Deutschland" is not a country (two capital letters such as DE)`,
			`catalog.yaml:7: phone "call us" is not valid (digits with spaces, such as +49 761 123456)`,
			`catalog.yaml:8: "nowhere" is not an e-mail address (such as hello@example.org)`,
			`catalog.yaml:9: "9-5" is not a time range (such as 06:30-18:00, or 08:00-12:00, 14:00-18:00 with a break)`,
			`catalog.yaml:9: "18:00-09:00" is not a time range (such as 06:30-18:00, or 08:00-12:00, 14:00-18:00 with a break)`,
			`catalog.yaml:9: "wed-mon" is not a day of the week (mon, tue, wed, thu, fri, sat, sun; tue-fri for several, or sat, sun)`,
			`catalog.yaml:9: the day "tue" appears twice (first on line 9)`,
			`catalog.yaml:10: "2027-01-06..2026-12-24" is not a date or a range of dates (2026-12-24, or 2026-12-24..2027-01-06)`,
			`catalog.yaml:11: tone "du" is not valid (formal or informal)`,
		}},
		{"facts", files{catalogFile: strings.NewReplacer(
			"pricing_band: small, lang", "pricing_band: small, picture: assets/none.png, booking: /book, lang", "unit: {de: Stück, en: piece}}", "unit: u, options: [{name: N, price: 9}]}",
		).Replace(shopCatalog("  closed: [2026-12-24..2026-12-26]\n  special_hours:\n    2026-12-26: 08:00-12:00\n    2026-12-29: noon\n    soon: 08:00-09:00\n"+
			"  time_zone: Berlin\n  coordinates: {latitude: 91, longitude: east}\n  profiles: [{name: Map, url: map.example}]\n", ""))}, []string{
			`catalog.yaml:7: a day of "2026-12-26" is also in closed, or in another line of special_hours (write each day once)`,
			`catalog.yaml:8: "noon" is not a time range (such as 06:30-18:00, or 08:00-12:00, 14:00-18:00 with a break)`,
			`catalog.yaml:9: "soon" is not a date or a range of dates (2026-12-24, or 2026-12-24..2027-01-06)`,
			`catalog.yaml:10: "Berlin" is not a time zone (a name such as Europe/Berlin or America/New_York)`,
			`catalog.yaml:11: latitude "91" is not a number of degrees (from -90 to 90, such as 47.9959)`,
			`catalog.yaml:11: longitude "east" is not a number of degrees (from -180 to 180, such as 47.9959)`,
			`catalog.yaml:12: url "map.example" is not a web address (https://...)`,
			"catalog.yaml:15: the service has a picture without picture_alt (say in a few words what it shows, for people who cannot see it)",
			`catalog.yaml:15: there is no image "assets/none.png" (put it into the folder assets, and write assets/NAME)`,
			`catalog.yaml:15: booking "/book" is not a web address (https://...)`,
			"catalog.yaml:17: the price 9 is outside the pricing band (change from and to of the band, or the price)",
		}},
		{"languages", files{
			catalogFile: strings.Replace(shopCatalog("", ""), "{de: Machen, en: Making}", "{de: Machen, fr: Faire}", 1),
			faqFile:     "fallback: {de: F}\nentries:\n  - {id: a, question: Q?, answer: A, lang: fr}\n",
		}, []string{
			`catalog.yaml:6: name has a text in "fr", which is not a language of the business (business.languages: de, en)`,
			`catalog.yaml:6: name has no text in "en" (write one for each of business.languages)`,
			`faq.yaml:3: "fr" is not a language of the business (business.languages: de, en)`,
		}},
		{"brand", files{
			catalogFile:       shopCatalog("", "brand:\n  logo: assets/logo.png\n  photo: assets/nothing.jpg\n  photo_alt: P\n  accent: \"#f5c542\"\n"),
			"assets/logo.png": picture(t, 2, 2),
		}, []string{
			"catalog.yaml:12: the brand has a logo without logo_alt (say in a few words what it shows, for people who cannot see it)",
			`catalog.yaml:13: there is no image "assets/nothing.jpg" (put it into the folder assets, and write assets/NAME)`,
			`catalog.yaml:15: accent #f5c542 has a contrast of 1.4:1 on light pages; WCAG AA requires 4.5:1 (the nearest readable colour is "#846a24")`,
		}},
		{"images", files{
			"assets/a b.png":  picture(t, 1, 1),
			"assets/c.gif":    "GIF89a",
			"assets/d.jpg":    picture(t, 1, 1),
			"assets/e.png":    "no picture",
			"assets/f.png":    pngHeader(9000, 9000, 8, 0),
			"assets/g.svg":    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>`,
			"assets/h.svg":    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" onload="x()"/>`,
			"assets/i.svg":    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><image href="https://elsewhere.example/x.png"/></svg>`,
			"assets/j.svg":    `<svg xmlns="http://www.w3.org/2000/svg"/>`,
			"assets/k.svg":    `<!DOCTYPE svg [<!ENTITY x "y">]><svg viewBox="0 0 1 1"/>`,
			"assets/fine.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="url(#a)"/></svg>`,
		}, []string{
			"assets/a b.png: the name is not valid (it becomes an address: only letters without accents, digits, point, hyphen and underscore)",
			"assets/c.gif: this is not an image for the web (JPEG, PNG, WebP, AVIF or SVG)",
			"assets/d.jpg: the image cannot be used: it is a file of the type png: rename it",
			"assets/e.png: the image cannot be used: it is damaged, or its name has the ending of another type",
			"assets/f.png: the image has 9000 × 9000 pixels, too many for the memory of a small server (make it at most 5016 × 5016)",
			"assets/g.svg: the image cannot be used: an SVG with <script> is not accepted: it could run code",
			"assets/h.svg: the image cannot be used: an SVG with onload=… is not accepted: it could run code",
			"assets/i.svg: the image cannot be used: an SVG that loads something from elsewhere is not accepted",
			"assets/j.svg: the image cannot be used: the SVG has neither width and height nor a viewBox",
			"assets/k.svg: the image cannot be used: an SVG with a document type is not accepted",
		}},
		{"head of a page", files{"pages/a.md": "---\nheader: first\n---\n# A\n"}, []string{
			`pages/a.md:2: header "first" is not valid (its place in the header, such as 1)`,
		}},
		{"links", files{
			faqFile:        "fallback: F\nentries:\n  - {id: a, question: Q?, answer: A, url: /pricng}\n",
			"pages/a.md":   "---\nlang: en\n---\n# A\n\n[one](/faq#a) [two](buried) and\n[three](/nowhere) [four](https://x.example)\n\n![none](photo.jpg) ![far](https://x.example/y.png)\n",
			"assets/x.png": picture(t, 1, 1),
		}, []string{
			`faq.yaml:3: the link leads to /pricng, and there is no such page (did you mean "/pricing"?)`,
			"pages/a.md:6: the link leads to /buried, and there is no such page (write the page, or change the link)",
			"pages/a.md:7: the link leads to /nowhere, and there is no such page (write the page, or change the link)",
			`pages/a.md:9: there is no image "photo.jpg" in the folder assets (known: x.png)`,
			"pages/a.md:9: the image https://x.example/y.png is on another host (put it into the folder assets: pages load nothing from other hosts)",
		}},
	})
}

// TestContrast checks a well-known contrast, and that the dark form of an accent and the text
// on its buttons are readable.
func TestContrast(t *testing.T) {
	t.Parallel()
	expect.Same(t, "contrast of white on black", 21, contrast(white, black))
	for _, text := range []string{"#1f6b52", "#9a3d14", "#000080", "#5a3fc0"} {
		colour, _ := parseColour(text)
		dark := colour.readable(darkBackground, white)
		for _, got := range []float64{contrast(dark, darkBackground), contrast(colour.On(), colour), contrast(dark.On(), dark)} {
			if got < contrastAA {
				t.Errorf("%s, or its dark form %s, has a contrast of %v:1", text, dark, got)
			}
		}
	}
}

// TestSamplesAreWhole checks that the only warning about each sample is that it is one.
func TestSamplesAreWhole(t *testing.T) {
	t.Parallel()
	expect.Same(t, "samples", []string{"agency", "bakery", "firm", "practice", "workshop"}, SampleNames())
	for _, name := range SampleNames() {
		if name == firmSample {
			continue // sample_test.go has more about it
		}
		sample := mustLoad(t, SampleNamed(name))
		if found := append(sample.strayAmounts(), sample.forbiddenClaims()...); len(found) > 0 {
			t.Errorf("%s: %q", name, texts(found))
		}
		if b := sample.Business; b.Address == nil || b.Hours == nil || b.TimeZone == "" {
			t.Errorf("%s has no address, hours or time zone", name)
		}
		if name == "workshop" {
			continue // it is in one language, without pictures
		}
		if len(sample.Languages()) != 2 || sample.Brand.Photo == nil || sample.Brand.Logo == nil || sample.Trials {
			t.Errorf("%s is not complete", name)
		}
		counts := map[string]int{}
		for _, entry := range sample.FAQ.Entries {
			counts[entry.Lang]++
		}
		if counts["en"] < 8 || counts["en"] != counts[sample.Language()] {
			t.Errorf("%s has entries of %v", name, counts)
		}
	}
	if _, err := Init(t.TempDir(), "bakry"); err == nil || !strings.Contains(err.Error(), `did you mean "bakery"?`) {
		t.Errorf("an unknown sample gives %v", err)
	}
}
