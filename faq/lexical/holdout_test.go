package lexical

import (
	"fmt"
	"testing"

	"frontdesk/content"
)

// Each round leaves out a fifth of the entries, and two rounds leave out others.
func TestHoldOutEntries(t *testing.T) {
	t.Parallel()
	entries := make([]content.Entry, 50)
	left := map[int]int{}
	for round := range 2 {
		kept, places := holdOutEntries(entries, round)
		if len(kept) != 40 {
			t.Errorf("round %d: %d entries stay", round, len(kept))
		}
		for i, place := range places {
			if place == NoEntry {
				left[i]++
			}
		}
	}
	for i, times := range left {
		if times > 1 {
			t.Errorf("entry %d is left out twice", i)
		}
	}
}

// What is asked is not trained on, of an entry mostTexts and one more are used, and
// what belongs to an entry that was left out, or to none, is asked by halves.
func TestHoldOutWordings(t *testing.T) {
	t.Parallel()
	var all []wording
	for entry, texts := range []int{4 * mostTexts, 10, 2, 6} {
		for n := range texts {
			all = append(all, wording{fmt.Sprintf("%d.%d", entry, n), int32(entry)})
		}
	}
	for n := range 8 {
		all = append(all, wording{fmt.Sprintf("unanswered %d", n), NoEntry})
	}
	h := holdOutWordings(all, []int32{0, 1, 2, NoEntry}, 0)
	once, counts := map[string]bool{}, map[int32]int{}
	for _, some := range [][]wording{h.kept, h.asked, h.orphans, h.unanswered} {
		for _, w := range some {
			if once[w.text] {
				t.Errorf("%s is there twice", w.text)
			}
			once[w.text] = true
		}
	}
	for _, w := range append(h.kept, h.asked...) {
		counts[w.entry]++
	}
	if counts[0] != mostTexts+1 || counts[1] != 10 || counts[2] != 2 || counts[NoEntry] != 4 {
		t.Errorf("wordings by entry: %v", counts)
	}
	if len(h.orphans) != 3 || len(h.unanswered) != 4 {
		t.Errorf("%d of six that were left out and %d of eight unanswered questions are asked", len(h.orphans), len(h.unanswered))
	}
	asked := map[int32]int{}
	for _, w := range h.asked {
		asked[w.entry]++
	}
	if asked[2] != 1 || asked[1] != 3 {
		t.Errorf("asked by entry: %v", asked)
	}
}
