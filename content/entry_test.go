package content

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

// additions are files with the expected change as a diff: lines that begin with + are
// added, and so is the text between << and >>.
var additions = map[string]string{
	"a block list": `  # about time
  - id: a # first
    question: When?
    alternates: # ways to ask
      # the usual one
      - At what time?

      - 'How late?'   # seldom
+      - "Is it open: now?"

    # the answer
    answer: |
      Now.

  - {id: b, question: B?, answer: B}
`,
	"no list": `  - id: a
    question: "When
      will it be?"
+    alternates:
+      - "Is it open: now?"
    # soon
    answer: Now.
`,
	"a list of nothing": `  - id: a
    alternates: # none yet
+      - "Is it open: now?"
    question: When?
    answer: Now.
`,
	"nothing in brackets": `  - id: a
    alternates: [<<"Is it open: now?">>] # none yet
    question: When?
    answer: Now.
`,
	"a list in brackets": `  - id: ü
    question: Ü?
    answer: Ü
  - {id: a, question: Wänn?, alternates: ["a [b", c<<, "Is it open: now?">>], answer: Now.}
`,
	"an entry in braces": `  - {id: a, question: When?<<, alternates: ["Is it open: now?"]>>, answer: Now.}
`,
}

// sides returns a file before and after an addition.
func sides(diff string) (before, after string) {
	for line := range strings.Lines(diff) {
		if added, ok := strings.CutPrefix(line, "+"); ok {
			after += added
			continue
		}
		start, rest, _ := strings.Cut(line, "<<")
		part, end, _ := strings.Cut(rest, ">>")
		before += start + end
		after += start + part + end
	}
	return before, after
}

// TestAddAlternate adds to files with different line ends, with and without a byte order
// mark, and removes what was added.
func TestAddAlternate(t *testing.T) {
	t.Parallel()
	const question = "Is it open: now?" // needs quotes
	const head = "fallback: F # said else\nentries:\n"
	for name, diff := range additions {
		before, after := sides(head + strings.ReplaceAll(diff, "ü", "u"))
		for _, end := range []string{"\n", "\r\n"} {
			for _, mark := range []string{"", byteOrderMark} {
				what := fmt.Sprintf("%s, lines ending with %q", name, end)
				was, want := mark+strings.ReplaceAll(before, "\n", end), mark+strings.ReplaceAll(after, "\n", end)
				change := NewChange(folder(files{faqFile: was}))
				expect.OK(t, change.AddAlternate("a", "", question))
				expect.Same(t, what, written(t, want), textOf(t, change, faqFile))
				expect.OK(t, change.RemoveAlternate("a", question))
				if !strings.Contains(name, "nothing") { // such a list goes too
					expect.Same(t, what+", removed", written(t, was), textOf(t, change, faqFile))
				}
			}
		}
	}
}

func TestAddAlternateRefuses(t *testing.T) {
	t.Parallel()
	const faq = "fallback: F\nentries:\n  - {id: hours, question: When are you open?, answer: Always.}\n  - {id: a, question: A?, answer: A}\n"
	for name, test := range map[string]struct{ faq, entry, question, want string }{
		"an unknown entry":         {faq, "hour", "When?", `did you mean "hours"?`},
		"a wording of its own":     {faq, "hours", "when are you OPEN", "appears twice"},
		"a file that is not right": {"entries: []\n", "hours", "When?", `no item "hours" in entries`},
	} {
		change := NewChange(folder(files{faqFile: test.faq}))
		err := change.AddAlternate(test.entry, "", test.question)
		if err == nil {
			_, err = Load(change)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
	}
}

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
		entry, want string // without head and tail
	}{
		"first in brackets": {
			"  - id: a\n    question: When?\n    alternates: [\"How late?\", What time?]\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    alternates: [What time?]\n    answer: Now.\n"},
		"below its dash": {
			"  - id: a\n    question: When?\n    alternates:\n      - # soon\n        How late?\n      - B\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    alternates:\n      - B\n    answer: Now.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			edit := NewChange(folder(files{faqFile: head + tt.entry + tail}))
			err := edit.RemoveAlternate("a", "How late?")
			expect.OK(t, err)
			expect.Same(t, "faq.yaml", written(t, head+tt.want+tail), textOf(t, edit, faqFile))
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
		"no line end":         {strings.TrimSpace(answered), answered + "unanswered:\n  - Do you sing?"},
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
				if _, isFaults := errors.AsType[Diagnostics](err); !isFaults {
					t.Errorf("error = %v, want faults", err)
				}
				return
			}
			expect.OK(t, err)
			expect.Same(t, "golden.yaml", written(t, tt.want), textOf(t, edit, goldenFile))
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
		"the only one":         {"unanswered:\n  - Hours?\n", "{}\n"},
		"none":                 {"unanswered: [Sing]\n", "unanswered: [Sing]\n"},
	} {
		edit := NewChange(folder(files{goldenFile: tt.golden}))
		expect.OK(t, edit.RemoveGolden("hours?"))
		expect.Same(t, name, written(t, tt.want), string(expect.Value(fs.ReadFile(edit, goldenFile))(t)))
	}
}

// TestUnreadableGolden: an item does not go while its golden questions cannot be read.
func TestUnreadableGolden(t *testing.T) {
	t.Parallel()
	edit := NewChange(folder(files{goldenFile: "answered: ["}))
	if edit.RemoveItem(catalogFile, servicesKey, "making") == nil || edit.RemoveGolden("Hours?") == nil || !edit.IsEmpty() {
		t.Errorf("no error, and %q are changed", edit.Files())
	}
}
