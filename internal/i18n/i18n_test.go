package i18n

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// verb is a formatting verb; what it prints must be the same in every language.
var verb = regexp.MustCompile(`%(?:\[\d\])?[a-z]`)

func TestNoMessageIsMissing(t *testing.T) {
	t.Parallel()
	expect.Same(t, "languages", []string{"de", "en", "es", "fr", "it", "nl", "pl", "pt"}, Languages())
	english := messagesOf(source, Formal)
	for _, language := range Languages() {
		messages := messagesOf(language, Formal)
		expect.Same(t, "keys of "+language, slices.Sorted(maps.Keys(english)), slices.Sorted(maps.Keys(messages)))
		same := 0
		for key, text := range messages {
			if text == "" {
				t.Errorf("%s: %s is empty", language, key)
			}
			isWordings := strings.HasSuffix(key, ".wordings")
			if n := strings.Count(text, listSign) + 1; isWordings && strings.HasPrefix(key, "fact.") && (n < 8 || n > 15) {
				t.Errorf("%s: %s has %d wordings, not 8 to 15", language, key, n)
			}
			if isWordings || strings.HasSuffix(key, ".others") { // each language has its own
				continue
			}
			checkForms(t, language+": "+key, strings.Split(english[key], "|"), strings.Split(text, "|"))
			if text == english[key] {
				same++
			}
		}
		if language != source && same > len(english)/8 {
			t.Errorf("%s: %d of %d messages are those of English", language, same, len(english))
		}
	}
}

// checkForms checks the forms of a message by those of English. All but the last can leave out arguments: "once". In
// French the form for one is that for none too.
func checkForms(t *testing.T, message string, english, forms []string) {
	t.Helper()
	want := verbs(english[len(english)-1])
	expect.Same(t, message+": arguments", want, verbs(forms[len(forms)-1]))
	isPlural, many := len(english) == 2, len(english) // or items of a list, such as months
	if isPlural && strings.HasPrefix(message, "pl:") {
		many = 3
	}
	expect.Same(t, message+": forms", many, len(forms))
	if !isPlural {
		return
	}
	for _, form := range forms {
		for _, one := range verbs(form) {
			expect.Same(t, message+": has "+one, true, slices.Contains(want, one))
		}
		if strings.HasPrefix(message, "fr:") {
			expect.Same(t, message+": arguments of "+form, want, verbs(form))
		}
	}
}

func verbs(text string) []string {
	found := verb.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

// impersonal are the messages that address the reader in English, but not in a language.
var impersonal = map[string][]string{
	"de": {"ask.about", "problem.wait.title"},
	"es": {"problem.wait.title"},
	"it": {"ask.intro", "sent.title", "field.name", "problem.wait.title"},
	// The imperative is the same in both tones.
	"nl": {"ask.home", "ask.about", "answer.write", "faq.nothing", "contact.about", "contact.trap", "error.email", "problem.wait.text", "problem.ours.text", "mail.reply"},
	// So are buttons and headings.
	"pl": {"ask.home", "ask.label", "ask.intro", "ask.about", "answer.meant", "answer.write", "helpful.bad", "contact.about", "field.name", "field.business",
		"field.email", "field.phone", "field.message", "sent.title", "sent.reference", "problem.wait.title", "mail.reply"},
	"pt": {"helpful.bad", "problem.wait.title"},
}

var asked = regexp.MustCompile(`^fact\..+\.(question|wordings|others)$`)

func publicTexts(language string) map[string]texts {
	public := textsOf(language)
	maps.DeleteFunc(public, func(key string, _ texts) bool { return ownerKey.MatchString(key) || asked.MatchString(key) })
	return public
}

// A message that addresses the reader has a text for each tone, with only the words of that tone. English has one tone.
func TestTones(t *testing.T) {
	t.Parallel()
	formal, informal := map[string]*regexp.Regexp{}, map[string]*regexp.Regexp{}
	for language, forms := range map[string][2]string{
		"de": {`Sie|Ihnen|Ihr\p{L}*`, `[Dd]u|[Dd]ir|[Dd]ich|[Dd]ein\p{L}*`},
		"fr": {`[Vv]ous|[Vv]otre|[Vv]os|\p{L}+[ei]z`, `[Tt]u|[Tt]on|[Tt]a|[Tt]es|t’|te`},
		"es": {`[Ss]us?|[Ll]e|[Dd]íganos|\p{L}+rle|Pregunte|Pulse|Escriba|Deje|Indique|Revise|Espere|Responda|Escríbanos|Pregúntenos|puede localizarnos`, `[Tt]us?|[Tt]e|ayudarte|Pulsa|Escribe|Deja|Indica|Revisa|Espera|Responde|Dinos|Escríbenos|Pregúntanos|Querías`},
		"it": {`Le|Su[aoe]|Lei|\p{L}+rLa|Scriva|Prema|Lasci|Indichi|Controlli|Aspetti|[Rr]iprovi|Risponda|Faccia|Chieda`, `[Tt]u|[Tt]i|[Tt]uo|[Tt]ua|\w*arti|Scrivi|Scrivici|[Pp]remi|Lascia|Indica|Controlla|Aspetta|[Rr]iprova|Rispondi|Fai|Chiedi|Vai|Leggi|Chiudi|Invia|Cerca|Vedi|Prenota|Chiama|Puoi`},
		"nl": {`[Uu]|[Uu]w|alstublieft`, `[Jj]e|[Jj]ij|[Jj]ou|[Jj]ouw|alsjeblieft`},
		"pl": {`Państw\p{L}*|Prosimy|Proszę|prosimy`, `[Cc]i|[Tt]woj\p{L}*|\p{L}+esz|\p{L}+ysz|Podaj|Wpisz|Odczekaj|Spróbuj|[Ss]próbuj|naciśnij`},
		"pt": {`[Ss]eus?|[Ss]ua|Indique|Escreva|Deixe|Carregue|carregue|Espere|[Tt]ente|Responda|Faça|Verifique|Escreva‑nos|Pergunte‑nos`, `[Tt]eu|[Tt]ua|[Tt]u|[Tt]e|Indica|Escreve|Deixa|[Cc]arrega|Espera|[Tt]enta|Responde|Faz|Verifica|Vês|Recebes|\p{L}+este`},
	} {
		formal[language] = regexp.MustCompile(`(?:^|[^\p{L}])(?:` + forms[0] + `)(?:$|[^\p{L}])`)
		informal[language] = regexp.MustCompile(`(?:^|[^\p{L}])(?:` + forms[1] + `)(?:$|[^\p{L}])`)
	}
	english := publicTexts(source)
	addressing := regexp.MustCompile(`(?i)\b(?:you|your|please|press|reply to|leave this)\b|^(?:ask|write)\b.*\b(?:%s|us)\b`)
	for _, language := range Languages() {
		for key, texts := range publicTexts(language) {
			message := language + ": " + key
			switch {
			case language == source:
				expect.Same(t, message+": texts", 1, len(texts))
			case len(texts) == 1:
				if formal[language].MatchString(texts[""]) || informal[language].MatchString(texts[""]) {
					t.Errorf("%s addresses the reader and has only one text: %q", message, texts[""])
				}
				if addressing.MatchString(strings.ReplaceAll(english[key][""], "Thank you", "")) && !slices.Contains(impersonal[language], key) {
					t.Errorf("%s addresses the reader in English, in one text: %q", message, texts[""])
				}
			default:
				expect.Same(t, message+": tones", []string{Formal, Informal}, slices.Sorted(maps.Keys(texts)))
				if texts[Formal] == texts[Informal] || informal[language].MatchString(texts[Formal]) || formal[language].MatchString(texts[Informal]) {
					t.Errorf("%s: %q is not formal, or %q not informal", message, texts[Formal], texts[Informal])
				}
				checkForms(t, message, []string{texts[Formal]}, []string{texts[Informal]})
			}
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, time.December, 24, 0, 0, 0, 0, time.UTC)
	for language, want := range map[string][]string{
		"en": {"€4.80", "€49–1,200", "24 December 2026", "Tue–Fri, Sun",
			"on 1 June 2027", "from 8 to 11 June 2027", "8–11 June 2027", "8 June – 1 July 2027"},
		"de": {"4,80 €", "49–1.200 €", "24. Dezember 2026", "Di.–Fr., So.",
			"am 1. Juni 2027", "vom 8. bis 11. Juni 2027", "8.–11. Juni 2027", "8. Juni – 1. Juli 2027"},
		"fr": {"4,80 €", "49–1 200 €", "24 décembre 2026", "mar.–ven., dim.",
			"le 1er juin 2027", "du 8 au 11 juin 2027", "8–11 juin 2027", "8 juin – 1er juillet 2027"},
		"es": {"4,80 €", "49–1.200 €", "24 de diciembre de 2026", "mar.–vie., dom.",
			"el 1 de junio de 2027", "del 8 al 11 de junio de 2027", "8–11 de junio de 2027", "8 de junio – 1 de julio de 2027"},
		"it": {"4,80 €", "49–1.200 €", "24 dicembre 2026", "mar.–ven., dom.",
			"il 1º giugno 2027", "dall’8 all’11 giugno 2027", "8–11 giugno 2027", "8 giugno – 1º luglio 2027"},
		"nl": {"€ 4,80", "€ 49–1.200", "24 december 2026", "di.–vr., zo.",
			"op 1 juni 2027", "van 8 tot en met 11 juni 2027", "8–11 juni 2027", "8 juni – 1 juli 2027"},
		"pt": {"4,80 €", "49–1.200 €", "24 de dezembro de 2026", "ter.–sex., dom.",
			"no dia 1 de junho de 2027", "de 8 a 11 de junho de 2027", "8–11 de junho de 2027", "8 de junho – 1 de julho de 2027"},
		"pl": {"4,80 €", "49–1 200 €", "24 grudnia 2026", "wt.–pt., niedz.",
			"1 czerwca 2027", "od 8 do 11 czerwca 2027", "8–11 czerwca 2027", "8 czerwca – 1 lipca 2027"},
	} {
		june := func(day int) time.Time { return time.Date(2027, time.June, day, 0, 0, 0, 0, time.UTC) }
		write := func(p *Printer) []string {
			return []string{p.Amount("EUR", "4.80"), p.Price("EUR", "49", "1200"), p.Date(day), p.Days([]int{1, 2, 3, 4, 6}),
				p.On(june(1)), p.FromTo(june(8), june(11)), p.Period(june(8), june(11)), p.Period(june(8), june(31))}
		}
		p := For(language)
		expect.Same(t, language, want, write(p))
		html := write(p.ForHTML()) // that no line ends within an amount is for package site to test
		for i := range html {
			html[i] = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2060–\u2060", "–").Replace(html[i])
		}
		expect.Same(t, language+" for HTML", want, html)
		expect.Same(t, language+": a day", p.Date(june(8)), p.Period(june(8), june(8)))
		year := p.Date(june(8)) + " – " + p.Date(june(8).AddDate(1, 0, 0))
		expect.Same(t, language+": a year", year, p.Period(june(8), june(8).AddDate(1, 0, 0)))
	}
	expect.Holds(t, "French", For("fr").ForHTML().Text("preview.title"), "correct\u00a0?")
	expect.Same(t, "a range in Arabic", "9\u200e\u2060–\u206017", For("ar").ForHTML().Hours("9", "17"))
	for code, want := range map[string]string{"EUR": "EUR € (Europäische Union)", "CHF": "CHF (Schweiz)", "XAF": "XAF", "ANG": "ANG"} {
		expect.Same(t, "the currency "+code, want, For("de").Currency(code))
	}
	expect.Same(t, "the article before otto", "l’8 giugno 2027", For("it").On(time.Date(2027, time.June, 8, 0, 0, 0, 0, time.UTC)))
	for last, and := range map[string]string{"hielo": "y", "Ibiza": "e", "hialurónico": "y", "higos": "e",
		"iPhone Pay": "y", "Salud y Imagen": "y"} {
		expect.Same(t, "and before "+last, "A "+and+" "+last, For("es").Series([]string{"A", last}))
	}
	expect.Same(t, "the next word counts", []string{"dalle 11:00 all’1:00", "das 11h00 à 1h00", "da 0h00 às 11h00"},
		[]string{For("it").Span("11:00", "01:00"), For("pt").Span("11:00", "01:00"), For("pt").Span("00:00", "11:00")})
	expect.Same(t, "a price without an upper end", "from €390", For("en").Price("EUR", "390", ""))
	expect.Same(t, "a price without a range", "€4.80", For("en").Price("EUR", "4.80", "4.8"))
	expect.Same(t, "a range in which one end has cents", "€38.50–72.00", For("en").Price("EUR", "38.50", "72"))
	alike := For("en").AllAlike(map[string][]string{"EUR": {"38.50", "72", ""}, "CHF": {"90"}})
	expect.Same(t, "amounts of a page", []string{"€72.00", "from €5.00", "€5.00–7.50", "free", "CHF 90"},
		[]string{alike.Amount("EUR", "72"), alike.Price("EUR", "5", ""), alike.Price("EUR", "5", "7.50"),
			alike.Price("EUR", "0", "0"), alike.Amount("CHF", "90")})
}

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 questions", 1: "1 question", 2: "2 questions", 1200: "1,200 questions"} {
		expect.Same(t, "a count", want, For("en").Count("owner.questions.count", n))
	}
	expect.Same(t, "a form without the number", "asked once", For("en").Count("owner.question.asked", 1))
	expect.Same(t, "another argument", "1 inquiry with “tea”.", For("en").Count("owner.inquiries.found", 1, "tea"))
}
