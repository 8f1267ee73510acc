package lexical

import (
	"math/rand/v2"
	"sync"

	"frontdesk/content"
)

// Cross-validation on the content itself: some entries are held out, whose wordings are
// then out of scope, and some wordings of the other entries, which must be found again.
const (
	fewestEntries = 8
	mostEntries   = 1500 // larger content has no trained scores to validate
	fewestTexts   = 2    // an entry, on average, with its question
	mostTexts     = 30   // an entry: more would cost much and show little
)

// folds is how many times that is done: once is enough for a large FAQ.
func folds(texts int) int {
	if texts <= 3000 {
		return 2
	}
	return 1
}

// parts is into how many parts entries and wordings are divided.
const parts = 5

// examine returns the examples of the cross-validation, or nil for content that is too small or too large.
func examine(entries []content.Entry, all []wording, background *Background) []Example {
	if len(entries) < fewestEntries || len(entries) > mostEntries || owned(all) < fewestTexts*len(entries) {
		return nil
	}
	rounds := make([][]Example, folds(len(all)))
	var group sync.WaitGroup
	for round := range rounds {
		group.Go(func() { rounds[round] = examineOnce(entries, all, background, round) })
	}
	group.Wait()
	var examples []Example
	for _, some := range rounds {
		examples = append(examples, some...)
	}
	return examples
}

// examineOnce holds out one part.
func examineOnce(entries []content.Entry, all []wording, background *Background, round int) []Example {
	kept, places := holdOutEntries(entries, round)
	wordings := holdOutWordings(all, places, round)
	x := newIndex(kept, wordings.kept, background, true)
	examples := x.examples(append(wordings.asked, wordings.orphans...))
	for _, e := range x.examples(wordings.unanswered) {
		e.Far = true
		examples = append(examples, e)
	}
	return examples
}

// holdOutEntries holds out one part of the entries. It returns the others, and the place
// of each entry among them, or NoEntry.
func holdOutEntries(entries []content.Entry, round int) (kept []content.Entry, places []int32) {
	rng := rand.New(rand.NewPCG(3, 0)) // every round divides the entries alike
	places = make([]int32, len(entries))
	for i, place := range rng.Perm(len(entries)) {
		if places[i] = NoEntry; place%parts != round%parts {
			places[i] = int32(len(kept))
			kept = append(kept, content.Entry{Answer: entries[i].Answer})
		}
	}
	return kept, places
}

// heldOut is the wordings of one round.
type heldOut struct {
	kept       []wording // that are trained on
	asked      []wording // held out: their entries are kept
	orphans    []wording // of entries that are held out
	unanswered []wording // half of the questions that the owner wants unanswered
}

// holdOutWordings divides the wordings into those that are trained on and those that are asked. Of the unanswered questions, and of
// the entries that were left out, every other wording is asked; of each other entry the second and then one of `parts`.
func holdOutWordings(all []wording, places []int32, round int) (h heldOut) {
	rng := rand.New(rand.NewPCG(4, uint64(round)))
	unanswered := 0
	seen := make([]int, len(places))
	for _, at := range rng.Perm(len(all)) {
		w := all[at]
		if w.entry == NoEntry {
			if unanswered++; unanswered%2 == round%2 {
				h.unanswered = append(h.unanswered, w)
			} else {
				h.kept = append(h.kept, w)
			}
			continue
		}
		nth := seen[w.entry]
		seen[w.entry]++
		w.entry = places[w.entry]
		switch {
		case w.entry == NoEntry:
			if nth%2 == 0 {
				h.orphans = append(h.orphans, w)
			}
		case nth > mostTexts:
		case nth%parts == parts-1 || nth == 1:
			h.asked = append(h.asked, w)
		default:
			h.kept = append(h.kept, w)
		}
	}
	return h
}

// examples asks questions whose entry is known, or known to be none.
func (x *index) examples(questions []wording) []Example {
	d := newScratch(x)
	everyone := func(int) bool { return true }
	examples := make([]Example, 0, len(questions))
	for _, q := range questions {
		x.ask(d, q.text, everyone)
		if len(d.found) == 0 {
			continue
		}
		examples = append(examples, Example{
			Evidence: d.evidence, Right: d.found[0].entry == q.entry, OutOfScope: q.entry == NoEntry,
		})
	}
	return examples
}
