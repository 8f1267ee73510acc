package content

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

type brokenCase struct {
	name  string
	files files
	want  []string
}

func runBroken(t *testing.T, cases []brokenCase) {
	t.Helper()
	for _, tc := range cases {
		expect.Same(t, tc.name+": faults", tc.want, faultsOf(t, folder(tc.files)))
	}
}

// entry is a FAQ whose entries are given, from line 3 on.
func entry(lines string) files {
	return files{faqFile: "fallback: Ask a person.\nentries:\n" + lines}
}

// long is a question over the bound of callers' questions.
var long = strings.Repeat("é", contract.MaxQuestion+1)

// brokenEntries are faults of faq.yaml.
var brokenEntries = []brokenCase{
	{"misspelt and unknown keys", entry("  - id: a\n    question: Q?\n    anwser: A\n    colour: red\n"), []string{
		"faq.yaml:3: an entry has no answer (required: id, question, answer)",
		`faq.yaml:5: unknown key "anwser" (did you mean "answer"?)`,
		`faq.yaml:6: unknown key "colour" (known: id, question, answer, alternates, url, review_by, expires, lang, group, draft, prices)`,
	}},
	{"a key twice", entry("  - id: a\n    question: Q?\n    answer: A\n    answer: B\n"), []string{
		`faq.yaml:6: the key "answer" appears twice (first on line 5)`,
	}},
	{"nothing and blanks are not values", entry("  - id:\n    question: ~\n    answer: ' '\n    url: ''\n    alternates: [~, ]\n"), []string{
		"faq.yaml:3: an entry has no id (required: id, question, answer)",
		"faq.yaml:3: an entry has no question (required: id, question, answer)",
		"faq.yaml:5: answer is empty",
		"faq.yaml:6: url is empty",
		"faq.yaml:7: an alternate is empty",
	}},
	{"wrong types", entry("  - id: a\n    question: [Q?]\n    alternates: Another?\n    answer: {text: A}\n  - just text\n"), []string{
		"faq.yaml:4: question must be a text (" + quoteHint + ")",
		`faq.yaml:5: alternates must be a list (write each item on its own line after "- ")`,
		"faq.yaml:6: answer must be a text, or a text for each language (" + quoteHint + ")",
		"faq.yaml:7: an entry must be a group of keys (its keys: id, question, answer, alternates, url, review_by, expires, lang, group, draft, prices)",
	}},
	{"ids", entry("  - {id: Ünder_score, question: Q1?, answer: A}\n  - {id: a, question: Q2?, answer: A}\n  - {id: a, question: Q3?, answer: A}\n"), []string{
		`faq.yaml:3: id "Ünder_score" is not valid (only a-z, 0-9 and the hyphen)`,
		`faq.yaml:5: the id "a" appears twice (first on line 4)`,
	}},
	{"the same question", entry("  - id: a\n    question: Who is it for?\n    alternates: [\"who  is it FOR\", For whom?]\n    answer: A\n" +
		"  - id: b\n    question: Other?\n    alternates:\n      - for whom!\n    answer: A\n"), []string{
		`faq.yaml:5: the question "who is it FOR" appears twice (first on line 4)`,
		`faq.yaml:10: the question "for whom!" appears twice (first on line 5)`,
	}},
	{"questions that cannot be asked", entry("  - id: a\n    question: " + long + "\n    alternates: ['?!']\n    answer: A\n"), []string{
		"faq.yaml:4: question has 301 characters (callers can send at most 300)",
		"faq.yaml:5: an alternate has no word in it",
	}},
	{"addresses and dates", entry("  - id: a\n    question: Q?\n    answer: A\n    url: //evil.example\n    review_by: 2027-02-29\n    expires: soon\n" +
		"  - {id: b, question: P?, answer: A, url: 'javascript:x'}\n  - {id: c, question: R?, answer: A, url: 'https:///x'}\n"), []string{
		`faq.yaml:6: url "//evil.example" is not an address (https://... or a path of this site such as /pricing)`,
		`faq.yaml:7: review_by "2027-02-29" is not a date (year, month and day such as 2027-06-01)`,
		`faq.yaml:8: expires "soon" is not a date (year, month and day such as 2027-06-01)`,
		`faq.yaml:9: url "javascript:x" is not an address (https://... or a path of this site such as /pricing)`,
		`faq.yaml:10: url "https:///x" is not an address (https://... or a path of this site such as /pricing)`,
	}},
	{"control characters by escape", entry("  - {id: a, question: \"Q\\u0007?\", answer: \"A\\rB\", url: \"/a\\nb\"}\n"), []string{
		"faq.yaml:3: url must be one line without control characters",
		`faq.yaml:3: url "/a\nb" is not an address (https://... or a path of this site such as /pricing)`,
		"faq.yaml:3: answer contains the control character U+000D (delete it)",
		"faq.yaml:3: question contains the control character U+0007 (delete it)",
	}},
	{"no entries", files{faqFile: "fallback: F\nentries: []\n"}, []string{
		"faq.yaml:2: entries is empty (it needs at least one item)",
	}},
	{"a precision that is too high", files{faqFile: "precision: 1\nfallback: F\nentries: []\n"}, []string{
		"faq.yaml:1: the precision \"1\" is no share from 0.5 to 0.995 (such as 0.95)",
		"faq.yaml:3: entries is empty (it needs at least one item)",
	}},
	{"a precision in percent", files{faqFile: "precision: 95%\nfallback: F\nentries: []\n"}, []string{
		"faq.yaml:1: the precision \"95%\" is no share from 0.5 to 0.995 (such as 0.95)",
		"faq.yaml:3: entries is empty (it needs at least one item)",
	}},
	{"a precision that is no number", files{faqFile: "precision: .nan\nfallback: F\nentries: []\n"}, []string{
		"faq.yaml:1: the precision \".nan\" is no share from 0.5 to 0.995 (such as 0.95)",
		"faq.yaml:3: entries is empty (it needs at least one item)",
	}},
	{"nothing required", files{faqFile: "entires: []\n"}, []string{
		"faq.yaml:1: unknown key \"entires\" (did you mean \"entries\"?)",
		"faq.yaml:1: the FAQ has no fallback (required: fallback, entries)",
		"faq.yaml:1: the FAQ has no entries (required: fallback, entries)",
	}},
}

func TestBrokenEntries(t *testing.T) {
	t.Parallel()
	runBroken(t, brokenEntries)
}

func TestBrokenCatalog(t *testing.T) {
	t.Parallel()
	service := "services: [{id: s, name: S, summary: S, description: S, pricing_band: b}]\n"
	runBroken(t, []brokenCase{
		{"the top", files{catalogFile: "business: Acme\nservices: []\npricing_bands: {}\nstatements: [[]]\n"}, []string{
			"catalog.yaml:1: the business must be a group of keys (its keys: name, summary, languages, kind, address, phone, email, hours, closed, special_hours, time_zone, coordinates, area_served, payment, profiles, booking, tone)",
			"catalog.yaml:2: services is empty (it needs at least one item)",
			`catalog.yaml:3: pricing_bands must be a list (write each item on its own line after "- ")`,
			"catalog.yaml:4: an item of statements must be a text (" + quoteHint + ")",
		}},
		{"business", files{catalogFile: strings.Replace(goodCatalog, "name: Acme, summary: We make things.", "name: \"A\\nB\", languages: [en, english!]", 1)}, []string{
			"catalog.yaml:1: the business has no summary (required: name, summary)",
			`catalog.yaml:1: "english!" is not a language (a language tag such as en, de or pt-BR)`,
			"catalog.yaml:1: name must be one line without control characters",
		}},
		{"amounts", files{catalogFile: "business: {name: A, summary: A}\n" + service + "pricing_bands:\n" +
			"  - {id: b, name: B, summary: B, currency: euro, from: 20, to: 10, unit: month}\n" +
			"  - {id: c, name: C, summary: C, currency: EUR, from: 10.555, to: '20', unit: month}\n" +
			"  - {id: d, name: D, summary: D, currency: USD, from: -1, to: 0x10, unit: month}\n"}, []string{
			`catalog.yaml:4: currency "euro" is not valid (three capital letters such as EUR)`,
			"catalog.yaml:4: to 10 is less than from 20",
			"catalog.yaml:5: from 10.555 has too many digits after the point (EUR has 2)",
			"catalog.yaml:5: to must be an amount (digits with a point, such as 490 or 4.80, and no currency)",
			"catalog.yaml:6: from must be an amount (digits with a point, such as 490 or 4.80, and no currency)",
			"catalog.yaml:6: to must be an amount (digits with a point, such as 490 or 4.80, and no currency)",
		}},
		{"a band that is not there", files{catalogFile: strings.Replace(goodCatalog, "pricing_band: small", "pricing_band: smal", 1)}, []string{
			`catalog.yaml:3: unknown pricing_band "smal" (did you mean "small"?)`,
		}},
		{"a band far from all", files{catalogFile: strings.Replace(goodCatalog, "pricing_band: small", "pricing_band: enormous", 1)}, []string{
			`catalog.yaml:3: unknown pricing_band "enormous" (known: small)`,
		}},
	})
}

func TestBrokenGolden(t *testing.T) {
	t.Parallel()
	runBroken(t, []brokenCase{
		{"unknown entry", files{goldenFile: "answered:\n  - {q: Open?, id: hour}\n  - {q: Closed?, id: prices}\n"}, []string{
			`golden.yaml:2: faq.yaml has no entry "hour" (did you mean "hours"?)`,
			`golden.yaml:3: faq.yaml has no entry "prices" (known: hours)`,
		}},
		{"both answered and unanswered", files{goldenFile: "answered:\n  - {q: Open?, id: hours}\nunanswered:\n  - open\n"}, []string{
			`golden.yaml:4: the question "open" appears twice (first on line 2)`,
		}},
		{"keys missing", files{goldenFile: "answered: [{q: Open?}, {id: hours}]\nunanswerd: []\n"}, []string{
			"golden.yaml:1: an answered question has no id (required: q, id)",
			"golden.yaml:1: an answered question has no q (required: q, id)",
			`golden.yaml:2: unknown key "unanswerd" (did you mean "unanswered"?)`,
		}},
		{"ids are not checked against a FAQ that cannot be read", files{faqFile: "entries: [", goldenFile: "answered: [{q: Open?, id: nobody}]\n"}, []string{
			"faq.yaml:2: the YAML cannot be read: did not find expected node content (" + quoteHint + ")",
		}},
	})
}

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	runBroken(t, []brokenCase{
		{"empty", files{faqFile: "# nothing yet\n"}, []string{
			"faq.yaml: the file is empty (frontdesk init DIR writes a sample of every file)",
		}},
		{"not YAML", files{faqFile: "fallback: a: b\n"}, []string{
			"faq.yaml:1: the YAML cannot be read: mapping values are not allowed in this context (" + quoteHint + ")",
		}},
		{"a quote that never ends", files{faqFile: "fallback: F\nentries: 'x\n\n"}, []string{
			"faq.yaml:4: the YAML cannot be read: found unexpected end of stream, while scanning a quoted scalar that begins on line 2 (" + quoteHint + ")",
		}},
		{"two documents", files{faqFile: goodFAQ + "---\nfallback: F\n"}, []string{
			"faq.yaml:4: a second YAML document begins here (the file must hold one document: delete the line ---)",
		}},
		{"a broken second document", files{faqFile: goodFAQ + "---\n]\n"}, []string{
			"faq.yaml:5: the YAML cannot be read: did not find expected node content (" + quoteHint + ")",
		}},
		{"anchors, aliases and tags", files{faqFile: "fallback: &f F\nentries:\n  - {id: a, question: !new Q?, answer: *f}\n"}, []string{
			"faq.yaml:1: YAML anchors, aliases and tags are not allowed here (put a text that begins with *, & or ! in quotes)",
			"faq.yaml:3: YAML anchors, aliases and tags are not allowed here (put a text that begins with *, & or ! in quotes)",
		}},
		{"a list where keys belong", files{faqFile: "- a\n", catalogFile: "text\n"}, []string{
			"catalog.yaml:1: the catalog must be a group of keys (its keys: business, services, pricing_bands, statements, brand, requests, trials, content_signal)",
			"faq.yaml:1: the FAQ must be a group of keys (its keys: fallback, entries, precision)",
		}},
		{"bytes that are no text", files{faqFile: goodFAQ + "# \xff\n", catalogFile: "# \x00\n", goldenFile: "#\n# \u2028\n", "pages/a.md": "a\x1b"}, []string{
			"catalog.yaml:1: the invisible character U+0000 is not allowed (delete it)",
			"faq.yaml:4: the text is not UTF-8 (save the file with the encoding UTF-8)",
			"golden.yaml:2: the invisible character U+2028 is not allowed (delete it)",
			"pages/a.md:1: the invisible character U+001B is not allowed (delete it)",
		}},
		{"pages", files{"pages/Home.md": "x", "pages/notes.txt": "x", "pages/more/a.md": "x", "pages/blank.md": " \n", "pages/.hidden": "", "pages/README": "", "pages/mcp.md": "x"}, []string{
			"pages/Home.md: the name is not valid (it becomes an address: only a-z, 0-9 and the hyphen before .md)",
			"pages/blank.md: the page is empty",
			"pages/mcp.md: the name is taken (/mcp is an address of the service itself)",
			"pages/more: a folder in pages must be named after a further language of the business (business.languages: en)",
			"pages/notes.txt: a page is a file whose name ends with .md",
		}},
	})
}

func TestMissingFiles(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"FAQ.yml": &fstest.MapFile{Data: []byte(goodFAQ)}}
	want := []string{
		"catalog.yaml: the file is missing (frontdesk init DIR writes a sample of every file)",
		`faq.yaml: the file is missing (there is "FAQ.yml": rename it)`,
	}
	expect.Same(t, "faults", want, faultsOf(t, fsys))
}

// TestUnreadable compares only the beginning of a fault: the end depends on the file
// system.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		fsys fs.FS
		want string
	}{
		{"no folder", os.DirFS(filepath.Join(t.TempDir(), "nowhere")), ".: the content folder cannot be read: "},
		{"pages is a file", folder(files{"pages": "x"}), "pages: the folder cannot be read: "},
		{"a file is a folder", folder(files{"golden.yaml/a": "x"}), "golden.yaml: the file cannot be read: "},
	} {
		faults := faultsOf(t, tc.fsys)
		if len(faults) != 1 || !strings.HasPrefix(faults[0], tc.want) {
			t.Errorf("%s: faults %q, want one that begins with %q", tc.name, faults, tc.want)
		}
	}
}
