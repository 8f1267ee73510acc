package content

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestLoadReadsEverything(t *testing.T) {
	t.Parallel()
	got := mustLoad(t, files{
		CatalogFile: `business: {name: " Acme ", summary: We make things., languages: [en, pt-BR]}
services:
  - id: making
    name: Making
    summary: We make it.
    description: >
      In
      full.
    includes: [One, 2]
    audience: Everybody
    pricing_band: small
pricing_bands:
  - {id: small, name: Small, summary: Little., currency: EUR, from: 0, to: 10, unit: piece, note: Or less.}
statements: [We sell nothing.]
`,
		FAQFile: `fallback: |
  Ask a person.
facts: off
entries:
  - id: hours
    question: " When are
      you open? "
    alternates: [Yes]
    answer: |
      Always.
    url: /a?day=1#top
    review_by: 2027-06-01
    expires: 2027-12-31
`,
		goldenFile:        "answered: [{q: Open now?, id: hours}]\nunanswered:\n  - Why?\n",
		"pages/b.md":      "# B\r\n",
		"pages/a.md":      "\ufeff# A",
		"pages/README.md": "mine",
	})
	want := &Content{
		Edition: Edition{
			Language: "en", Name: "Acme", Summary: "We make things.", Facts: contract.Facts{AreaServed: []string{}, Payment: []string{}},
			Services: []contract.Service{{
				ID: "making", Name: "Making", Summary: "We make it.", Description: "In full.",
				Includes: []string{"One", "2"}, Audience: "Everybody", PricingBand: "small",
			}},
			Bands: []contract.PricingBand{{
				ID: "small", Name: "Small", Summary: "Little.", Currency: "EUR", From: "0", To: "10", Unit: "piece", Note: "Or less.",
			}},
			Statements: []string{"We sell nothing."},
		},
		SiteLanguages: []string{"en", "pt-BR"}, AskBusiness: true, Trials: true, ContentSignal: defaultSignal,
		FAQ: FAQ{Fallback: "Ask a person.", Facts: []string{}, Entries: []Entry{{
			ID: "hours", Question: "When are you open?", Alternates: []string{"Yes"}, Answer: "Always.",
			URL: "/a?day=1#top", Lang: "en", Also: []string{"pt-BR"}, Revision: "7f8369078fc5", Line: 5,
			ReviewBy: time.Date(2027, 6, 1, 0, 0, 0, 0, time.Local),
			Expires:  time.Date(2027, 12, 31, 0, 0, 0, 0, time.Local),
		}}},
		Golden: Golden{
			Answered:   []GoldenQuestion{{Q: "Open now?", ID: "hours", Line: 1}},
			Unanswered: []GoldenQuestion{{Q: "Why?", Line: 3}},
		},
		Pages: []Page{{Name: "a", Markdown: "# A"}, {Name: "b", Markdown: "# B\r\n"}},
	}
	expect.Same(t, "content", want, got, cmpopts.IgnoreFields(Content{}, "FactsChange"),
		cmpopts.IgnoreUnexported(Content{}, Edition{}, Page{}, Brand{}))
	least := mustLoad(t, files{})
	expect.Same(t, "lists, never null", [][]string{{}, {}}, [][]string{least.Statements, least.Services[0].Includes})
}

func TestJSON(t *testing.T) {
	t.Parallel()
	const answer = "Yes 😀 <b>\\ud83d\\ude00</b> \"quoted\"\r\n\tand tabbed\u00e9 / \\"
	indented := expect.Value(json.MarshalIndent(map[string]any{
		"fallback": "None", "entries": []any{map[string]any{"id": "a", "question": "Q?", "answer": answer}},
	}, "", "\t"))(t)
	ascii := `{"fallback":"None","entries":[{"id":"a","question":"Q?","answer":` +
		`"Yes \ud83d\uDE00 <b>\\ud83d\\ude00<\/b> \"quoted\"\r\n\tand tabbed\u00e9 \/ \\"}]}`
	for name, text := range map[string]string{"indented": string(indented), "ASCII only": ascii} {
		loaded := mustLoad(t, files{FAQFile: text})
		expect.Same(t, name+": answer", answer, loaded.FAQ.Entries[0].Answer)
	}
	for _, text := range []string{`\ud83d`, `\u0085`} { // a lone surrogate, and the end of a line in YAML
		expect.AtLeast(t, text, 1, len(faultsOf(t, files{FAQFile: `{"fallback":"` + text + `","entries":[]}`})))
	}
}

func TestAnswersByteForByte(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ yaml, want string }{
		{"1.10", "1.10"},
		{"yes", "yes"}, // which YAML takes for a boolean
		{"|\n      a \t\n       b\t\n", "a \t\n b\t"},
		{"|\n\n      a\n\n      b\n\n", "\na\n\nb"},
		{"|+\n      a\n", "a\n"}, // one line break less
		{"|\r\n      a\r\n      b\r\n", "a\nb"},
		{`"  a\r\n\tb\n"`, "  a\r\n\tb\n"},
		{"|\n      e\u0301 é ﬁ 漢字 👩\u200d💻 \u202eabc\n", "e\u0301 é ﬁ 漢字 👩\u200d💻 \u202eabc"},
	} {
		loaded := mustLoad(t, entry("  - id: a\n    question: Q?\n    answer: "+tc.yaml+"\n"))
		expect.Same(t, tc.yaml, tc.want, loaded.FAQ.Entries[0].Answer)
	}
}

// Kubernetes mounts a ConfigMap as files behind links.
func TestLinkedFolder(t *testing.T) {
	t.Parallel()
	fsys := files{}.folder()
	fsys["..data/pages/a.md"] = &fstest.MapFile{Data: []byte("# A")}
	fsys["pages"] = &fstest.MapFile{Data: []byte("..data/pages"), Mode: fs.ModeSymlink}
	expect.Same(t, "pages behind a link", 1, len(mustLoad(t, fsys).Pages))
}

func stateOf(fsys fs.FS) Digest {
	_, state, _ := LoadWithDigest(fsys) // of bad folders too
	return state
}

func TestState(t *testing.T) {
	t.Parallel()
	without := files{}.folder()
	delete(without, CatalogFile)
	seen := map[Digest]string{}
	for name, fsys := range map[string]fs.FS{
		"good":             files{},
		"other text":       files{FAQFile: strings.Replace(goodFAQ, "Always", "Never", 1)},
		"a comment":        files{FAQFile: goodFAQ + "# later\n"},
		"a page":           files{"pages/a.md": "A"},
		"a page renamed":   files{"pages/b.md": "A"},
		"golden":           files{goldenFile: "unanswered: [Why?]\n"},
		"broken":           files{FAQFile: "entries: ["},
		"no catalog":       without,
		"a page of no use": files{"pages/a.txt": "A"},
		"nothing":          fstest.MapFS{},
	} {
		state := stateOf(fsys)
		if other, ok := seen[state]; ok {
			t.Errorf("%s and %s are one state", name, other)
		}
		seen[state] = name
		expect.Same(t, name+": digits of its revision", revisionDigits, len(state.Revision()))
	}
	expect.Same(t, "the same files", "good", seen[stateOf(files{})])
	expect.Same(t, "the same broken files", "broken", seen[stateOf(files{FAQFile: "entries: ["})])
	expect.Same(t, "a file that is not read", "good", seen[stateOf(files{".faq.yaml.swp": "x"})])
}

func TestBounds(t *testing.T) {
	expect.SkipInRace(t, "it reads files of 16 MiB")
	t.Parallel()
	page := strings.Repeat("x", maxFile)
	for want, fsys := range map[string]fs.FS{
		"faq.yaml: the file is larger than 16 MiB": files{FAQFile: page + "x"}.folder(),
		"pages/d.md: with this file the folder is larger than 64 MiB": files{"pages/a.md": page, "pages/b.md": page,
			"pages/c.md": page, "pages/d.md": page}.folder(),
		"faq.yaml: the file cannot be read: it is not a regular file": fstest.MapFS{CatalogFile: {Data: []byte(goodCatalog)},
			FAQFile: {Mode: fs.ModeNamedPipe}},
		"faq.yaml: the file cannot be read: open faq.yaml: permission denied": denied{files{}},
	} {
		expect.Holds(t, "the faults", "\n"+strings.Join(faultsOf(t, fsys), "\n")+"\n", "\n"+want+"\n")
	}
}

type denied struct{ fs.FS }

func (d denied) Open(name string) (fs.File, error) {
	if name == FAQFile {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EACCES}
	}
	return d.FS.Open(name)
}

func TestKinds(t *testing.T) {
	t.Parallel()
	kinds := Kinds()
	expect.Same(t, "no kind appears twice", slices.Compact(slices.Clone(kinds)), kinds)
}
