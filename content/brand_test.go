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

func picture(t testing.TB, width, height int) string {
	t.Helper()
	var out bytes.Buffer
	expect.OK(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, width, height))))
	return out.String()
}

func TestEditions(t *testing.T) {
	t.Parallel()
	loaded := mustLoad(t, files{
		CatalogFile: shopCatalog("", "requests: {name: {de: Nachricht, en: Message}, ask_business: false}\ntrials: false\n"),
		FAQFile: "fallback: {de: Frag uns., en: Ask us.}\nfacts: off\nentries:\n" +
			"  - {id: a, question: Auf?, answer: Ja., lang: de, group: Laden}\n  - {id: b, question: Open?, answer: Yes., lang: en}\n" +
			"  - {id: c, question: Later?, answer: Soon., lang: en, draft: true}\n",
		"pages/about.md":    "---\nlang: fr\nheader: 2\n---\n# Nous\n",
		"pages/en/about.md": "# Us\n\n[home](/en) [prices](pricing)\n",
	})
	if loaded.AskBusiness || loaded.Trials || loaded.Request != "Nachricht" || len(loaded.Drafts) != 1 || len(loaded.FAQ.Entries) != 2 {
		t.Errorf("content = %+v", loaded)
	}
	english := loaded.In("en")
	got := []string{english.Summary, english.Request, english.Fallback, english.Services[0].Name, english.Services[0].Includes[0],
		english.Bands[0].Unit, english.Statements[0], loaded.In("de").Services[1].Name, loaded.Services[0].Name, loaded.FAQ.Fallback}
	want := []string{"We make things.", "Message", "Ask us.", "Making", "One", "piece", "No.", "Lesung", "Machen", "Frag uns."}
	expect.Same(t, "texts", want, got)
	expect.Same(t, "services in English and German", [2]int{1, 2}, [2]int{len(english.Services), len(loaded.Services)})
	expect.Same(t, "amounts", [2]contract.Amount{"4.80", "7"}, [2]contract.Amount{english.Bands[0].From,
		english.Bands[0].To})
	if page := loaded.Pages[0]; page.Lang != "fr" || page.Header != 2 || page.Markdown != "# Nous\n" || loaded.Pages[1].Path(loaded) != "/en/about" {
		t.Errorf("pages = %+v", loaded.Pages)
	}
}

func openOn(days, opens, closes string) contract.OpeningHours {
	return contract.OpeningHours{Days: strings.Fields(days), Opens: opens, Closes: closes}
}

func daysOf(from, to string) contract.Days { return contract.Days{From: from, To: to} }

func TestFacts(t *testing.T) {
	t.Parallel()
	catalog := strings.NewReplacer(
		"pricing_band: small}\n  - {id: reading", "pricing_band: small, picture: assets/loaf.png, picture_alt: {de: Laib, en: Loaf}, booking: https://bücher.example/making}\n  - {id: reading",
		"unit: {de: Stück, en: piece}}", "unit: {de: Stück, en: piece}, options: [{name: {de: Klein, en: Small}, price: 4.8}, {name: Large, price: 7, unit: box}]}",
	).Replace(shopCatalog(`  kind: Bakery
  address: {street: Street 1, postal_code: "079", city: Freiburg, country: Deutschland}
  phone: +49 761 123456
  email: a@b.example
  hours: {tue-thu: "06:30-18:00", "sat, sun": ["08:00-12:00", "14:00-24:00"], fri: 6pm-2am, mon: closed}
  closed: [2026-12-25..2027-01-06, 2027-05-01]
  special_hours:
    2026-12-24: 20:00-04:00
    2027-01-07: closed
    2027-12-29..2027-12-30: ["08:00-12:00", "14:00-16:00"]
  time_zone: Europe/Berlin
  coordinates: {latitude: "47,9959", longitude: -7.85}
  area_served: {de: [Freiburg, Umland], en: [Freiburg]}
  payment: [Bar, {de: Karte, en: Card}]
  profiles: [{name: {de: Karte, en: Map}, url: "https://map.example/?q=1"}]
  booking: https://book.example/
  tone: informal
`, ""))
	loaded := mustLoad(t, files{CatalogFile: catalog, "assets/loaf.png": picture(t, 2, 2)})
	want := contract.Facts{
		Kind: "Bakery", Address: &contract.Address{Street: "Street 1", PostalCode: "079", City: "Freiburg", Country: "DE"},
		Phone: "+49 761 123456", Email: "a@b.example",
		Hours: []contract.OpeningHours{
			openOn("tue wed thu", "06:30", "18:00"),
			openOn("sat sun", "08:00", "12:00"),
			openOn("sat sun", "14:00", "24:00"),
			openOn("fri", "18:00", "02:00"),
		},
		Closed: []contract.Days{daysOf("2026-12-25", "2027-01-06"), daysOf("2027-05-01", "2027-05-01"),
			daysOf("2027-01-07", "2027-01-07")},
		SpecialHours: []contract.SpecialHours{
			{Days: daysOf("2026-12-24", "2026-12-24"), Opens: "20:00", Closes: "04:00"},
			{Days: daysOf("2027-12-29", "2027-12-30"), Opens: "08:00", Closes: "12:00"},
			{Days: daysOf("2027-12-29", "2027-12-30"), Opens: "14:00", Closes: "16:00"},
		},
		TimeZone: "Europe/Berlin", Coordinates: &contract.Coordinates{Latitude: 47.9959, Longitude: -7.85},
		AreaServed: []string{"Freiburg", "Umland"}, Payment: []string{"Bar", "Karte"},
		Profiles: []contract.Profile{{Name: "Karte", URL: "https://map.example/?q=1"}}, Booking: "https://book.example/",
	}
	expect.Same(t, "business", want, loaded.Facts)
	expect.Same(t, "languages", []string{"de", "en"}, loaded.SiteLanguages)
	expect.Same(t, "tone", "informal", loaded.Tone)
	english := loaded.In("en")
	expect.Same(t, "English facts", []any{[]string{"Freiburg"}, []string{"Bar", "Card"}, "Map"}, []any{english.AreaServed, english.Payment, english.Profiles[0].Name})
	expect.Same(t, "options", []contract.PriceOption{{Name: "Small", Price: "4.80", Unit: "piece"}, {Name: "Large", Price: "7", Unit: "box"}}, english.Bands[0].Options)
	expect.Same(t, "picture", &contract.Picture{URL: loaded.Images[0].Path(), Alt: "Loaf"}, english.Services[0].Picture)
	expect.Same(t, "booking", "https://xn--bcher-kva.example/making", english.Services[0].Booking)
}

func TestContrast(t *testing.T) {
	t.Parallel()
	expect.Same(t, "contrast of white on black", 21, contrast(white, black))
	for _, text := range []string{"#1f6b52", "#9a3d14", "#000080", "#5a3fc0", "#b00040", "#000000", "#6b6b6b", "#7a5c00"} {
		colour := parseColour(text)
		dark := colour.lit()
		for what, pair := range map[string][2]Colour{
			"text on a button": {colour.On(), colour}, "text on a dark page's button": {dark.On(), dark},
			"a light page": {colour, colour.Shade(0.965, 0.01)}, "a dark page": {dark, colour.Shade(0.27, 0.015)},
			"the dark panel": {white, colour.Shade(0.3, 0.065)},
		} {
			expect.AtLeast(t, text+": "+what, contrastAA, contrast(pair[0], pair[1]))
		}
		expect.AtLeast(t, text+": the dark form", contrastLit, contrast(dark, darkBackground))
	}
}

func TestOKLCH(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"#1f6b52", "#9a3d14", "#ffffff", "#000000", "#ff0000", "#0000ff"} {
		colour := parseColour(text)
		expect.Same(t, "there and back", colour, colourOf(colour.rgb().OkLch()))
	}
	expect.Same(t, "in capitals", Colour("#1f6b52"), parseColour("#1F6B52"))
	rust := parseColour("#9a3d14")
	expect.Same(t, "rust", []Colour{"#f08b65", "#faf1ee", "#fdfbfa"},
		[]Colour{rust.lit(), rust.Shade(0.965, 0.01), rust.Shade(0.989, 0.003)})
	grey := parseColour("#6b6b6b")
	lit := grey.lit()
	expect.Same(t, "a grey stays one", []Colour{lit[1:3], lit[1:3]}, []Colour{lit[3:5], lit[5:]})
	expect.Same(t, "more chroma than sRGB has", Colour("#f7f8fe"), colourOf(0.98, 0.3, 280.749))
}

func TestSamplesAreWhole(t *testing.T) {
	t.Parallel()
	expect.Same(t, "samples", []string{"agency", "bakery", "firm", "practice", "workshop"}, SampleNames())
	for _, name := range SampleNames() {
		if name == firmSample {
			continue // sample_test.go has more about it
		}
		sample := mustLoad(t, SampleNamed(name))
		expect.Same(t, name, nil, texts(append(sample.strayAmounts(), sample.forbiddenClaims()...)))
		if b := sample.Facts; b.Address == nil || b.Hours == nil || b.TimeZone == "" {
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
	expect.Says(t, "an unknown sample", expect.ErrorOf(Init(t.TempDir(), "bakry")), `did you mean "bakery"?`)
}
