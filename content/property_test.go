package content

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"frontdesk/internal/expect"
)

func listOf(texts []string) (list List) {
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

func fieldsOf(e Entry) Fields {
	fields := Fields{{"id", e.ID}, {"question", e.Question}}
	if len(e.Alternates) > 0 {
		fields = append(fields, Field{"alternates", listOf(e.Alternates)})
	}
	return append(fields, Field{"answer", e.Answer})
}

func (w *anyWriter) entry(id string) Entry {
	e := Entry{ID: id, Question: w.words(false), Answer: w.words(true)}
	for range w.IntN(4) {
		e.Alternates = append(e.Alternates, w.words(false))
	}
	return e
}

func (w *anyWriter) faqOf(entries []Entry) string {
	var list List
	for _, e := range entries {
		list = append(list, fieldsOf(e))
	}
	faq := Fields{{"fallback", "Write to us."}, {"entries", list}}
	if w.chance(4) {
		return JSONOf(nodeOf(faq))
	}
	w.fields(faq, 0, false)
	return w.out.String()
}

// Any change of any content loads, and the reverse change gives the first bytes back.
func TestAnyChange(t *testing.T) {
	expect.SkipInRace(t, "many changes")
	t.Parallel()
	for seed := range uint64(500) {
		if !t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWriter(seed, "|", "|-")
			var entries []Entry
			for i := range 1 + w.IntN(4) {
				entries = append(entries, w.entry(fmt.Sprint("e", i)))
			}
			w.checkAnyChange(t, w.faqOf(entries), entries)
		}) {
			return
		}
	}
}

func (w *anyWriter) checkAnyChange(t *testing.T, text string, entries []Entry) {
	t.Helper()
	t.Log(text)
	base := files{FAQFile: text}
	before, change := mustLoad(t, base), NewChange(base)
	for range 1 + w.IntN(3) {
		at, to := w.IntN(len(entries)), w.IntN(len(entries))
		e, list := &entries[at], Path{entriesKey}
		set := func(key string, value any) error { return change.Set(FAQFile, Path{entriesKey, e.ID, key}, value) }
		kind := w.IntN(8)
		t.Log("kind", kind)
		var err error
		switch {
		case kind == 0:
			e.Answer = w.words(true)
			err = set("answer", e.Answer)
		case kind == 1:
			e.Question = w.words(false)
			err = set("question", e.Question)
		case kind == 2:
			e.Alternates = slices.Clone(e.Alternates)
			w.Shuffle(len(e.Alternates), func(a, b int) { e.Alternates[a], e.Alternates[b] = e.Alternates[b], e.Alternates[a] })
			e.Alternates = append(e.Alternates[min(len(e.Alternates), w.IntN(2)):], w.words(false))
			err = set("alternates", listOf(e.Alternates))
		case kind == 3 && len(e.Alternates) > 0:
			e.Alternates = nil
			err = change.Delete(FAQFile, Path{entriesKey, e.ID, "alternates"})
		case kind == 4:
			e.URL = "/faq"
			err = set("url", e.URL)
		case kind == 5:
			added := w.entry(fmt.Sprint("new", w.IntN(1_000_000)))
			place := w.IntN(len(entries) + 1)
			entries = slices.Insert(entries, place, added)
			err = change.Insert(FAQFile, list, place, fieldsOf(added))
		case kind == 6 && len(entries) > 1:
			err = change.Delete(FAQFile, append(list, e.ID))
			entries = slices.Delete(entries, at, at+1)
		default:
			moved := *e
			entries = slices.Insert(slices.Delete(entries, at, at+1), to, moved)
			err = change.Move(FAQFile, list, at, to)
		}
		expect.OK(t, err)
	}
	t.Log(change.Diff())
	after := mustLoad(t, change)
	var got []Entry
	for _, e := range after.FAQ.Entries {
		if !e.IsFact {
			got = append(got, Entry{ID: e.ID, Question: e.Question, Alternates: e.Alternates, Answer: e.Answer, URL: e.URL})
		}
	}
	for i := range entries {
		entries[i].Alternates = slices.Clip(append([]string(nil), entries[i].Alternates...))
	}
	expect.Same(t, "the entries", entries, got)
	expect.Same(t, "the fallback", before.FAQ.Fallback, after.FAQ.Fallback)
	back := expect.Value(Undo(change, change.Edits(), nil))(t)
	expect.Same(t, "the file after the reverse change", text, read(t, back, FAQFile))
}

// An edit that fails changes nothing.
func FuzzChange(f *testing.F) {
	for _, text := range []string{"How late?", "yes", "- a: b # c", `"`, "'", "null", "[x]", "料金は？", "\U0001F600 a", "a\u2028b", "a\nb", "a\n\n b\n"} {
		f.Add("  - id: hours\n    question: Q?\n    answer: A\n    alternates:\n      - X\n", text)
		f.Add("  - {id: hours, question: Q?, answer: A}\n", text)
		f.Add("  - id: hours\n    question: Q?\n    answer: A\n    alternates:\r    - X\u0085    - Y\n", text)
		f.Add("  - id: hours\n    question: >\n      Q?\n    answer: |+2\n\n      A\n\n    alternates: ['X',\n\"Y\"]\n  - {id: b, question: B, answer: B}\n", text)
	}
	f.Fuzz(func(t *testing.T, entries, text string) {
		whole := "fallback: F\nentries:\n" + entries
		before, err := Load(files{FAQFile: whole})
		if err != nil {
			return
		}
		path := Path{entriesKey, namedParts(nodeAt(nodesOf(t, whole), Path{entriesKey})).names[0]}
		for name, edit := range map[string]func(c *Change) error{
			"set":   func(c *Change) error { return c.Set(FAQFile, append(path, "answer"), text) },
			"lines": func(c *Change) error { return c.Set(FAQFile, append(path, "alternates"), List{text, "Z"}) },
			"add": func(c *Change) error {
				return c.Insert(FAQFile, path[:1], 0, Fields{{"id", "new"}, {"question", text}, {"answer", text}})
			},
			"move":   func(c *Change) error { return c.Move(FAQFile, path[:1], 0, len(before.FAQ.Entries)-1) },
			"delete": func(c *Change) error { return c.Delete(FAQFile, path) },
		} {
			change := NewChange(files{FAQFile: whole})
			if err := edit(change); err != nil {
				if !change.IsEmpty() && name != "lines" {
					t.Fatalf("%s failed with %v and changed the file:\n%s", name, err, change.Diff())
				}
				continue
			}
			back := expect.Value(Undo(change, change.Edits(), nil))(t)
			expect.Same(t, name+" and back", whole, read(t, back, FAQFile))
			if after, err := Load(change); err == nil { // else the gate refuses it
				expect.Same(t, name+": the fallback", before.FAQ.Fallback, after.FAQ.Fallback)
			}
		}
	})
}

func FuzzUndo(f *testing.F) {
	f.Add(`{"values":[{"file":"faq.yaml","path":["a"],"before":"b","after":"c"}],"files":{"faq.yaml":{"text":"a: b"}}}`, "a: c\n")
	f.Add(`{"values":[{"file":"faq.yaml","path":["a"],"order":true,"before":["x"],"after":["y"]}],"files":{"faq.yaml":{}}}`, "a: [y]\n")
	f.Add(`{"values":[{"file":"faq.yaml","path":["a"],"before":null,"after":null}],"files":{"faq.yaml":{}}}`, "b: c\n")
	f.Add(`{"files":{"assets/a.png":{"was":"none","is":"00"}}}`, "")
	f.Fuzz(func(t *testing.T, edits, faq string) {
		change, err := Undo(files{FAQFile: faq}, ReadEdits(edits), func(string) ([]byte, error) { return nil, fs.ErrNotExist })
		if err == nil {
			for _, e := range change.edits {
				if !slices.Contains(yamlFiles, e.name) && checkEditable(e.name) != nil {
					t.Fatalf("%q would be changed", e.name)
				}
			}
		}
	})
}
