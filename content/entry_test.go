package content

import (
	"testing"

	"frontdesk/internal/expect"
)

func TestAddAlternateRefuses(t *testing.T) {
	t.Parallel()
	const faq = "fallback: F\nentries:\n  - {id: hours, question: When are you open?, answer: Always.}\n  - {id: a, question: A?, answer: A}\n"
	for name, test := range map[string]struct{ faq, entry, question, want string }{
		"an unknown entry":         {faq, "hour", "When?", `did you mean "hours"?`},
		"a wording of its own":     {faq, "hours", "when are you OPEN", "appears twice"},
		"a file that is not right": {"entries: []\n", "hours", "When?", `no item "hours" in entries`},
	} {
		change := NewChange(files{faqFile: test.faq})
		err := change.AddAlternate(test.entry, "", test.question)
		if err == nil {
			_, err = Load(change)
		}
		expect.Says(t, name, err, test.want)
	}
	expect.Says(t, "a wording that is not there", NewChange(files{faqFile: faq}).RemoveAlternate("hours", "How late?"),
		"no alternate")
}

// textOf is a file of a change, whose content is checked.
func textOf(t *testing.T, change *Change, name string) string {
	t.Helper()
	mustLoad(t, change)
	return read(t, change, name)
}

// A question goes from the list that has it, and no other text changes.
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
	if edit.RemoveItem(catalogFile, servicesKey, "making") == nil || edit.RemoveGolden("Hours?") == nil || !edit.IsEmpty() {
		t.Errorf("no error, and %q are changed", edit.Files())
	}
}
