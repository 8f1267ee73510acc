package lexical

import (
	"math/rand/v2"
	"sync"

	"frontdesk/content"
)

// The content examines itself: some entries are taken out, whose wordings are then
// strangers, and some wordings of the others, which must be found again.
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
	rng := rand.New(rand.NewPCG(3, 0))  // every round deals the entries alike
	seat := make([]int32, len(entries)) // among those that stay, or -1
	var stay []content.Entry
	for i, place := range rng.Perm(len(entries)) {
		if seat[i] = -1; place%parts != round%parts {
			seat[i] = int32(len(stay))
			stay = append(stay, content.Entry{Answer: entries[i].Answer})
		}
	}
	rng = rand.New(rand.NewPCG(4, uint64(round)))
	var kept []wording
	var asked, strangers, foreign []wording
	foreigners := 0
	seen := make([]int, len(entries))
	for _, at := range rng.Perm(len(all)) {
		w := all[at]
		if w.entry == noEntry {
			if foreigners++; foreigners%2 == round%2 {
				foreign = append(foreign, w)
			} else {
				kept = append(kept, w)
			}
			continue
		}
		nth := seen[w.entry]
		seen[w.entry]++
		switch {
		case seat[w.entry] < 0:
			if nth%2 == 0 {
				strangers = append(strangers, w)
			}
		case nth > mostTexts:
		case nth%parts == parts-1 || nth == 1:
			asked = append(asked, wording{w.text, seat[w.entry]})
		default:
			kept = append(kept, wording{w.text, seat[w.entry]})
		}
	}
	x := newIndex(stay, kept, background, denseSize)
	examples := x.examples(append(asked, mark(strangers)...))
	for _, e := range x.examples(foreign) {
		e.Foreign = true
		examples = append(examples, e)
	}
	return examples
}

// mark makes wordings strangers.
func mark(all []wording) []wording {
	for i := range all {
		all[i].entry = noEntry
	}
	return all
}

// examples asks questions whose entry is known, or known to be none.
func (x *index) examples(questions []wording) []Example {
	d := newDesk(x)
	everyone := func(int) bool { return true }
	examples := make([]Example, 0, len(questions))
	for i, q := range questions {
		x.ask(d, q.text, everyone)
		if len(d.found) == 0 {
			continue
		}
		examples = append(examples, Example{
			evidence: d.evidence, Right: d.found[0].entry == q.entry, Stranger: q.entry == noEntry, asked: i,
		})
	}
	return examples
}
