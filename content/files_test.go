package content

import (
	"frontdesk/internal/expect"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

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
