package content

import (
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestAddAlternateRefuses(t *testing.T) {
	t.Parallel()
	change := NewChange(files{})
	expect.Says(t, "an unknown entry", change.AddAlternate("hour", "", "When?"), `did you mean "hours"?`)
	none := NewChange(files{FAQFile: "entries: []\n"})
	expect.Says(t, "no entries", none.AddAlternate("hours", "", "When?"), `no item "hours" in entries`)
	expect.Says(t, "a wording that is not there", change.RemoveAlternate("hours", "How late?"), "no alternate")
}

func textOf(t *testing.T, change *Change, name string) string {
	t.Helper()
	mustLoad(t, change)
	return read(t, change, name)
}

func TestRemoveGolden(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ golden, want string }{
		"an unanswered one":    {"answered: [{q: Why?, id: hours}]\nunanswered:\n  - Hours? # b\n  - How?\n", "answered: [{q: Why?, id: hours}]\nunanswered:\n  - How?\n"},
		"an answered one":      {"answered:\n  - {q: Why?, id: a} # c\n  - {q: Hours?, id: b}\nunanswered: [How?]\n", "answered:\n  - {q: Why?, id: a} # c\nunanswered: [How?]\n"},
		"the last of its list": {"answered: [{q: Why?, id: a}]\nunanswered:\n  - HOURS\n", "answered: [{q: Why?, id: a}]\n"},
		"the only one":         {"unanswered:\n  - Hours?\n", "{}\n"},
		"none":                 {"unanswered: [Sing]\n", "unanswered: [Sing]\n"},
	} {
		edit := NewChange(files{goldenFile: tt.golden})
		expect.OK(t, edit.RemoveGolden("hours?"))
		expect.Same(t, name, written(t, tt.want), read(t, edit, goldenFile))
	}
}

// An item does not go while its golden questions cannot be read.
func TestUnreadableGolden(t *testing.T) {
	t.Parallel()
	edit := NewChange(files{goldenFile: "answered: ["})
	if edit.RemoveItem(CatalogFile, servicesKey, "making") == nil || edit.RemoveGolden("Hours?") == nil || !edit.IsEmpty() {
		t.Errorf("no error, and %q are changed", edit.Files())
	}
}

func TestQuestionKey(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ question, want string }{
		{"  Who IS\u00a0it\n for?! ", "who is it for"},
		{"What’s the “set-up”?", "whats the setup"},
		{"Ｗｈａｔ ﬁts?", "what fits"},
		{"cafe\u0301", "café"},
		{"STRASSE straße", "strasse strasse"},
		{"a\tb\x00 \x0bc", "a b\x00 c"},
		{"C++ or $5?", "c++ or $5"},
		{"On 1.11.? 3–4 1.-3. 3’000 “5”, 6.", "on 1.11 3-4 1.-3 3'000 5 6"},
		{"\u202bمتى\u200f؟ \u200bso\ufeff e\u200b\u0301", "متى so é"},
		{"?! …", ""},
		{"a\xff", "a\ufffd"},
	} {
		got := QuestionKey(tc.question)
		expect.Same(t, tc.question, tc.want, got)
		expect.Same(t, got+": the key of a key", got, QuestionKey(got))
	}
}

func TestClosest(t *testing.T) {
	t.Parallel()
	known := []string{"id", "question", "answer", "url"}
	for word, want := range map[string]string{
		"anwser": "answer", "rul": "url", "Answer": "answer", "questions": "question", "ID": "", "idd": "id",
		"uri": "url", "colour": "", "": "", "review": "",
	} {
		expect.Same(t, word, want, Closest(word, known))
	}
}

func TestNewID(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	for _, tt := range []struct{ text, want string }{
		{"Habt ihr Öffnungszeiten?", "habt-ihr-offnungszeiten"},
		{"Habt ihr Öffnungszeiten!", "habt-ihr-offnungszeiten-2"},
		{"What’s the price?", "whats-the-price"},
		{"Über uns & Straße", "uber-uns-strasse"},
		{"ŁÓDŹ, Ærø", "lodz-aero"},
		{"営業時間は？", "entry-437fe0"},
		{"О нас", "entry-c09b92"},
		{"", "entry"},
		{strings.Repeat("a", 80), strings.Repeat("a", longestNewID)},
	} {
		id := NewID(tt.text, "entry", func(id string) bool { return taken[id] })
		expect.Same(t, tt.text, tt.want, id)
		taken[id] = true
	}
}
