package lexical

import (
	"math/rand/v2"
	"sync"

	"frontdesk/content"
)

// The content examines itself: some entries are taken out, whose wordings are then
// out of scope, and some wordings of the others, which must be found again.
const (
	fewestEntries = 8
	mostEntries   = 1500 // beyond, nothing is trained that would show anything
	fewestTexts   = 2    // an entry, on average, with its question
	mostTexts     = 30   // an entry: more would cost much and show little
)

// folds is how many times that is done: a large FAQ shows enough in one go.
func folds(texts int) int {
	if texts <= 3000 {
		return 2
	}
	return 1
}

// parts is in how many parts the entries, and the wordings, are dealt.
const parts = 5

// examine gives the examples that content makes of itself.
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

// examineOnce takes out one part.
func examineOnce(entries []content.Entry, all []wording, background *Background, round int) []Example {
	stay, seats := seat(entries, round)
	dealt := deal(all, seats, round)
	x := newIndex(stay, dealt.kept, background, true)
	examples := x.examples(append(dealt.asked, dealt.orphans...))
	for _, e := range x.examples(dealt.unanswered) {
		e.Far = true
		examples = append(examples, e)
	}
	return examples
}

// seat leaves out one part of the entries. It gives those that stay, and of each entry
// the place among them, or NoEntry.
func seat(entries []content.Entry, round int) (stay []content.Entry, seats []int32) {
	rng := rand.New(rand.NewPCG(3, 0)) // every round deals the entries alike
	seats = make([]int32, len(entries))
	for i, place := range rng.Perm(len(entries)) {
		if seats[i] = NoEntry; place%parts != round%parts {
			seats[i] = int32(len(stay))
			stay = append(stay, content.Entry{Answer: entries[i].Answer})
		}
	}
	return stay, seats
}

// hand is the wordings of one round.
type hand struct {
	kept       []wording // that are trained on
	asked      []wording // that entries which stay must be found by
	orphans    []wording // of entries that were left out
	unanswered []wording // half of the questions that the owner wants unanswered
}

// deal divides the wordings into those that are trained on and those that are asked. Of the unanswered questions, and of
// the entries that were left out, every other wording is asked; of each other entry the second and then one of `parts`.
func deal(all []wording, seats []int32, round int) (h hand) {
	rng := rand.New(rand.NewPCG(4, uint64(round)))
	unanswered := 0
	seen := make([]int, len(seats))
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
		w.entry = seats[w.entry]
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
