package content

import (
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
)

func factOf(c *Content, id, language string) string {
	for _, e := range c.FAQ.Entries {
		if e.ID == id && e.Speaks(language) {
			return e.Answer
		}
	}
	return ""
}

func TestHoursInSentences(t *testing.T) {
	t.Parallel()
	say := func(language string, facts contract.Facts) string {
		e := Edition{Facts: facts}
		return e.hoursIn(i18n.For(language), startOf("2026-12-25", time.UTC))
	}
	open := func(hours ...contract.OpeningHours) contract.Facts { return contract.Facts{Hours: hours} }
	week := open(openOn("mon tue wed thu fri", "09:00", "17:30"), openOn("sat", "10:00", "13:00"))
	for language, want := range map[string]string{
		"en": "We are open Monday to Friday 9:00–17:30 and Saturday 10:00–13:00. We are closed on Sunday.",
		"de": "Wir haben Montag bis Freitag von 9:00 bis 17:30 Uhr und Samstag von 10:00 bis 13:00 Uhr geöffnet. " +
			"Am Sonntag haben wir geschlossen.",
		"fr": "Nous sommes ouverts du lundi au vendredi de 9h00 à 17h30 et le samedi de 10h00 à 13h00. " +
			"Nous sommes fermés le dimanche.",
		"es": "Abrimos de lunes a viernes de 9:00 a 17:30 y los sábados de 10:00 a 13:00. Cerramos los domingos.",
		"it": "Siamo aperti dal lunedì al venerdì dalle 9:00 alle 17:30 e il sabato dalle 10:00 alle 13:00. " +
			"Siamo chiusi la domenica.",
		"nl": "Wij zijn van maandag tot en met vrijdag van 9:00 tot 17:30 uur en op zaterdag van 10:00 tot 13:00 uur open. " +
			"Wij zijn op zondag gesloten.",
		"pl": "Mamy otwarte od poniedziałku do piątku w godz. 9:00–17:30 i w sobotę w godz. 10:00–13:00. " +
			"Mamy zamknięte w niedzielę.",
		"pt": "Estamos abertos de segunda a sexta-feira das 9h00 às 17h30 e aos sábados das 10h00 às 13h00. " +
			"Estamos fechados aos domingos.",
	} {
		expect.Same(t, language, want, say(language, week))
	}
	for want, facts := range map[string]contract.Facts{
		"We are open Monday, Tuesday and Thursday 8:00–12:30 and 14:00–18:00; Wednesday and Friday 8:00–13:00. " +
			"We are closed on Saturday and Sunday.": open(openOn("mon tue thu", "08:00", "12:30"),
			openOn("mon tue thu", "14:00", "18:00"), openOn("wed fri", "08:00", "13:00")),
		"We are open Friday and Saturday 18:00–2:00. We are closed on Monday, Tuesday, Wednesday, Thursday and Sunday.": open(
			openOn("fri sat", "18:00", "02:00")),
		"We are open every day around the clock.": open(openOn("mon tue wed thu fri sat sun", "00:00", "24:00")),
		"On 27 March 2027 we are open 9:00–13:00. We are closed from 25 December 2026 to 6 January 2027 and on 1 May 2027.": {
			SpecialHours: []contract.SpecialHours{{Days: daysOf("2027-03-27", "2027-03-27"), Opens: "09:00", Closes: "13:00"}},
			Closed: []contract.Days{daysOf("2027-05-01", "2027-05-01"), daysOf("2026-12-20", "2026-12-24"), // over
				daysOf("2026-12-25", "2027-01-06")},
		},
	} {
		expect.Same(t, want, want, say("en", facts))
	}
	expect.Same(t, "a semicolon in French", "Nous sommes ouverts le lundi de 8h00 à 9h00 et de 14h00 à 15h00 ; le mardi de 8h00 à 9h00. "+
		"Nous sommes fermés le mercredi, le jeudi, le vendredi, le samedi et le dimanche.",
		say("fr", open(openOn("mon tue", "08:00", "09:00"), openOn("mon", "14:00", "15:00"))))
}

// Clocks go forward at the end of these days.
func TestFactsChangeAtMidnight(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{
		{"America/Santiago", "2026-09-05", "2026-09-06 01"},
		{"Africa/Cairo", "2026-04-24", "2026-04-25 00"},
	} {
		zone := expect.Value(time.LoadLocation(tt[0]))(t)
		c := &Content{FAQ: FAQ{Facts: []string{}}} // the catalog changes without facts too
		c.Closed = []contract.Days{daysOf(tt[1], tt[1])}
		c.addFacts(time.Date(2026, 1, 1, 0, 0, 0, 0, zone))
		expect.Same(t, tt[0], tt[2], c.FactsChange.Format("2006-01-02 15"))
	}
}

const twoLanguages = `business:
  name: Studio
  summary: S
  languages: [de, en]
  tone: informal
  address: {street: Weg 1, postal_code: "79100", city: Freiburg, country: DE}
  phone: +49 761 1234
  email: a@example.org
  payment: {de: [bar, Karte, Handy], en: [cash, card, phone]}
  area_served: [Freiburg]
  booking: https://booking.example/studio
services:
  - {id: cut, name: {de: Schnitt, en: Haircut}, summary: S, description: D, pricing_band: cut}
  - {id: talk, name: {de: Beratung, en: Advice}, summary: S, description: D, pricing_band: talk}
  - {id: colour, name: {de: Farbe, en: Colour}, summary: S, description: D, pricing_band: colour, lang: de}
pricing_bands:
  - {id: cut, name: N, summary: S, currency: EUR, from: 25, to: 60, unit: {de: Termin, en: visit}, note: {de: Nur mit Termin, en: By appointment},
     options: [{name: {de: Kurz, en: Short}, price: 25}, {name: {de: Lang, en: Long}, price: 60}]}
  - {id: talk, name: N, summary: S, currency: EUR, from: 0, to: 0, unit: {de: Termin, en: visit}}
  - {id: colour, name: N, summary: S, currency: EUR, from: 70, unit: {de: Termin, en: visit}}
`

// A day that passes must not keep the service from starting.
func TestGoldenQuestionOfPastHours(t *testing.T) {
	t.Parallel()
	const unknown = `golden.yaml:1: faq.yaml has no entry "hours" (known: why)`
	for facts, want := range map[string][]string{"": nil, "facts: [hours]": nil, "facts: off": {unknown}, "facts: [phone]": {unknown}} {
		for hours, want := range map[string][]string{"special_hours: {2020-05-01: 9:00-17:00}": want, "phone: +49 761 1234": {unknown},
			"closed: [2099-01-01]": {unknown}, "closed: [2020-01-01]": {unknown}} {
			expect.Same(t, facts+" with "+hours, want, faultsOf(t, files{
				CatalogFile: strings.Replace(twoLanguages, "phone: +49 761 1234", hours, 1),
				FAQFile:     facts + "\nfallback: F\nentries: [{id: why, question: Why?, answer: Yes.}]\n",
				goldenFile:  "answered: [{q: Open now?, id: hours}]\n",
			}))
		}
	}
}

func TestFactsOfACatalog(t *testing.T) {
	t.Parallel()
	loaded := mustLoad(t, files{CatalogFile: twoLanguages, goldenFile: "answered: [{q: Kann ich anrufen?, id: phone}]\n"})
	for id, want := range map[string][2]string{
		"address": {"Unsere Adresse ist Weg 1, 79100 Freiburg.", "Our address is Weg 1, 79100 Freiburg."},
		"phone":   {"Unsere Telefonnummer ist +49 761 1234.", "Our phone number is +49 761 1234."},
		"email":   {"Unsere E-Mail-Adresse ist a@example.org.", "Our e-mail address is a@example.org."},
		"payment": {"Diese Zahlungsarten nehmen wir an: bar, Karte und Handy.", "We accept these ways to pay: cash, card and phone."},
		"area":    {"Wir arbeiten in diesem Gebiet: Freiburg.", "We work in this area: Freiburg."},
		"booking": {"Du kannst hier online buchen: https://booking.example/studio", "You can book online here: https://booking.example/studio"},
		"price-cut": {"Der Preis für „Schnitt“ beträgt 25–60 € pro Termin. Im Einzelnen: Kurz 25 € und Lang 60 €. Nur mit Termin.",
			"The price of “Haircut” is €25–60 per visit. In detail: Short €25 and Long €60. By appointment."},
		"price-talk":   {"„Beratung“ ist kostenlos.", "“Advice” is free."},
		"price-colour": {"Der Preis für „Farbe“ beginnt bei 70 € pro Termin.", ""},
	} {
		expect.Same(t, id, want, [2]string{factOf(loaded, id, "de"), factOf(loaded, id, "en")})
	}
	phone := loaded.FAQ.Entry("phone")
	expect.Same(t, "the question", "Wie ist eure Telefonnummer?", phone.Question)
	expect.Same(t, "a fact", Entry{Lang: "de", IsFact: true}, Entry{Lang: phone.Lang, URL: phone.URL, IsFact: phone.IsFact})
	expect.Same(t, "address of a price", "/pricing#cut", loaded.FAQ.Entry("price-cut").URL)
	expect.Same(t, "warnings", 0, len(loaded.Warnings(time.Now())))
}

const (
	germanPhone  = "phone de Unsere Telefonnummer ist +49 761 1234."
	englishPhone = "phone en Our phone number is +49 761 1234."
	dial         = "What do I dial?"
)

func phones(c *Content) (lines []string) {
	for _, e := range c.FAQ.Entries {
		if e.ID != "phone" && e.ID != "mine" {
			continue
		}
		line := e.ID + " " + e.Lang + " " + e.Answer
		if e.IsFact {
			line = "fact " + line
		}
		if slices.Contains(e.Own(), dial) {
			line += " " + dial
		}
		lines = append(lines, line)
	}
	return lines
}

// A live entry replaces a fact in its language, and answers the fact's wordings.
func TestFactsGiveWay(t *testing.T) {
	t.Parallel()
	wordings := map[string][]string{} // of the fact, by language
	for _, e := range mustLoad(t, files{CatalogFile: twoLanguages}).FAQ.Entries {
		if e.ID == "phone" {
			wordings[e.Lang] = append([]string{e.Question}, e.Alternates...)
		}
	}
	const fact, english = "fact " + germanPhone, "fact " + englishPhone
	for name, tt := range map[string]struct {
		entries string
		want    []string
	}{
		"in one language":        {"{id: phone, question: {de: Nummer?}, answer: {de: Ruf an.}}", []string{"phone de Ruf an.", english}},
		"in both":                {"{id: phone, question: {de: Nummer?, en: Number?}, answer: {de: Ruf an., en: Ring.}}", []string{"phone de Ruf an.", "phone en Ring."}},
		"in the second language": {"{id: phone, lang: en, question: Number?, answer: Ring.}", []string{"phone en Ring.", fact}},
		"only in the second":     {"{id: phone, question: {en: Number?}, answer: {en: Ring.}}", []string{"phone en Ring.", fact}},
		"with wordings":          {"{id: phone, question: Nummer?, answer: Ruf an., alternates: [Telefonnummer]}", []string{"phone de Ruf an.", english}},
		"not to a draft":         {"{id: phone, question: Nummer?, answer: Ruf an., draft: true}", []string{fact, english}},
		"not to an expired entry": {"{id: phone, question: Nummer?, answer: Ruf an., expires: 2020-01-01}",
			[]string{fact, english, "phone de Ruf an."}},
		"another id": {"{id: mine, question: Nummer?, answer: Ruf an.}", []string{"mine de Ruf an.", fact, english}},
	} {
		loaded := mustLoad(t, files{CatalogFile: twoLanguages,
			FAQFile: "fallback: F\nentries:\n  - " + tt.entries + "\n  - {id: other, question: Q?, answer: A}\n"})
		expect.Same(t, name+": entries", tt.want, phones(loaded))
		expect.Lacks(t, name+": warnings", strings.Join(texts(loaded.Warnings(time.Now())), "\n"), "is used")
		for _, e := range loaded.FAQ.Entries {
			if e.ID != "phone" {
				continue
			}
			expect.Same(t, name+": further languages", 0, len(e.Also))
			if !e.IsFact && e.Live(time.Now()) {
				inherited := slices.DeleteFunc(slices.Clone(wordings[e.Lang]), func(text string) bool { return slices.Contains(e.Own(), text) })
				expect.Same(t, name+": inherited in "+e.Lang, inherited, e.Alternates[len(e.Own()):])
			}
		}
	}
	taken := mustLoad(t, files{CatalogFile: twoLanguages, FAQFile: "fallback: F\nentries:\n" +
		"  - {id: mine, question: wie ist eure Telefonnummer, alternates: [Can I call you], answer: A}\n"})
	expect.Same(t, "the next wording is the question", "Kann ich Sie anrufen?", taken.FAQ.Entry("phone").Question)
	for _, e := range taken.FAQ.Entries {
		if e.IsFact && slices.Contains(e.Alternates, "Can I call you?") {
			t.Error("a fact has a wording of the owner's")
		}
	}
	two := mustLoad(t, files{CatalogFile: strings.NewReplacer("{de: Beratung, en: Advice}",
		"Schnitt").Replace(twoLanguages)})
	seen := map[string]string{}
	for _, e := range two.FAQ.Entries {
		for _, text := range append([]string{e.Question}, e.Alternates...) {
			if first, again := seen[e.Lang+QuestionKey(text)]; again {
				t.Errorf("%s and %s both have %q", first, e.ID, text)
			}
			seen[e.Lang+QuestionKey(text)] = e.ID
		}
	}
}

func TestWantedFacts(t *testing.T) {
	t.Parallel()
	for facts, want := range map[string][]string{"off": nil, "[phone, price-cut, price-gone]": {"phone", "price-cut"}} {
		loaded := mustLoad(t, files{CatalogFile: twoLanguages, FAQFile: goodFAQ + "facts: " + facts + "\n"})
		var ids []string
		for e := range loaded.FAQ.Each() {
			if e.IsFact {
				ids = append(ids, e.ID)
			}
		}
		expect.Same(t, facts, want, ids)
	}
	for facts, want := range map[string]string{"[price-old]": "facts: [price-old, price-new]\n", "[phone]": "", "[price-new]": "", "off": ""} {
		change := NewChange(files{FAQFile: goodFAQ + "facts: " + facts + "\n"})
		expect.OK(t, change.WantPrice("new"))
		expect.Same(t, facts+" with a new service", want == "", change.IsEmpty())
		expect.Holds(t, facts+" with a new service", change.Diff(), want)
	}
	foreign := strings.NewReplacer("languages: [de, en]", "languages: [cy, de]", "en:", "cy:").Replace(twoLanguages)
	for _, e := range mustLoad(t, files{CatalogFile: foreign}).FAQ.Entries {
		if e.IsFact && e.Lang != "de" {
			t.Errorf("%s is in %s", e.ID, e.Lang)
		}
	}
}

func TestSaysValues(t *testing.T) {
	t.Parallel()
	for want, rows := range map[bool][][2]string{
		true: {
			{"Tuesday from 6:30 to 18:00", "06:30"}, {"von 6.30 bis 18 Uhr", "18:00"}, {"de 6h30 à 18h", "18:00"},
			{"open until 6 p.m.", "18:00"}, {"open until 6:30pm", "18:30"}, {"von 9 bis 17 Uhr", "09:00"},
			{"Mo–Fr: 9–17:30", "09:00"}, {"dalle 9 alle 17", "17:00"}, {"das 9 às 17, od 8 do 16", "16:00"},
			{"de 9 à 17 heures", "09:00"}, {"Abrimos a las 9.", "09:00"}, {"Weekdays 9–5", "17:00"},
			{"9 to 5.30 on Tuesday", "17:30"},
		},
		false: {
			{"we have 18 seats", "18:00"}, {"at 16:30", "06:30"}, {"Open 6:30–18:30", "18:00"},
			{"um 9:15 Uhr, von 9 bis 18.30", "18:00"}, {"9–17 €, $ 9–17, 2026-09-17, 9-17 %, album 9", "09:00"},
		},
	} {
		for _, tt := range rows {
			expect.Same(t, tt[0]+" "+tt[1], want, SaysClock(tt[0], tt[1]))
		}
	}
	const phone = "+49 761 1234567"
	expect.Same(t, "a phone number", []bool{true, false},
		[]bool{SaysPhone("Call 0761 / 123-4567 any day", phone), SaysPhone("Call 0761 / 123-9999", phone)})
}

func TestOwnFact(t *testing.T) {
	t.Parallel()
	own := func(change *Change, loaded *Content, language, wording string) []string {
		expect.OK(t, change.OwnFact(loaded, "phone", language), change.AddAlternate("phone", language, wording))
		return phones(mustLoad(t, change))
	}
	at := files{CatalogFile: twoLanguages}
	owned := []string{germanPhone, englishPhone + " " + dial}
	expect.Same(t, "in both languages", owned, own(NewChange(at), mustLoad(t, at), "en", dial))
	// The fact stays in the language where the owner has no entry.
	for _, texts := range []string{"question: Nummer?, answer: Ruf an.", "question: {de: Nummer?}, answer: {de: Ruf an.}",
		"lang: de, question: Nummer?, answer: Ruf an., alternates: [Tel?]"} {
		at := files{CatalogFile: twoLanguages, FAQFile: "fallback: F\nentries:\n  - {id: phone, " + texts + "}\n"}
		loaded, change := mustLoad(t, at), NewChange(at)
		owned[0] = "phone de Ruf an."
		expect.Same(t, texts, []string{owned[0], "fact " + englishPhone}, own(change, loaded, "de", "Wen rufe ich an?"))
		expect.Same(t, texts, owned, own(change, loaded, "en", dial))
	}
	for _, unused := range []string{"draft: true", "lang: en, expires: 2020-01-02"} {
		at[FAQFile] = "fallback: F\nentries:\n  - {id: phone, question: Q?, answer: A, " + unused + "}\n"
		expect.Error(t, unused, NewChange(at).OwnFact(mustLoad(t, at), "phone", "de"), ErrUnused)
	}
	at[FAQFile] = "fallback: F\nentries:\n  - {id: phone, lang: en, question: Number?, answer: Ring.}\n"
	expect.Same(t, "beside the second language", []string{germanPhone, "phone en Ring."},
		own(NewChange(at), mustLoad(t, at), "de", "Nummer?"))
}

func TestPriceOfAService(t *testing.T) {
	t.Parallel()
	const business = "business: {name: A, summary: A}\n"
	service := func(id, price string) string {
		return "  - {id: " + id + ", name: " + id + ", summary: S, description: D, price: " + price + "}\n"
	}
	loaded := mustLoad(t, files{CatalogFile: business + "currency: EUR\nservices:\n" + service("talk", "free") +
		service("cut", "55") + service("colour", "{from: 25, to: 60, unit: visit, note: By appointment, options: [{name: Short, price: 25}]}")})
	expect.Same(t, "bands", []contract.PricingBand{
		{ID: "talk", Name: "talk", Summary: "S", Currency: "EUR", From: "0", To: "0"},
		{ID: "cut", Name: "cut", Summary: "S", Currency: "EUR", From: "55", To: "55"},
		{ID: "colour", Name: "colour", Summary: "S", Currency: "EUR", From: "25", To: "60", Unit: "visit", Note: "By appointment",
			Options: []contract.PriceOption{{Name: "Short", Price: "25", Unit: "visit"}}},
	}, loaded.Bands)
	expect.Same(t, "the band of a service", "cut", loaded.Services[1].PricingBand)
	expect.Same(t, "free", "“talk” is free.", factOf(loaded, "price-talk", ""))
	expect.Same(t, "fixed", "The price of “cut” is €55.", factOf(loaded, "price-cut", ""))
	expect.Same(t, "warnings", 0, len(loaded.Warnings(time.Now())))
	for catalog, want := range map[string]string{
		"services:\n" + service("cut", "55"): "catalog.yaml:3: the catalog has no currency for the price",
		"currency: EUR\nservices:\n" + service("cut", "55") + "pricing_bands:\n  - {id: cut, name: N, summary: S, currency: EUR, from: 1, unit: U}\n": `catalog.yaml:6: the pricing band "cut" has the id of a service that holds its price itself`,
		"currency: EUR\nservices:\n" + service("cut", "55, pricing_band: b"):                                                                          "the service has price and pricing_band (delete one of them)",
	} {
		expect.Says(t, catalog, expect.ErrorOf(Load(files{CatalogFile: business + catalog})), want)
	}
}
