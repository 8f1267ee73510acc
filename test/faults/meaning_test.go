package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

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
// goes on from there, and in the end one arrives. On one processor, and in make faults with 1,000 entries.
func TestStartIsKilled(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	start := setup{dir: data, environ: []string{
		"FRONTDESK_SMTP_URL=file:", "FRONTDESK_ENCODER=on", "GOMAXPROCS=1",
		"FRONTDESK_CONTENT=" + manyEntries(t, sized(20, 1000)),
	}}
	saved := func() int64 {
		info, err := os.Stat(filepath.Join(data, content.VectorsFile))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	kills, arrived := 0, false
	for before := saved(); !arrived; before = saved() {
		p := &process{t: t, cmd: start.cmd(t), log: newLines(), ended: make(chan error, 1)}
		p.cmd.Stderr = p.log
		p.run()
		eventually(t, "a start to save more, or to arrive", func() bool {
			text := p.log.String()
			arrived = strings.Contains(text, "the selector answers now") ||
				strings.Contains(text, "frontdesk serves") && !strings.Contains(text, "the encoder reads the content")
			return arrived || saved() > before
		})
		if !arrived {
			p.kill()
			kills++
			continue
		}
		p.stop()
	}
	t.Logf("killed %d times; %d bytes are kept", kills, saved())
	if whole && kills == 0 {
		t.Error("nothing was saved before the start arrived")
	}
}

// TestFloodOfQuestions asks ordinary questions while many networks ask long ones, more than the processors can encode:
// an answer is right or there is none.
func TestFloodOfQuestions(t *testing.T) {
	t.Parallel()
	p := setup{environ: []string{"FRONTDESK_SMTP_URL=file:", "FRONTDESK_ENCODER=on", "FRONTDESK_CONTENT=" + smallContent(t)}}.start(t)
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
	questions := map[string]string{
		"can I get my money back": "refunds", "what are the opening times": "hours", "what is the price of it": "price",
	}
	found, times := 0, sized(1, 10)
	for range times {
		for q, want := range questions {
			got := c.send(http.MethodPost, contract.PathAsk, fmt.Sprintf(`{"q":%q}`, q))
			var answer contract.Answer
			expect.OK(t, got.err)
			expect.OK(t, json.Unmarshal([]byte(got.body), &answer))
			switch {
			case answer.EntryID != nil && *answer.EntryID != want:
				t.Errorf("%q is answered by %s", q, *answer.EntryID)
			case answer.EntryID != nil, len(answer.Candidates) > 0 && answer.Candidates[0].EntryID == want:
				found++
			}
		}
	}
	close(stop)
	flood.Wait()
	busy := strings.Count(p.log.String(), `"encoder_skipped":true`)
	t.Logf("%d of %d questions got the right text; %d questions found no processor", found, times*len(questions), busy)
	if found == 0 {
		t.Error("no question got the right text")
	}
}
