package faq

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func speaking(t *testing.T, languages, faq string) *content.Content {
	t.Helper()
	return expect.Value(content.Load(fstest.MapFS{
		"catalog.yaml": {Data: []byte(`business: {name: N, summary: S, languages: [` + languages + `]}
services: [{id: s, name: N, summary: S, description: D, pricing_band: b}]
pricing_bands: [{id: b, name: N, summary: S, currency: EUR, from: 5, unit: piece}]
`)},
		"faq.yaml": {Data: []byte(faq)},
	}))(t)
}

// pottery has an entry in three languages, one in two, and one question for all.
const pottery = `fallback: {pt: Escreva-nos e respondemos., en: Write to us., it: Scriveteci e rispondiamo.}
facts: off
entries:
  - id: hours
    question: {pt: Quando está aberta a loja?, en: When is the shop open?, it: Quando è aperto il negozio?}
    alternates: {pt: [A que horas abrem?], en: [What are your opening hours?], it: [Quali sono gli orari?]}
    answer: {pt: Das 10 às 18 horas., en: From ten to six., it: Dalle dieci alle sei.}
  - id: wifi
    question: Wi-Fi?
    answer: {pt: A palavra-passe está no balcão., en: The password is at the counter., it: La password è al banco.}
  - id: kiln
    question: {pt: Cozem peças de outras pessoas no vosso forno?, en: Do you fire pieces of other people in your kiln?}
    answer: {pt: Sim às terças-feiras., en: Yes on Tuesdays.}
`

// The language of the question decides which text answers, and each entry is one, by its id.
func TestOneAnswerInSeveralLanguages(t *testing.T) {
	t.Parallel()
	c := speaking(t, "pt, en, it", pottery)
	answerer := newBook(t, c.FAQ)
	for _, row := range [][3]string{ // a question, the entry and the answer
		{"quando está aberta a loja", "hours", "Das 10 às 18 horas."},
		{"What are your opening hours?", "hours", "From ten to six."},
		{"Quali sono gli orari?", "hours", "Dalle dieci alle sei."},
		{"wi-fi", "wifi", "A palavra-passe está no balcão."},
		{"Cozem peças de outras pessoas no vosso forno", "kiln", "Sim às terças-feiras."},
		{"Scriveteci: rispondiamo, per favore!", "", "Scriveteci e rispondiamo."},
		{"Where can I leave the car, please?", "", "Write to us."},
		{"orari pieces", "", "Scriveteci e rispondiamo."}, // as the first candidate
	} {
		answer := answerer.Ask(t.Context(), row[0])
		_, id, _ := strings.Cut(outcomeOf(answer), " ")
		expect.Same(t, "the answer", row, [3]string{row[0], id, answer.Answer})
	}
	expect.Same(t, "candidates",
		[]string{"Quando è aperto il negozio?", "Cozem peças de outras pessoas no vosso forno?"},
		answerer.Ask(t.Context(), "orari pieces").Suggestions)
	expect.Same(t, "on an English page",
		[]string{"When is the shop open?", "Do you fire pieces of other people in your kiln?"},
		answerer.Ask(InLanguage(t.Context(), "en"), "orari pieces").Suggestions)
	expect.Same(t, "on an Italian page",
		"La password è al banco.", answerer.Ask(InLanguage(t.Context(), "it"), "wi-fi").Answer)
	live := answerer.onlyLanguageOf("Per favore, cuocete anche i pezzi di altre persone?", answerer.live())
	var texts, ids []string
	var all []int
	for i, entry := range c.FAQ.Entries {
		if all = append(all, i); live(i) {
			texts = append(texts, entry.ID+" "+entry.Lang)
		}
	}
	expect.Same(t, "entries, in the first language if they lack that of the question",
		[]string{"hours it", "wifi it", "kiln pt"}, texts)
	for _, candidate := range answerer.fallback("", answerer.unique(all)).Candidates {
		ids = append(ids, candidate.EntryID)
	}
	expect.Same(t, "candidates", []string{"hours", "wifi", "kiln"}, ids)
	expect.Same(t, "a model chooses among", []int{0, 3, 6}, answerer.choosable(nil, answerer.live()))
	expect.Same(t, "the language of a question", "it", Language(c.FAQ, "Quali sono gli orari del negozio?"))
	golden := content.Golden{Answered: []content.GoldenQuestion{{Q: "Quali sono gli orari?", ID: "hours"}}}
	expect.Same(t, "golden questions", 0, len(answerer.CheckGolden(t.Context(), golden)))
	competing, _ := CrossValidate(t.Context(), c.FAQ, func(faq content.FAQ) *Answerer { return newBook(t, faq) })
	expect.Same(t, "an entry does not compete with itself", 0, len(competing))
	c.FAQ.Entries[1].Expires = time.Unix(0, 0)
	expect.Same(t, "of an expired version, a live one", "Quando è aperto il negozio?",
		newBook(t, c.FAQ).Ask(InLanguage(t.Context(), "en"), "orari pieces").Suggestions[0])
}

const welshFAQ = `fallback: {en: Write to us., cy: Ysgrifennwch atom.}
entries:
  - id: hours
    question: {en: When are you open?, cy: Pryd ydych chi ar agor?}
    answer: {en: From nine to five on weekdays., cy: O naw tan bump yn ystod yr wythnos.}
  - id: dogs
    question: {en: Can I bring my dog?, cy: Ga i ddod â fy nghi?}
    answer: {en: Dogs are welcome in the garden., cy: Mae croeso i gŵn yn yr ardd.}
  - id: parking
    question: {en: Where can I park?, cy: Ble galla i barcio?}
    answer: {en: "Behind the house, free of charge.", cy: "Y tu ôl i'r tŷ, yn rhad ac am ddim."}
`

// A question unlike the texts of every language is not taken for the one with the fewest words.
func TestLanguageThatIsNotCertain(t *testing.T) {
	t.Parallel()
	c := speaking(t, "en, cy", welshFAQ)
	for q, want := range map[string]string{
		"do you have vegan cake": "en", "is there wifi": "en", "how much is a cappuccino": "en",
		"can I bring my labrador?": "en", "where is the toilet": "en", "A oes lle i barcio?": "cy",
		"Oes gennych chi gacen fegan?": "cy",
		"kids birthday":                "", "any gluten free options": "", "wifi": "", "Habt ihr veganen Kuchen?": "",
	} {
		expect.Same(t, q, want, Language(c.FAQ, q))
	}
	expect.Same(t, "the fallback",
		"Write to us.", newBook(t, c.FAQ).Ask(t.Context(), "Habt ihr veganen Kuchen?").Answer)
}
