package content

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/internal/expect"
)

func TestApply(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.Value(Init(dir, ""))(t)
	kept := filepath.Join(t.TempDir(), "kept.yaml")
	faq := filepath.Join(dir, FAQFile)
	expect.OK(t, os.Rename(faq, kept), os.Symlink(kept, faq), os.Chmod(kept, 0o640))
	change := NewChange(os.DirFS(dir))
	expect.OK(t, change.AddAlternate("refunds", "", "Will you pay me back?"))
	before := read(t, os.DirFS(dir), FAQFile)
	expect.Lacks(t, "not applied", before, "pay me back")
	expect.OK(t, change.Apply(t.Context(), dir))
	const last = "      - My invoice from you is wrong. Is it corrected?\n"
	want := strings.Replace(before, last, last+"      - Will you pay me back?\n", 1)
	expect.Same(t, "the file", want, expect.File(t, kept))
	expect.Same(t, "its mode", 0o640, expect.Value(os.Stat(kept))(t).Mode())
	for _, folder := range []string{dir, filepath.Dir(kept)} {
		left, _ := filepath.Glob(filepath.Join(folder, ".*"))
		left = slices.DeleteFunc(left, func(path string) bool { return filepath.Base(path) == lockFile })
		expect.Same(t, "files that are left behind", nil, left, cmpopts.EquateEmpty())
	}
}

// Of changes of the same text one is applied.
func TestApplyAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.Value(Init(dir, ""))(t)
	var changes [8]*Change
	for i := range changes {
		changes[i] = NewChange(os.DirFS(dir))
		expect.OK(t, changes[i].AddAlternate("refunds", "", fmt.Sprintf("Will you pay me back %d times?", i)))
	}
	lock := flock.New(filepath.Join(dir, lockFile))
	expect.OK(t, lock.Lock())
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	expect.Error(t, "while it is locked", changes[0].Apply(soon, dir), context.DeadlineExceeded)
	expect.OK(t, lock.Close())
	results, applied := make(chan error), 0
	for _, change := range changes {
		go func() { results <- change.Apply(t.Context(), dir) }()
	}
	for range changes {
		if err := <-results; err == nil {
			applied++
		} else {
			expect.Error(t, "another change", err, ErrChanged)
		}
	}
	expect.Same(t, "applied", 1, applied)
}

func allOf(t testing.TB, fsys fs.FS) files {
	t.Helper()
	return expect.Files(t, fsys, lockFile)
}

func TestSeveralFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const faq = "fallback: Write to us.\nentries:\n  - id: a\n    question: When?\n    alternates:\n      - How late?\n      - What time?\n    answer: A\n  - id: b\n    question: Why?\n    answer: B"
	catalog := strings.Replace(goodCatalog, "{name: Acme", "{languages: [en, pt-BR], name: Acme", 1)
	expect.OK(t, os.CopyFS(dir, files{CatalogFile: catalog, FAQFile: faq, "pages/old.md": "# Old\r\n\r\n-- of old\n",
		"pages/kept.md": "# Kept\n\n-- a\n", "assets/a.png": picture(t, 1, 1),
		"assets/large.svg": svgBegin + strings.Repeat(" ", maxKept) + "/>"}))
	first := allOf(t, os.DirFS(dir))
	change := NewChange(os.DirFS(dir))
	expect.OK(t,
		change.RemoveAlternate("a", "How late?"), change.AddAlternate("b", "", "How late?"), change.AddUnanswered(" Do\u202e you\u200b sing?"),
		change.Write("pages/new.md", []byte("# New\n")), change.Write("pages/pt-BR/new.md", []byte("# Novo\n")),
		change.Remove("pages/old.md"), change.Remove("assets/large.svg"),
		change.Write("pages/kept.md", []byte("# Kept\n\nb\n")),
		change.Write("assets/a.png", []byte(picture(t, 2, 2))), change.Write("assets/b.svg", []byte(svgBegin+"/>")))
	would, promised, err := LoadWithDigest(change)
	expect.OK(t, err)
	expect.Same(t, "pages", 3, len(would.Pages))
	expect.Same(t, "the folder before", first, allOf(t, os.DirFS(dir)))
	expect.OK(t, change.Apply(t.Context(), dir))
	expect.Error(t, "a second time", change.Apply(t.Context(), dir), ErrChanged)
	loaded, state, err := LoadWithDigest(os.DirFS(dir))
	expect.OK(t, err)
	entries := loaded.FAQ.Entries
	expect.Same(t, "wordings", [][]string{{"What time?"}, {"How late?"}}, [][]string{entries[0].Alternates, entries[1].Alternates})
	expect.Same(t, "unanswered", []GoldenQuestion{{Q: "Do you sing?", Line: 2}}, loaded.Golden.Unanswered)
	expect.Same(t, "the state", promised, state)
	expect.Same(t, "the mode of a new file", newFileMode, expect.Value(os.Stat(filepath.Join(dir, goldenFile)))(t).Mode())
	back := expect.Value(Undo(os.DirFS(dir), ReadEdits(change.Edits().String()), func(digest string) ([]byte, error) {
		return change.Replaced()[digest], nil
	}))(t)
	expect.OK(t, back.Apply(t.Context(), dir))
	expect.Same(t, "the folder after the undo", first, allOf(t, os.DirFS(dir)))
}

func TestNotEditable(t *testing.T) {
	t.Parallel()
	change := NewChange(files{})
	for _, name := range []string{"", ".", "faq.yaml", "../x.md", "pages", "pages/../faq.yaml", "pages/xx/y.md", "pages/.hidden.md", "/pages/a.md", "assets\\a.png", "assets/a\n.png", "README.md"} {
		expect.Error(t, "Write of "+name, change.Write(name, nil), ErrNotEditable)
		expect.Error(t, "Remove of "+name, change.Remove(name), ErrNotEditable)
	}
	expect.Error(t, "Remove of nothing", change.Remove("pages/none.md"), fs.ErrNotExist)
	expect.Same(t, "changed files", 0, len(change.Files()))
}

type step = func(*Change) error

// An undo keeps later changes of other values. If a value was changed again, it names the value and changes nothing.
func TestUndoOfAnEarlierChange(t *testing.T) {
	t.Parallel()
	const faq = "fallback: F\n\nentries:\n  - id: a\n    question: A?\n    answer: one\n\n  # of b\n  - id: b\n    question: B?\n    alternates: [x, y]\n    answer: one # ours\n\n  - id: c\n    question: C?\n    answer: one\n"
	set := func(id, key string, value any) step {
		return func(c *Change) error { return c.Set(FAQFile, Path{entriesKey, id, key}, value) }
	}
	move := func(from, to int) step {
		return func(c *Change) error { return c.Move(FAQFile, Path{entriesKey}, from, to) }
	}
	silent := func(question string) step {
		return func(c *Change) error { return c.AddUnanswered(question) }
	}
	add := func(c *Change) error {
		return c.Insert(FAQFile, Path{entriesKey}, 0, Fields{{"id", "new"}, {"question", "New?"}, {"answer", "new"}})
	}
	remove := func(id string) step {
		return func(c *Change) error { return c.RemoveItem(FAQFile, entriesKey, id) }
	}
	wording := func(text string) step {
		return func(c *Change) error { return c.AddAlternate("b", "", text) }
	}
	two, a := set("b", "answer", "two"), set("a", "answer", "two")
	const answer = "faq.yaml › entries › b › answer"
	for _, tt := range []struct {
		name        string
		edit, later step
		conflict    string // of the values
	}{
		{"another value of the entry", two, set("b", "question", "Bb?"), ""},
		{"the entry is moved", two, move(1, 0), ""},
		{"entries above", remove("b"), add, ""},
		{"the first one", remove("a"), two, ""},
		{"the one before it is gone", remove("c"), remove("b"), ""},
		{"an entry is added", add, two, ""},
		{"a wording is added", wording("z"), wording("w"), ""},
		{"golden.yaml is new", silent("A?"), silent("B?"), ""},
		{"another order", move(2, 0), set("c", "answer", "two"), ""},
		{"another order without one", move(2, 0), remove("b"), ""},
		{"a key is added", set("b", "url", "/x"), two, ""},
		{"the same value", two, set("b", "answer", "three"), answer},
		{"it is back already", two, set("b", "answer", "one"), answer},
		{"the entry is gone", two, remove("b"), answer},
		{"the removed entry is another", remove("b"), func(c *Change) error { return c.Insert(FAQFile, Path{entriesKey}, 0, Fields{{"id", "b"}}) }, "faq.yaml › entries › b"},
		{"the added entry is another", add, set("new", "answer", "newer"), "faq.yaml › entries › new"},
		{"the order is another", move(2, 0), move(1, 2), "faq.yaml › entries"},
		{"one of two values", func(c *Change) error { return errors.Join(a(c), two(c)) }, set("a", "answer", "x"), "faq.yaml › entries › a › answer"},
	} {
		change := NewChange(files{FAQFile: faq})
		expect.OK(t, tt.edit(change))
		edits := ReadEdits(change.Edits().String())
		later := NewChange(change)
		expect.OK(t, tt.later(later))
		want := NewChange(files{FAQFile: faq})
		back, err := Undo(later, edits, nil)
		if tt.conflict != "" {
			names, _, _ := strings.Cut(fmt.Sprint(err), " was changed again since")
			expect.Same(t, tt.name, tt.conflict, names)
			continue
		}
		expect.OK(t, err, tt.later(want))
		for _, file := range want.Files() {
			expect.Same(t, tt.name, read(t, want, file), read(t, back, file))
		}
		for file, state := range edits.Files { // of a large file only the values are known
			state.Text = ""
			edits.Files[file] = state
		}
		expect.Value(Undo(later, edits, nil))(t)
	}
	expect.Error(t, "another folder", expect.ErrorOf(Undo(files{}, ReadEdits(`{"files": {"../x": {}}}`), nil)), ErrBadEdits)
}

func TestNestedKeys(t *testing.T) {
	t.Parallel()
	const before = "business:\n  name: A # ours\n  hours: {mon: 9-5}\nstatements: [x]\n"
	change := NewChange(files{CatalogFile: before})
	logo, street, city := Path{"brand", "logo_alt", "en"}, Path{"business", "address", "street"}, Path{"business",
		"address", "city"}
	expect.OK(t, change.Set(CatalogFile, city, "Leeds"), change.Set(CatalogFile, street, "Long Road 5"),
		change.Set(CatalogFile, logo, "A sun"))
	expect.Same(t, "the values", any(Fields{
		{"business", Fields{{"name", "A"}, {"hours", Fields{{"mon", "9-5"}}}, {"address", Fields{{"street", "Long Road 5"}, {"city", "Leeds"}}}}},
		{"statements", List{"x"}}, {"brand", Fields{{"logo_alt", Fields{{"en", "A sun"}}}}},
	}), expect.Value(change.Get(CatalogFile, nil))(t))
	expect.OK(t, change.Delete(CatalogFile, logo), change.Delete(CatalogFile, street), change.Delete(CatalogFile, city))
	expect.Same(t, "the file", before, read(t, change, CatalogFile))
}

func TestKeyPlace(t *testing.T) {
	t.Parallel()
	change := NewChange(files{CatalogFile: "services:\n  - id: a\n    name: A\n    summary: S\n    booking: https://a.example\n",
		FAQFile: "entries:\n  - id: a\n    answer: A\n"})
	expect.OK(t, change.Set(CatalogFile, Path{servicesKey, "a", "price", "note"}, "N"), change.Set(CatalogFile, Path{servicesKey, "a", "price", "from"}, Plain("1")),
		change.Set(CatalogFile, Path{servicesKey, "a", "description", "en"}, "D"), change.Set(FAQFile, Path{entriesKey, "a", "question"}, "Q?"), change.Set(FAQFile, Path{entriesKey, "a", "lang"}, "en"))
	expect.Same(t, CatalogFile, "services:\n  - id: a\n    name: A\n    summary: S\n    description:\n      en: D\n    price:\n      from: 1\n      note: N\n    booking: https://a.example\n",
		read(t, change, CatalogFile))
	expect.Same(t, FAQFile, "entries:\n  - id: a\n    question: Q?\n    answer: A\n    lang: en\n", read(t, change, FAQFile))
}

// An edit leaves the rest, with every comment, as it was.
func TestEdits(t *testing.T) {
	t.Parallel()
	const name = "x.yaml"
	set := func(c *Change) error { return c.Set(name, Path{"a"}, "y") }
	add := func(c *Change) error { return c.Insert(name, Path{"a"}, atEnd, "- z") }
	remove := func(c *Change) error { return c.Delete(name, Path{"prices"}) }
	lines := func(texts ...string) step {
		return func(c *Change) error { return c.Set(name, Path{"a"}, listOf(texts)) }
	}
	both := lines("card", "bill")
	gone := func(c *Change) error { return c.Delete(name, Path{"a"}) }
	const others = "b: 2026-12-24\nc: .5 kg\nd: [\"2026-02-30\", \"2026-12-24T08\", \"2026-12-24 10\", \".5_0\", \"._1\", \"tRUE\", \".iNF\"]\n"
	for _, tt := range []struct {
		what, before string
		edit         step
		want         string
	}{
		{"a value that reads as the key is another one", "id: prices\nprices: free # ours\nurl: b\n", remove, "id: prices\nurl: b\n"},
		{"a key goes with the comment above it", "# all\n\nid: a\n\n# ours\n# too\nprices: free\n# not\nurl: b\n", remove, "# all\n\nid: a\n# not\nurl: b\n"},
		{"and the first one", "# ours\nprices: free\n# not\nurl: b\n", remove, "# not\nurl: b\n"},
		{"a comment apart stays", "id: a\n# apart\n\nprices: free\nurl: b\n", remove, "id: a\n# apart\n\nurl: b\n"},
		{"another key keeps its comment", "prices: free\nid: b\n# ours\na: x\n", set, "prices: free\nid: b\n# ours\na: y\n"},

		{"lines in brackets", "a: [cash] # ours\nname: A\n", both, "a: [card, bill] # ours\nname: A\n"},
		{"one in quotes", "a: [cash, 'card', pigs]\nname: A\n", both, "a: [card, bill]\nname: A\n"},
		{"lines where there are none", "a: # none\nname: A\n", both, "a: # none\n  - card\n  - bill\nname: A\n"},
		{"a list goes with its last line", "a:\n    - cash # ours\nname: A\n", gone, "name: A\n"},

		{"a plain date's comment", "a:\n  - 2026-01-02 # one\n  - 2026-03-04 # two\n", lines("2026-03-04"), "a:\n  - 2026-03-04 # two\n"},
		{"brackets are written anew", "a: [x,\n  y] # ours\nb: 1\n", add, "a: [x, y, \"- z\"] # ours\nb: 1\n"},
		{"brackets in braces", "{a: [x], b: 'c'}\n", add, "a: [x, \"- z\"]\nb: c\n"},
		{"JSON in lines", "{\"a\":[\"x \\ud83d\\ude00\"],\"b\":1}", add, "{\n  \"a\": [\n    \"x 😀\",\n    \"- z\"\n  ],\n  \"b\": 1\n}\n"},
		{"comments around a list", "a: # all\n  - x\n  # end\nb: # not\n", add, "a: # all\n  - x\n  - \"- z\"\n  # end\nb: # not\n"},

		{"a byte order mark and CRLF", "\ufeffa: x\r\nb: 1\r\n", set, "\ufeffa: y\r\nb: 1\r\n"},
		{"a key that is new in braces", "{b: 1}\n", add, "b: 1\n\na:\n  - \"- z\"\n"},
		{"below its dash", "a:\n  - # soon\n    x\n  - y\n", func(c *Change) error { return c.Delete(name, Path{"a", "x"}) }, "a:\n  - y\n"},
		{"a comment in brackets", "a: [\n  x, # one\n  y]\n", add, "a:\n  - x # one\n  - y\n  - \"- z\"\n"},
		{"a comment in empty brackets", "a: [ # none yet\n  ]\nb: 1\n", both, "a: [card, bill] # none yet\nb: 1\n"},
		{"quotes that only other readers need", others + "a: x\n", set, others + "a: y\n"},
		{"at the top, apart", "# top\n\n{a: 1, b: 2}\n", set, "# top\n\na: y\nb: 2\n"},
		{"within a list", "a:\n  # one\n  - x\n  # two\n  - z\n", set, "# one\n# two\na: y\n"},
		{"between items", "a:\n  - x\n\n  # general\n\n  - y\n", lines("x"), "a:\n  - x\n\n  # general\n"},
		{"worded as another, kept one", "a:\n  # todo\n  x\nb: 1 # todo\n", set, "# todo\na: y\nb: 1 # todo\n"},
	} {
		change := NewChange(files{name: tt.before})
		expect.OK(t, tt.edit(change))
		expect.Same(t, tt.what, tt.want, read(t, change, name))
	}
}
