package test

import (
	"frontdesk/internal/expect"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

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
		case entry.IsDir() && (name == "node_modules" || name == "testdata" || name == ".git" || path == "content" || path == "internal/discovery" || path == "internal/site"):
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
	if followed < 40 {
		t.Errorf("%d links were found, want the documents' own", followed)
	}
}

// The index of docs/decisions names every page once.
func TestDecisions(t *testing.T) {
	t.Parallel()
	index := expect.Value(os.ReadFile("docs/decisions/README.md"))(t)
	pages := expect.Value(filepath.Glob("docs/decisions/*.md"))(t)
	for _, page := range pages {
		name := filepath.Base(page)
		if name == "README.md" {
			continue
		}
		text := expect.Value(os.ReadFile(page))(t)
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		if line := "- [" + title + "](" + name + ")\n"; strings.Count(string(index), line) != 1 {
			t.Errorf("the index does not have the line %q once", line)
		}
	}
}
