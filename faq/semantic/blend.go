package semantic

import (
	"context"
	"math"
	"slices"

	"frontdesk/content"
	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
)

// The ranker was fitted to content of all kinds. Content of manyWordings an entry shows by itself how much words should
// count beside that: one in heldOut of its encoded wordings is asked of a selector that does not know it. leastHeldOut
// of
// them are enough to find a share, and no more than mostHeldOut are asked.
const (
	manyWordings = 40
	heldOut      = 5
	leastHeldOut = 100
	mostHeldOut  = 250
)

// wordShares are what the score by words may add to that of the ranker: larger shares rank questions worse whose
// wordings
// the content lacks. Their likelihood is compared at the scale that suits each, because a larger score is not a surer
// one.
var (
	wordShares  = []float64{0, 1. / 16, 1. / 8, 3. / 16, 1. / 4}
	scoreScales = []float64{0.1, 0.2, 0.3, 0.5, 0.7, 1}
)

// findWordShare returns the share of words by which wordings of the entries are likeliest to find their entry, or 0 if
// there are too few of them.
func (s *Selector) findWordShare(entries []content.Entry, sources [][]encoder.Text) float64 {
	if s.index.texts < manyWordings || s.regime.Ranker == nil { // while parameters are fitted, there is no ranker
		return 0
	}
	type wording struct {
		text  string
		entry int
	}
	var held []wording
	known, left := slices.Clone(entries), make([][]encoder.Text, len(sources))
	for i := range known {
		for j, t := range sources[i] {
			if t.Kind == encoder.Query && j%heldOut == heldOut-1 {
				held = append(held, wording{t.Text, i})
				known[i].Alternates = slices.DeleteFunc(slices.Clone(known[i].Alternates), func(a string) bool {
					return a == t.Text
				})
			} else {
				left[i] = append(left[i], t)
			}
		}
	}
	if len(held) < leastHeldOut {
		return 0
	}
	without := &Selector{words: s.words.For(known), embedder: s.embedder, index: newIndex(s.embedder, known, left)}
	everyone := func(int) bool { return true }
	loss := make([][]float64, len(wordShares)) // by share and scale
	for i := range loss {
		loss[i] = make([]float64, len(scoreScales))
	}
	for at := range min(len(held), mostHeldOut) {
		w := held[at*len(held)/min(len(held), mostHeldOut)]
		c, err := without.Candidates(context.Background(), w.text, everyone)
		if err != nil || c == nil {
			continue // it has no words
		}
		for i, share := range wordShares {
			c.wordShare = share
			c.Rank(s.regime.Ranker)
			own := slices.IndexFunc(c.List, func(c Candidate) bool { return c.Entry == w.entry })
			if own < 0 {
				break // no share finds it
			}
			for j, scale := range scoreScales {
				scores := make([]float64, len(c.List))
				for k := range scores {
					scores[k] = scale * c.List[k].blended(share)
				}
				right := scores[own]
				loss[i][j] += lexical.Softmax(scores) - right
			}
		}
	}
	best, least := 0.0, math.Inf(1)
	for i, share := range wordShares {
		if l := slices.Min(loss[i]); l < least {
			best, least = share, l
		}
	}
	return best
}
