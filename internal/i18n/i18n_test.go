package i18n

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/expect"
)

// verb is a formatting verb; what it prints must be the same in every language.
var verb = regexp.MustCompile(`%(?:\[\d\])?[a-z]`)

// TestNoMessageIsMissing checks that every language has exactly the messages of English,
// with the same arguments.
func TestNoMessageIsMissing(t *testing.T) {
	t.Parallel()
	want := []string{"de", "en", "es", "fr", "it", "nl", "pl", "pt"}
	if diff := cmp.Diff(want, Languages()); diff != "" {
		t.Fatalf("languages (-want +got):\n%s", diff)
	}
	english := messagesOf(source)
	for _, language := range Languages() {
		messages := messagesOf(language)
		expect.Same(t, "keys of "+language, slices.Sorted(maps.Keys(english)), slices.Sorted(maps.Keys(messages)))
		same := 0
		for key, text := range messages {
			if text == "" {
				t.Errorf("%s: %s is empty", language, key)
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

// checkForms checks the forms of a message, one or those of a plural, by those of English.
// The last form has the same arguments; the others can leave some out: "once". In French
// the form for one is that for none too.
func checkForms(t *testing.T, message string, english, forms []string) {
	t.Helper()
	want := verbs(english[len(english)-1])
	expect.Same(t, message+": arguments", want, verbs(forms[len(forms)-1]))
	if len(english) != 2 {
		return
	}
	many := 2
	if strings.HasPrefix(message, "pl:") {
		many = 3
	}
	expect.Same(t, message+": forms", many, len(forms))
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

// TestLists checks that the lists have an item for each day and month.
func TestLists(t *testing.T) {
	t.Parallel()
	for _, language := range Languages() {
		for key, want := range map[string]int{"date.months": 12, "date.days": 7, "date.weekdays": 7} {
			expect.Same(t, language+": "+key+": items", want, len(For(language).List(key)))
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, time.December, 24, 0, 0, 0, 0, time.UTC)
	for language, want := range map[string][]string{
		"en":    {"€4.80", "€49–1,200", "24 December 2026", "Tue–Fri, Sun"},
		"de":    {"4,80 €", "49–1.200 €", "24. Dezember 2026", "Di.–Fr., So."},
		"fr":    {"4,80 €", "49–1 200 €", "24 décembre 2026", "mar.–ven., dim."},
		"es":    {"4,80 €", "49–1.200 €", "24 de diciembre de 2026", "mar.–vie., dom."},
		"it":    {"4,80 €", "49–1.200 €", "24 dicembre 2026", "mar.–ven., dom."},
		"nl":    {"€ 4,80", "€ 49–1.200", "24 december 2026", "di.–vr., zo."},
		"pt":    {"4,80 €", "49–1.200 €", "24 de dezembro de 2026", "ter.–sex., dom."},
		"pl":    {"4,80 €", "49–1 200 €", "24 grudnia 2026", "wt.–pt., niedz."},
		"de-AT": {"€ 4,80", "€ 49–1 200", "24. Dezember 2026", "Di.–Fr., So."},
		"ja":    {"€4.80", "€49–1,200", "24 December 2026", "Tue–Fri, Sun"},
	} {
		p := For(language)
		got := []string{p.Amount("EUR", "4.80"), p.Range("EUR", "49", "1200"), p.Date(day), p.Days([]int{1, 2, 3, 4, 6})}
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], noBreak, " ")
		}
		expect.Same(t, language, want, got)
	}
	for language, want := range map[string][]string{
		"en": {"on 1 June 2027", "from 8 June 2027 to 11 June 2027"},
		"de": {"am 1. Juni 2027", "vom 8. Juni 2027 bis 11. Juni 2027"},
		"fr": {"le 1er juin 2027", "du 8 juin 2027 au 11 juin 2027"},
		"es": {"el 1 de junio de 2027", "del 8 de junio de 2027 al 11 de junio de 2027"},
		"it": {"il 1º giugno 2027", "dall’8 giugno 2027 all’11 giugno 2027"},
		"nl": {"op 1 juni 2027", "van 8 juni 2027 tot en met 11 juni 2027"},
		"pt": {"em 1 de junho de 2027", "de 8 de junho de 2027 a 11 de junho de 2027"},
		"pl": {"1 czerwca 2027", "od 8 czerwca 2027 do 11 czerwca 2027"},
	} {
		p := For(language)
		june := func(day int) time.Time { return time.Date(2027, time.June, day, 0, 0, 0, 0, time.UTC) }
		expect.Same(t, language, want, []string{p.On(june(1)), p.FromTo(june(8), june(11))})
	}
	expect.Same(t, "the article before otto", "l’8 giugno 2027", For("it").On(time.Date(2027, time.June, 8, 0, 0, 0, 0, time.UTC)))
	expect.Same(t, "a range in which one end has cents", "€38.50–72.00", For("en").Range("EUR", "38.50", "72"))
	expect.Same(t, "an amount with a sign of letters", "CHF\u00a090", For("en").Amount("CHF", "90"))
}

func TestCount(t *testing.T) {
	t.Parallel()
	for language, want := range map[string][]string{
		"en": {"0 questions", "1 question", "2 questions", "1,200 questions"},
	} {
		var got []string
		for _, n := range []int{0, 1, 2, 1200} {
			got = append(got, For(language).Count("owner.questions.count", n))
		}
		expect.Same(t, language, want, got)
	}
	expect.Same(t, "a form without the number", "asked once", For("en").Count("owner.question.asked", 1))
	expect.Same(t, "another argument", "1 inquiry with “tea”.", For("en").Count("owner.inquiries.found", 1, "tea"))
}
