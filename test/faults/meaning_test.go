package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// manyEntries makes a content folder that the encoder reads for a while.
func manyEntries(t *testing.T, n int) string {
	t.Helper()
	dir := smallContent(t)
	var b strings.Builder
	b.WriteString("fallback: I do not know.\nentries:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {id: e%d, question: How does lesson %d work?, answer: %s}\n", i, i,
			strings.Repeat(fmt.Sprintf("Lesson %d takes an hour and costs some money. ", i), 3))
	}
	write(t, dir, "faq.yaml", b.String())
	return dir
}

// TestStartIsKilled kills a start with new content each time it has saved some of what the encoder has read. The next
// goes on from there, and in the end one arrives. On one processor, and in make faults with 1,000 entries. With
// FRONTDESK_TEST_KILL_EVERY=20s, 1,000 entries have half a processor, and a start is killed after that time, as an
// impatient probe does it.
func TestStartIsKilled(t *testing.T) {
	data, entries := t.TempDir(), sized(20, 1000)
	probe, _ := time.ParseDuration(os.Getenv("FRONTDESK_TEST_KILL_EVERY"))
	var machine quota
	if probe > 0 {
		entries, machine = 1000, quota{memory: 1 << 30, cpu: 50}
	}
	start := setup{dir: data, machine: machine, environ: []string{
		"FRONTDESK_SMTP_URL=file:", "FRONTDESK_ENCODER=on", "GOMAXPROCS=1", "FRONTDESK_CONTENT=" + manyEntries(t, entries),
	}}
	saved := func() int64 {
		info, err := os.Stat(filepath.Join(data, content.VectorsFile))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	kills, arrived, first := 0, false, time.Now()
	for before := saved(); !arrived; before = saved() {
		p := start.launch(t)
		began := time.Now()
		eventually(t, "a start to save more, or to arrive", func() bool {
			text := p.log.String()
			arrived = strings.Contains(text, "the selector answers now") ||
				strings.Contains(text, "frontdesk serves") && !strings.Contains(text, "the encoder reads the content")
			if probe > 0 {
				return arrived || time.Since(began) > probe
			}
			return arrived || saved() > before
		})
		if !arrived {
			p.kill()
			kills++
			continue
		}
		p.stop()
	}
	t.Logf("killed %d times; %d bytes are kept after %v", kills, saved(), time.Since(first).Round(time.Second))
	if whole && kills == 0 {
		t.Error("nothing was saved before the start arrived")
	}
}

// TestFloodOfQuestions asks questions while many networks ask long ones, more than the processors can encode: an answer
// is right or there is none. Words, without the encoder, answer each of them, and three of them wrongly.
func TestFloodOfQuestions(t *testing.T) {
	dir := smallContent(t)
	write(t, dir, "faq.yaml", entries("Within 30 days.")+
		"  - {id: what, question: What do you sell?, alternates: [What kind of shop is this?], answer: We sell bread and cakes that we bake every morning.}\n"+
		"  - {id: deliver, question: Do you deliver?, answer: We deliver bread in the town before eight.}\n")
	p := setup{environ: []string{"FRONTDESK_SMTP_URL=file:", "FRONTDESK_ENCODER=on", "FRONTDESK_CONTENT=" + dir}}.start(t)
	c := newCaller(t, p.url)
	stop := make(chan struct{})
	var flood sync.WaitGroup
	for from := range sized(8, 64) {
		flood.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				letters := fmt.Sprintf("%d %d ", from, n) + strings.Repeat("a b c d e ", 28)
				c.send(http.MethodPost, contract.PathAsk, fmt.Sprintf(`{"q":%q}`, letters),
					"X-Forwarded-For", fmt.Sprintf("172.16.%d.%d", from, n%250)) // a network each
			}
		})
	}
	questions := map[string]string{ // and the entry that answers them, if any
		"what are the opening times": "hours", "do you sell life insurance": "", "do you deliver babies": "", "when are you leaving": "",
	}
	found, times := 0, sized(1, 10)
	for n := range times {
		for q, want := range questions {
			q += strings.Repeat("?", n) // one that was not asked before
			got := c.send(http.MethodPost, contract.PathAsk, fmt.Sprintf(`{"q":%q}`, q))
			var answer contract.Answer
			expect.OK(t, got.err)
			expect.OK(t, json.Unmarshal([]byte(got.body), &answer))
			switch {
			case answer.EntryID != nil && *answer.EntryID != want:
				t.Errorf("%q is answered by %s", q, *answer.EntryID)
			case want == "":
			case answer.EntryID != nil, len(answer.Candidates) > 0 && answer.Candidates[0].EntryID == want:
				found++
			}
		}
	}
	close(stop)
	flood.Wait()
	busy := strings.Count(p.log.String(), `"encoder_skipped":true`)
	t.Logf("%d of %d questions got the right text; %d questions found no processor", found, times, busy)
	if found == 0 {
		t.Error("no question got the right text")
	}
}

// TestCheckIsInterrupted sends what Ctrl-C sends while a check has the encoder read large content: the check ends, and
// what was read so far is kept.
func TestCheckIsInterrupted(t *testing.T) {
	t.Parallel()
	cache, out := filepath.Join(t.TempDir(), content.VectorsFile), newLines()
	cmd := exec.Command(program(t), "check", "--cache", cache, manyEntries(t, 1000))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "FRONTDESK_DATA=" + t.TempDir(), "FRONTDESK_SMTP_URL=file:", "FRONTDESK_ENCODER=on", "GOMAXPROCS=1"}
	cmd.Stderr = out
	p := &process{t: t, cmd: cmd, log: out, ended: make(chan error, 1)}
	p.run()
	eventually(t, "vectors to be saved", func() bool {
		_, err := os.Stat(cache)
		return err == nil
	})
	expect.OK(t, cmd.Process.Signal(os.Interrupt))
	select {
	case err := <-p.ended:
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 || !strings.Contains(out.String(), "canceled") {
			t.Errorf("the check ends with %v:\n%s", err, out)
		}
	case <-time.After(patience):
		t.Fatalf("the check does not end after %v", patience)
	}
}
