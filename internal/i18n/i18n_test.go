package i18n

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
		if diff := cmp.Diff(slices.Sorted(maps.Keys(english)), slices.Sorted(maps.Keys(messages))); diff != "" {
			t.Errorf("keys of %s (-en +%s):\n%s", language, language, diff)
		}
		same := 0
		for key, text := range messages {
			if text == "" {
				t.Errorf("%s: %s is empty", language, key)
			}
			if diff := cmp.Diff(verbs(english[key]), verbs(text)); diff != "" {
				t.Errorf("%s: arguments of %s (-en +%s):\n%s", language, key, language, diff)
			}
			if text == english[key] {
				same++
			}
		}
		if language != source && same > len(english)/8 {
			t.Errorf("%s: %d of %d messages are those of English", language, same, len(english))
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
		for key, want := range map[string]int{"date.months": 12, "date.days": 7} {
			if got := len(For(language).List(key)); got != want {
				t.Errorf("%s: %s has %d items, want %d", language, key, got, want)
			}
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
		"de-AT": {"4,80 €", "49–1 200 €", "24. Dezember 2026", "Di.–Fr., So."},
		"ja":    {"€4.80", "€49–1,200", "24 December 2026", "Tue–Fri, Sun"},
	} {
		p := For(language)
		got := []string{p.Amount("EUR", "4.80"), p.Range("EUR", "49", "1200"), p.Date(day), p.Days([]int{1, 2, 3, 4, 6})}
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], noBreak, " ")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", language, diff)
		}
	}
	if got := For("en").Range("EUR", "38.50", "72"); got != "€38.50–72.00" {
		t.Errorf("a range in which one end has cents is %q", got)
	}
	if got := For("en").Amount("CHF", "90"); got != "CHF\u00a090" {
		t.Errorf("an amount with a sign of letters is %q", got)
	}
}
