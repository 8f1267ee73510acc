package test

import (
	"regexp"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// A command of the README, indented by four spaces.
var (
	curlCommand = regexp.MustCompile(`(?m)^    curl (http://localhost:8080\S+)(?: -d '(.*)')?$`)
	goRun       = regexp.MustCompile(`(?m)^    go run \. (catalog|service|ask|contact|health)(.*)$`)
	shellWord   = regexp.MustCompile(`"[^"]*"|\S+`)
)

// TestReadmeCommands runs the commands of the README exactly as written.
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
