package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// smallContent makes a content folder with a few entries.
func smallContent(t *testing.T) string {
	t.Helper()
	dir := harness.SmallContent(t)
	harness.Edit(t, dir, "faq.yaml", entries("Within 30 days."))
	return dir
}

// entries is a faq.yaml whose first entry has this answer.
func entries(refunds string) string {
	return "fallback: I do not know.\nentries:\n" +
		"  - {id: refunds, question: Do you offer refunds?, answer: " + refunds + "}\n" +
		"  - {id: hours, question: When are you open?, answer: Always.}\n" +
		"  - {id: price, question: How much does it cost?, answer: Nothing.}\n"
}

// Parts of log lines about reloads.
const (
	tookContent    = `"message":"content reloaded"`
	refusedContent = `"message":"content refused: the old content stays live"`
)

// badContents are faults of faq.yaml, and what the log says about them. The tests of package
// content have every other one.
var badContents = []struct {
	name, want string
	spoil      func(path string) error
}{
	{"broken", "faq.yaml:", func(path string) error { return os.WriteFile(path, []byte("entries: ["), 0o600) }},
	{"huge", "larger than", func(path string) error { return os.Truncate(path, 100<<20) }},
	{"gone", "faq.yaml", os.Remove},
}

// TestContentFails spoils the content of a running process. The process notices that by
// itself and at SIGHUP, refuses it with a log line, and serves the old content until the
// folder is mended.
func TestContentFails(t *testing.T) {
	t.Parallel()
	for i, bad := range badContents {
		if !whole && i > 1 {
			continue
		}
		t.Run(bad.name, func(t *testing.T) {
			t.Parallel()
			dir := smallContent(t)
			p := setup{environ: []string{"FRONTDESK_CONTENT=" + dir, withAdmin}}.start(t)
			c := newCaller(t, p.url)
			p.wantReloads(t, 0, 0)
			expect.OK(t, bad.spoil(filepath.Join(dir, "faq.yaml")))
			p.wantReloads(t, 0, 1)
			p.hangUp(t)
			p.wantReloads(t, 0, 2)
			if !strings.Contains(p.log.String(), bad.want) {
				t.Errorf("the log does not say %q:\n%s", bad.want, p.log)
			}
			wantRefunds(t, c, "Within 30 days.")
			c.checkRest(t)
			harness.Edit(t, dir, "faq.yaml", entries("Within 60 days."))
			p.wantReloads(t, 1, 2)
			wantRefunds(t, c, "Within 60 days.")
		})
	}
}

func (p *process) hangUp(t *testing.T) {
	t.Helper()
	expect.OK(t, p.cmd.Process.Signal(syscall.SIGHUP))
}

// wantReloads waits until the log and the metrics have counted so many reloads.
func (p *process) wantReloads(t *testing.T, took, refused int) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d reloads, %d refused", took, refused), func() bool {
		log := p.log.String()
		return strings.Count(log, tookContent) == took && strings.Count(log, refusedContent) == refused
	})
	for result, n := range map[string]int{"reloaded": took, "refused": refused} {
		eventually(t, fmt.Sprintf("the metrics to count %d %s", n, result), func() bool {
			return p.metric(t, `frontdesk_content_reloads_total{result="`+result+`"}`) == fmt.Sprint(n)
		})
	}
}

func wantRefunds(t *testing.T, c *caller, want string) {
	t.Helper()
	if a := answerOf(t, c.ask(harness.Question("Do you offer refunds?"))); a.Answer != want || a.Match != contract.MatchExact {
		t.Errorf("the answer is %+v, want %q", a, want)
	}
}

// TestStartOnBadContent: the start is refused with the file and the line.
func TestStartOnBadContent(t *testing.T) {
	t.Parallel()
	dir := smallContent(t)
	harness.Edit(t, dir, "faq.yaml", entries("Half.")+"  - {id: half, question: Is it")
	out, err := setup{environ: []string{"FRONTDESK_CONTENT=" + dir}}.cmd(t).CombinedOutput()
	if err == nil || !regexp.MustCompile(`faq\.yaml:\d+: `).Match(out) {
		t.Errorf("the start ends with %v:\n%s", err, out)
	}
}
