package content

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/expect"
)

// textOf is a file of a change, whose content is checked.
func textOf(t *testing.T, change *Change, name string) string {
	t.Helper()
	text := expect.Value(fs.ReadFile(change, name))(t)
	mustLoad(t, change)
	return string(text)
}

func TestRemoveAlternate(t *testing.T) {
	t.Parallel()
	const head, tail = "fallback: Write to us.\nentries:\n", "  - {id: z, question: Z?, answer: Z}\n"
	for name, tt := range map[string]struct {
		entry, want string // without head and tail; want is empty where it has to be done by hand
	}{
		"of two lines": {
			"  - id: a\n    question: When?\n    alternates:\n      - \"How\n        late?\"\n      - What time?\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    alternates:\n      - What time?\n    answer: Now.\n"},
		"first in brackets": {
			"  - id: a\n    question: When?\n    alternates: [\"How late?\", What time?]\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    alternates: [What time?]\n    answer: Now.\n"},
		"of two lines in brackets": {
			"  - id: a\n    question: When?\n    alternates: [\n      How\n      late?, What time?]\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    alternates: [\n      What time?]\n    answer: Now.\n"},
		"below its dash": {"  - id: a\n    question: When?\n    alternates:\n      - # soon\n        How late?\n      - B\n    answer: Now.\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			edit := NewChange(folder(files{faqFile: head + tt.entry + tail}))
			err := edit.RemoveAlternate("a", "How late?")
			if tt.want == "" {
				expect.Error(t, "removing", err, ErrByHand)
				return
			}
			expect.OK(t, err)
			if diff := cmp.Diff(head+tt.want+tail, textOf(t, edit, faqFile)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	err := NewChange(folder(files{faqFile: head + tail})).RemoveAlternate("z", "How late?")
	if err == nil || !strings.Contains(err.Error(), "no alternate") {
		t.Errorf("an alternate that is not there: %v", err)
	}
}

func TestAddUnanswered(t *testing.T) {
	t.Parallel()
	const answered = "answered:\n  - {q: When?, id: a}\n"
	for name, tt := range map[string]struct{ golden, want string }{
		"no file":             {"", "unanswered:\n  - Do you sing?\n"},
		"no list":             {answered, answered + "unanswered:\n  - Do you sing?\n"},
		"no line end":         {strings.TrimSpace(answered), answered + "unanswered:\n  - Do you sing?\n"},
		"windows line ends":   {"unanswered:\r\n  - Do you fly?\r\n", "unanswered:\r\n  - Do you fly?\r\n  - Do you sing?\r\n"},
		"it is there":         {"unanswered:\n  - do you SING\n", "twice"},
		"it must be answered": {"answered:\n  - {q: do you sing, id: a}\n", "twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := files{faqFile: "fallback: Write to us.\nentries:\n  - {id: a, question: When?, answer: A}\n"}
			if tt.golden != "" {
				all[goldenFile] = tt.golden
			}
			edit := NewChange(folder(all))
			err := edit.AddUnanswered(" Do\u202e you\u200b sing?")
			if tt.want == "twice" {
				err = expect.ErrorOf(Load(edit))
				if _, isFaults := errors.AsType[Faults](err); !isFaults {
					t.Errorf("error = %v, want faults", err)
				}
				return
			}
			expect.OK(t, err)
			if diff := cmp.Diff(tt.want, textOf(t, edit, goldenFile)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRemoveGolden: a question goes from the list that has it, and no other text changes.
func TestRemoveGolden(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ golden, want string }{
		"an unanswered one":    {"answered: [{q: Why?, id: hours}]\nunanswered:\n  - Hours? # b\n  - How?\n", "answered: [{q: Why?, id: hours}]\nunanswered:\n  - How?\n"},
		"an answered one":      {"answered:\n  - {q: Why?, id: a} # c\n  - {q: Hours?, id: b}\nunanswered: [How?]\n", "answered:\n  - {q: Why?, id: a} # c\nunanswered: [How?]\n"},
		"the last of its list": {"answered: [{q: Why?, id: a}]\nunanswered:\n  - HOURS\n", "answered: [{q: Why?, id: a}]\n"},
		"the only one":         {"unanswered:\n  - Hours?\n", "unanswered: []\n"},
		"none":                 {"unanswered: [How?]\n", "unanswered: [How?]\n"},
	} {
		edit := NewChange(folder(files{goldenFile: tt.golden}))
		expect.OK(t, edit.RemoveGolden("hours?"))
		expect.Same(t, name, tt.want, string(expect.Value(fs.ReadFile(edit, goldenFile))(t)))
	}
}
