// Package test tests the whole tree: its imports, its documents and their links.
package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

var relativeLink = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)

// TestLinks follows every relative link of the repository's documents. The texts of
// content, discovery and site have links of the site and their own tests.
func TestLinks(t *testing.T) {
	t.Parallel()
	followed := 0
	expect.OK(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := entry.Name(); {
		case entry.IsDir() && slices.Contains([]string{"node_modules", "testdata", ".git"}, name),
			slices.Contains([]string{"content", "internal/discovery", "internal/site"}, path):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, found := range relativeLink.FindAllSubmatch(text, -1) {
			followed++
			target := filepath.Join(filepath.Dir(path), filepath.FromSlash(string(found[1])))
			if _, err := os.Stat(target); err != nil && !strings.HasPrefix(string(found[1]), "/") {
				t.Errorf("%s: the link %s leads nowhere", path, found[1])
			}
		}
		return nil
	}))
	expect.AtLeast(t, "links", 40, followed)
}

// The index of docs/decisions names every page once.
func TestDecisions(t *testing.T) {
	t.Parallel()
	pages := expect.Files(t, os.DirFS("docs/decisions"), "README.md")
	index := expect.Value(os.ReadFile("docs/decisions/README.md"))(t)
	for name, text := range pages {
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		line := "- [" + title + "](" + name + ")\n"
		expect.Same(t, line, 1, strings.Count(string(index), line))
	}
}
