// Package test tests the whole tree: its imports, its documents and their links.
package test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

var relativeLink = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)

// The texts of content, discovery and site have links of the site and their own tests.
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

func TestDecisions(t *testing.T) {
	t.Parallel()
	pages := expect.Files(t, os.DirFS("docs/decisions"), "README.md")
	index := expect.File(t, "docs/decisions/README.md")
	for name, text := range pages {
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		line := "- [" + title + "](" + name + ")\n"
		expect.Same(t, line, 1, strings.Count(index, line))
	}
}

var (
	curlCommand = regexp.MustCompile(`(?m)^    curl (http://localhost:8080\S+)(?: -d '(.*)')?$`)
	goRun       = regexp.MustCompile(`(?m)^    go run \. (catalog|service|ask|contact|health)(.*)$`)
	shellWord   = regexp.MustCompile(`"[^"]*"|\S+`)
)

func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	readme := expect.File(t, "README.md")
	d := harness.Start(t, harness.WithoutMail)
	curls := curlCommand.FindAllStringSubmatch(readme, -1)
	expect.Same(t, "curl commands that can be read", strings.Count(readme, "\n    curl "), len(curls))
	expect.AtLeast(t, "curl commands", 6, len(curls))
	for _, found := range curls {
		method, path := "GET", strings.TrimPrefix(found[1], harness.Base)
		var header []string
		if found[2] != "" {
			method, header = "POST", []string{"Content-Type: application/x-www-form-urlencoded"} // what curl sends with -d
		}
		harness.WantStatus(t, d.Send(t, harness.NewClient(t), method, path, found[2], header...), 200)
	}

	runs := goRun.FindAllStringSubmatch(readme, -1)
	expect.AtLeast(t, "client commands", 4, len(runs))
	for _, found := range runs {
		args := []string{found[1], "--url", d.URL}
		for _, word := range shellWord.FindAllString(found[2], -1) {
			args = append(args, strings.Trim(word, `"`))
		}
		if code, _, stderr := harness.Command(t, args...); code != 0 {
			t.Errorf("%s: exit %d: %s", found[0], code, stderr)
		}
	}
}

// -update rewrites the table.
func TestSelfHostingSettings(t *testing.T) {
	t.Parallel()
	const path, begin, end = "docs/self-hosting.md", "<!-- settings", "<!-- end of settings -->"
	text := expect.File(t, path)
	expect.Holds(t, path, text, begin, end)
	before, rest, _ := strings.Cut(text, begin)
	mark, rest, _ := strings.Cut(rest, "\n")
	_, after, _ := strings.Cut(rest, end)
	var tables strings.Builder
	rows := map[string]string{}
	for _, one := range (config.Settings{}).WithDefaults().Describe() {
		if !strings.HasSuffix(one.Name, config.FileSuffix) {
			unset := one.Default
			if one.Value != "" {
				unset = "`" + one.Value + "`"
			}
			semantic, _, _ := strings.Cut(one.Help, " Default: ")
			rows[one.Group] += fmt.Sprintf("| `%s` | %s | %s |\n", one.Name, semantic, unset)
		}
	}
	for _, group := range config.Groups {
		tables.WriteString("\n### " + group.Title + "\n\n| variable | meaning | default |\n|---|---|---|\n" + rows[group.Key])
	}
	golden.Check(t, path, []byte(before+begin+mark+"\n"+tables.String()+"\n"+end+after))
}

func TestSelfHostingFlags(t *testing.T) {
	t.Parallel()
	_, script, _ := harness.Command(t, "completion", "bash") // which has the flags that help does not list
	for _, setting := range (config.Settings{}).Describe() {
		flag := "--" + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(setting.Name, config.Prefix), "_", "-"))
		if !slices.Contains(strings.Fields(script), flag) {
			t.Errorf("%s is not the flag %s", setting.Name, flag)
		}
	}
}
