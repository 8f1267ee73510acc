package deploy_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

// What goes into the image and the packages has a licence of Go and of each module that go list says is linked.
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
