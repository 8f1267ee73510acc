package content

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/expect"
)

// textOf is a file of an edit, whose content is checked.
func textOf(t *testing.T, edit *Edit, name string) string {
	t.Helper()
	text := expect.Value(fs.ReadFile(edit, name))(t)
	mustLoad(t, edit)
	return string(text)
}

func TestRemoveAlternate(t *testing.T) {
	t.Parallel()
	const head, tail = "fallback: Write to us.\nentries:\n", "  - {id: z, question: Z?, answer: Z}\n"
	for name, tt := range map[string]struct {
		entry, want string // without head and tail; want is empty where it has to be done by hand
	}{
		"one of a block": {
			"  - id: a # first\n    question: When?\n    alternates:\n      # usual\n      - What time?\n      - 'How late?' # seldom\n    answer: Now.\n",
			"  - id: a # first\n    question: When?\n    alternates:\n      # usual\n      - What time?\n    answer: Now.\n"},
		"the only one of a block": {
			"  - id: a\n    question: When?\n    alternates:\n      - How late?\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    answer: Now.\n"},
		"of two lines": {
			"  - id: a\n    question: When?\n    alternates:\n      - \"How\n        late?\"\n      - What time?\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    alternates:\n      - What time?\n    answer: Now.\n"},
		"first in brackets": {
			"  - id: a\n    question: When?\n    alternates: [\"How late?\", What time?]\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    alternates: [What time?]\n    answer: Now.\n"},
		"last in brackets": {
			"  - id: a\n    question: When?\n    alternates: [What time?, How late?] # both\n    answer: Now.\n",
			"  - id: a\n    question: When?\n    alternates: [What time?] # both\n    answer: Now.\n"},
		"only one in brackets": {
			"  - {id: a, question: When?, alternates: ['How late?'], answer: Now.}\n",
			"  - {id: a, question: When?, alternates: [], answer: Now.}\n"},
		"an alias": {"  - id: a\n    question: When?\n    alternates: [\n      How\n      late?]\n    answer: Now.\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			edit, err := RemoveAlternate(folder(files{faqFile: head + tt.entry + tail}), "a", "How late?")
			if tt.want == "" {
				if !errors.Is(err, ErrByHand) {
					t.Errorf("error = %v, want %v", err, ErrByHand)
				}
				return
			}
			expect.OK(t, err)
			if diff := cmp.Diff(head+tt.want+tail, textOf(t, edit, faqFile)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	_, err := RemoveAlternate(folder(files{faqFile: head + tail}), "z", "How late?")
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
		"a block":             {"unanswered: # no\n- Do you fly? # high\n\n" + answered, "unanswered: # no\n- Do you fly? # high\n- Do you sing?\n\n" + answered},
		"brackets":            {"unanswered: [Do you fly?]\n", "unanswered: [\"Do you sing?\", Do you fly?]\n"},
		"an empty list":       {"unanswered:\n" + answered, "unanswered:\n  - Do you sing?\n" + answered},
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
			edit, err := AddUnanswered(folder(all), " Do\u202e you\u200b sing?")
			if tt.want == "twice" {
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

// TestMoveInTwoEdits makes one edit of another, shows both as diffs and applies them.
func TestMoveInTwoEdits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const faq = "fallback: Write to us.\nentries:\n  - id: a\n    question: When?\n    alternates:\n      - How late?\n      - What time?\n    answer: A\n  - id: b\n    question: Why?\n    answer: B\n"
	all := folder(files{faqFile: faq})
	expect.OK(t, os.CopyFS(dir, all))
	removal, err := RemoveAlternate(os.DirFS(dir), "a", "How late?")
	expect.OK(t, err)
	addition, err := AddAlternate(removal, "b", "How late?")
	expect.OK(t, err)
	golden, err := AddUnanswered(addition, "Do you sing?")
	expect.OK(t, err)
	mustLoad(t, golden)
	wantDiff := "--- faq.yaml\n+++ faq.yaml\n@@ -3,7 +3,6 @@\n   - id: a\n     question: When?\n     alternates:\n-      - How late?\n       - What time?\n     answer: A\n   - id: b\n"
	expect.Same(t, "diff", wantDiff, removal.Diff())
	if want := "--- golden.yaml\n+++ golden.yaml\n@@ -1,0 +1,2 @@\n+unanswered:\n+  - Do you sing?\n"; golden.Diff() != want {
		t.Errorf("diff of a new file:\n%s", golden.Diff())
	}
	expect.OK(t, Apply(t.Context(), dir, removal, addition, golden))
	loaded := mustLoad(t, os.DirFS(dir))
	if len(loaded.FAQ.Entries[0].Alternates) != 1 || len(loaded.FAQ.Entries[1].Alternates) != 1 || len(loaded.Golden.Unanswered) != 1 {
		t.Errorf("applied: %+v %+v", loaded.FAQ.Entries, loaded.Golden)
	}
	for _, edit := range []*Edit{removal, golden} {
		expect.Error(t, edit.Name+" a second time", Apply(t.Context(), dir, edit), ErrChanged)
	}
	if info, err := os.Stat(filepath.Join(dir, goldenFile)); err != nil || info.Mode().Perm() != newFileMode {
		t.Errorf("the new file: %v, %v", info, err)
	}
}
