package deploy_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestReleaseFiles(t *testing.T) {
	t.Parallel()
	makefile := readFile(t, "Makefile")
	type file struct{ Src string }
	var release struct {
		Archives []struct{ Files []file }
		Nfpms    []struct {
			Contents []file
			Scripts  map[string]string
		}
	}
	expect.OK(t, yaml.Unmarshal([]byte(readFile(t, ".goreleaser.yaml")), &release))
	var names []string
	for _, archive := range release.Archives {
		for _, file := range archive.Files {
			names = append(names, file.Src)
		}
	}
	for _, pkg := range release.Nfpms {
		for _, file := range pkg.Contents {
			names = append(names, file.Src)
		}
		for _, script := range pkg.Scripts {
			names = append(names, script)
		}
	}
	expect.AtLeast(t, "files", 15, len(names))
	for _, name := range names {
		if name == ".release/deploy" {
			continue // git archive writes it
		}
		isWritten := strings.HasPrefix(name, ".release/") && strings.Contains(makefile, name)
		if found := expect.Value(filepath.Glob(name))(t); !isWritten && len(found) == 0 {
			t.Errorf("%s does not exist", name)
		}
	}
}

func TestRelease(t *testing.T) {
	t.Parallel()
	_, out, _ := harness.Command(t, "version")
	version := strings.Fields(out)[1]
	expect.Holds(t, "the changelog", readFile(t, "CHANGELOG.md"), "\n## "+version+"\n")
	expect.Holds(t, "the release", readFile(t, ".goreleaser.yaml"), `"`+version+`-{{ .ShortCommit }}"`)
}

func TestNotices(t *testing.T) {
	t.Parallel()
	notices := string(expect.Value(exec.CommandContext(t.Context(), "deploy/package/notices").Output())(t))
	list := exec.CommandContext(t.Context(), "go", "list", "-deps",
		"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
	linked := slices.Collect(strings.Lines(string(expect.Value(list.Output())(t))))
	slices.Sort(linked)
	linked = slices.Compact(linked)
	expect.AtLeast(t, "modules that are linked", 50, len(linked))
	for _, name := range append(linked, "The Go standard library\n") {
		_, text, found := strings.Cut(notices, "\n"+name+"==")
		text, _, _ = strings.Cut(text, "\n==")
		if !found || !regexp.MustCompile(`(?i)copyright|licen[cs]e`).MatchString(text) {
			t.Errorf("no licence of %s", strings.TrimSpace(name))
		}
	}
	for _, name := range []string{"Dockerfile", "../.goreleaser.yaml", "../Makefile"} {
		expect.Holds(t, name, deployFile(t, name), "THIRD_PARTY_NOTICES")
	}
}
