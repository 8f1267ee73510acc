package firsthour_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

var (
	// A fenced block of docs/first-hour.md: commands, or text of a file.
	tutorialBlock = regexp.MustCompile("(?ms)^```(console|yaml)\n(.*?)^```$")
	shellWord     = regexp.MustCompile(`"[^"]*"|\S+`)
	// A command of such a block, with its output.
	typedCommand = regexp.MustCompile(`(?m)^\$ frontdesk (.*)\n((?:[^$].*\n|\n)*)`)
)

type newcomer struct {
	*harness.Desk
	dir     string // in place of mydesk
	faq     []byte // as init wrote it
	reloads int
}

func TestFirstHour(t *testing.T) {
	expect.SkipInRace(t, "it runs many commands, and the encoder reads the sample")
	t.Parallel()
	page := expect.File(t, "docs/first-hour.md")
	n := &newcomer{dir: filepath.Join(t.TempDir(), "mydesk")}
	typed := 0
	for _, block := range tutorialBlock.FindAllStringSubmatch(page, -1) {
		if block[1] == "yaml" {
			n.write(t, block[2])
			continue
		}
		for _, found := range typedCommand.FindAllStringSubmatch(block[2], -1) {
			n.types(t, found[1], found[2])
			typed++
		}
		n.settle(t, block[2])
	}
	expect.Same(t, "commands that were typed", strings.Count(page, "\n$ "), typed)
	expect.AtLeast(t, "commands", 9, typed)
	n.Announce()
	expect.Holds(t, "the log", strings.ReplaceAll(n.Log.String(), n.dir, "mydesk"), "content of mydesk", "no mail server")
}

func (n *newcomer) types(t *testing.T, line, want string) {
	t.Helper()
	var args []string
	for _, word := range shellWord.FindAllString(line, -1) {
		args = append(args, strings.ReplaceAll(strings.Trim(word, `"`), "mydesk", n.dir))
	}
	switch args[0] {
	case "ask", "contact":
		args = append(args, "--url", n.URL)
	case "check": // whose warnings of overlaps need the encoder
		args = append(args, "--encoder", "on")
	case "questions", "inquiries":
		args = append(args, "--data", n.Settings.Dir())
	}
	_, stdout, stderr := harness.Command(t, args...)
	got := strings.ReplaceAll(stderr+stdout, n.dir, "mydesk")
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", ".+")
	if !regexp.MustCompile(`^` + pattern + `$`).MatchString(strings.TrimSpace(got)) {
		t.Errorf("frontdesk %s prints\n%s\nwant\n%s", line, got, want)
	}
}

// write replaces the last entry of faq.yaml, and waits until the service has read it.
func (n *newcomer) write(t *testing.T, entry string) {
	t.Helper()
	harness.Edit(t, n.dir, "faq.yaml", string(n.faq)+"\n"+entry)
	if strings.Contains(entry, "anwser") {
		n.Log.Wait(t, harness.Refused, 1)
		return
	}
	n.reload(t)
}

func (n *newcomer) reload(t *testing.T) {
	t.Helper()
	n.reloads++
	n.Log.Wait(t, harness.Reloaded, n.reloads)
}

// settle waits for the effects of the commands of a block.
func (n *newcomer) settle(t *testing.T, commands string) {
	t.Helper()
	switch {
	case strings.Contains(commands, "frontdesk init"):
		n.faq = expect.Value(os.ReadFile(filepath.Join(n.dir, "faq.yaml")))(t)
		n.Desk = harness.Start(t, func(s *config.Settings) {
			harness.WithoutMail(s)
			s.Content = n.dir
		})
	case strings.Contains(commands, "questions accept"):
		n.reload(t)
	case strings.Contains(commands, "not written down an answer"):
		expect.Same(t, "questions without an answer", 1, len(n.Kept(t, 1)))
	}
}
