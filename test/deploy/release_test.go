package deploy_test

import (
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// Every file that .goreleaser.yaml names is in the tree, or is written by make release-files.
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

// The files of a release name the version that the program has.
func TestRelease(t *testing.T) {
	t.Parallel()
	_, out, _ := harness.Command(t, "version")
	version := strings.Fields(out)[1]
	expect.Holds(t, "the changelog", readFile(t, "CHANGELOG.md"), "\n## "+version+"\n")
	expect.Holds(t, "the release", readFile(t, ".goreleaser.yaml"), `"`+version+`-{{ .ShortCommit }}"`)
}
