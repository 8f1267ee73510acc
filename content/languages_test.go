package content

import (
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

const threeLanguages = `business: {name: Barro, summary: S, languages: [pt, en, it]}
services: [{id: s, name: N, summary: S, description: D, pricing_band: b}]
pricing_bands: [{id: b, name: N, summary: S, currency: EUR, from: 5, unit: piece}]
`

func TestEntryInSeveralLanguages(t *testing.T) {
	t.Parallel()
	loaded := mustLoad(t, files{
		CatalogFile: threeLanguages,
		FAQFile: `fallback: {pt: Escreva-nos., en: Write to us., it: Scriveteci.}
facts: off
entries:
  - id: hours
    group: {pt: A loja, en: The shop, it: Il negozio}
    question: {pt: Quando abrem?, en: When are you open?, it: Quando aprite?}
    alternates:
      pt: [A que horas abrem?, Fecham?]
      en: [What are your hours?]
    answer:
      pt: |
        Das 10 às 18.
      en: From 10 to 18.
    url: /faq
    prices: free
  - id: wifi
    question: {pt: Wi-Fi?, en: Wi-Fi?}
    alternates:
      - {pt: Têm internet?, it: Avete internet?}
      - WLAN
    answer: Sim. Yes. Sì.
  - {id: old, lang: en, question: Old?, answer: A, url: /faq}
  - {id: older, question: Velho?, answer: A}
  - {id: one, question: {pt: Um?}, answer: {pt: A}, draft: true}
`})
	hours := Entry{ID: "hours", URL: "/faq", Prices: "free", Line: 4}
	pt, en, it := hours, hours, hours
	pt.Lang, pt.Group, pt.Question, pt.Answer = "pt", "A loja", "Quando abrem?", "Das 10 às 18."
	pt.Alternates = []string{"A que horas abrem?", "Fecham?"}
	en.Lang, en.Group, en.Question, en.Answer, en.URL = "en", "The shop", "When are you open?", "From 10 to 18.", "/en/faq"
	en.Alternates = []string{"What are your hours?"}
	it.Lang, it.Group, it.Question, it.Answer, it.URL = "it", "Il negozio", "Quando aprite?", "Das 10 às 18.", "/it/faq"
	wifi := Entry{ID: "wifi", Lang: "pt", Question: "Wi-Fi?", Alternates: []string{"Têm internet?", "WLAN"}, Answer: "Sim. Yes. Sì.", Line: 16}
	wifiEN, wifiIT := wifi, wifi
	wifiEN.Lang, wifiEN.Alternates = "en", []string{"WLAN"}
	wifiIT.Lang, wifiIT.Alternates = "it", []string{"Avete internet?", "WLAN"}
	want := []Entry{
		pt, en, it, wifi, wifiEN, wifiIT,
		{ID: "old", Lang: "en", Question: "Old?", Answer: "A", URL: "/faq", Line: 22},
		{ID: "older", Lang: "pt", Also: []string{"en", "it"}, Question: "Velho?", Answer: "A", Line: 23},
	}
	for i := range want {
		want[i].Revision = revision(want[i].Answer)
	}
	expect.Same(t, "entries", want, loaded.FAQ.Entries)
	expect.Same(t, "the draft's languages", []string{"en", "it"}, loaded.Drafts[0].Also)
	var ids []string
	for entry := range loaded.FAQ.Each() {
		ids = append(ids, entry.ID)
	}
	expect.Same(t, "ids", []string{"hours", "wifi", "old", "older"}, ids)
	expect.Same(t, "count", 4, loaded.FAQ.Count())
	expect.Same(t, "the fallback in it", "Scriveteci.", loaded.FAQ.FallbackIn("it"))
}

func TestMissingLanguages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, entry, want string }{
		{"the first language", "question: {en: Q?, it: R?}, answer: {pt: A, en: A, it: A}",
			`faq.yaml:3: question has no text in "pt"; the text in "en" is used`},
		{"an answer", "question: {pt: P?, en: Q?, it: R?}, answer: {pt: A, en: A}",
			`faq.yaml:3: the entry "a" has no answer in "it"; the text in "pt" is used`},
		{"both", "question: {pt: P?, en: Q?}, answer: {pt: A, en: A}",
			`faq.yaml:3: the entry "a" has no question and no answer in "it"; the text in "pt" is used`},
		{"one text for all", "question: {pt: P?, en: Q?, it: R?}, answer: A", ""},
	} {
		loaded := mustLoad(t, files{CatalogFile: threeLanguages, FAQFile: "fallback: F\nentries:\n  - {id: a, " + test.entry + "}\n"})
		expect.Same(t, test.name, test.want, strings.Join(texts(loaded.Warnings(time.Now())), "\n"))
	}
}

func TestStandIns(t *testing.T) {
	t.Parallel()
	loaded := mustLoad(t, files{CatalogFile: `business:
  {name: Barro, summary: {pt: R, en: S}, languages: [pt, en], payment: {pt: [dinheiro]}, area_served: [{en: Porto}, Gaia]}
services: [{id: s, name: {pt: Nome}, summary: S, description: {en: D}, pricing_band: b}]
pricing_bands: [{id: b, name: N, summary: S, currency: EUR, from: 5, unit: {pt: peça, en: piece}}]
`})
	pt, en := loaded.In("pt"), loaded.In("en")
	expect.Same(t, "name", "Nome", en.Services[0].Name)
	expect.Same(t, "description", "D", pt.Services[0].Description)
	expect.Same(t, "a list", []string{"dinheiro"}, en.Payment)
	expect.Same(t, "an item of a list", []string{"Porto", "Gaia"}, pt.AreaServed)
	expect.Same(t, "notes", []string{
		`catalog.yaml:2: an item of area_served has no text in "pt"; the text in "en" is used`,
		`catalog.yaml:2: payment has no text in "en"; the text in "pt" is used`,
		`catalog.yaml:3: description has no text in "pt"; the text in "en" is used`,
		`catalog.yaml:3: name has no text in "en"; the text in "pt" is used`,
	}, texts(loaded.Warnings(time.Now())))
}

func TestAlternatesByLanguage(t *testing.T) {
	t.Parallel()
	const head = "fallback: F\nentries:\n  - id: a\n    question: {pt: Horas?, en: Hours?}\n"
	for before, added := range map[string]string{
		"": "    alternates:\n      en:\n        - How late?\n",
		"    alternates:\n      pt: [A que horas?]\n":   "      en:\n        - How late?\n",
		"    alternates:\n      en:\n        - Open?\n": "        - How late?\n",
		"    alternates:\n      - Open?\n":              "      - How late?\n", // for all languages
	} {
		before, after := head+before+"    answer: A\n", head+before+added+"    answer: A\n"
		change := NewChange(files{CatalogFile: threeLanguages, FAQFile: before})
		expect.OK(t, change.AddAlternate("a", "en", "How late?"))
		expect.Same(t, "added", written(t, after), textOf(t, change, FAQFile))
		expect.OK(t, change.RemoveAlternate("a", "how late"))
		expect.Same(t, "removed", written(t, before), textOf(t, change, FAQFile))
	}
	change := NewChange(files{CatalogFile: threeLanguages,
		FAQFile: head + "    answer: A\n    alternates: [{pt: Wi-Fi?, en: WIFI!}, {pt: X, en: wifi}, wifi]\n"})
	expect.OK(t, change.RemoveAlternate("a", "WiFi"))
	expect.Same(t, "removed everywhere", written(t, head+"    answer: A\n    alternates: [{pt: X}]\n"), textOf(t, change, FAQFile))
}
