package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/test/harness"
)

func manyEntries(t *testing.T, n int) string {
	t.Helper()
	dir := smallContent(t)
	var b strings.Builder
	b.WriteString("fallback: I do not know.\nentries:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {id: e%d, question: How does lesson %d work?, answer: %s}\n", i, i,
			strings.Repeat(fmt.Sprintf("Lesson %d takes an hour and costs some money. ", i), 3))
	}
	harness.Edit(t, dir, "faq.yaml", b.String())
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
			arrived = strings.Contains(text, "selector ready") ||
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
