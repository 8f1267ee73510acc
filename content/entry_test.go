package content

import (
	"testing"

	"frontdesk/internal/expect"
)

func TestAddAlternateRefuses(t *testing.T) {
	t.Parallel()
	change := NewChange(files{})
	expect.Says(t, "an unknown entry", change.AddAlternate("hour", "", "When?"), `did you mean "hours"?`)
	none := NewChange(files{faqFile: "entries: []\n"})
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
	if edit.RemoveItem(catalogFile, servicesKey, "making") == nil || edit.RemoveGolden("Hours?") == nil || !edit.IsEmpty() {
		t.Errorf("no error, and %q are changed", edit.Files())
	}
}
