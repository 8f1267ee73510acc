package semantic

import (
	"slices"

	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
)

// addParts adds the words of a wording, or the sentences of an answer. firstRow is the row of its first piece among
// those of the entry.
func (e *entry) addParts(enc Encoder, kind encoder.Kind, pieces []token, firstRow int) {
	if len(pieces) == 0 {
		return
	}
	words, sentences := segment(enc, pieces)
	if kind == encoder.Query {
		for i := range words {
			words[i].from += firstRow
			words[i].to += firstRow
		}
		e.wordingWords = append(e.wordingWords, words)
		return
	}
	start := 0
	for _, end := range sentences {
		e.sentences = append(e.sentences, pooled(pieces, words[start:end]))
		start = end
	}
}

// nearlyWordForWord is the similarity above which a word counts as found.
const nearlyWordForWord = 0.75

// products are those of the pieces of a question with the rows of an entry.
type products struct {
	values         []float32
	pieces, stride int
}

// nearest returns the similarity of each piece to the nearest of some rows.
func (p *products) nearest(from, to int) []float64 {
	nearest := make([]float64, p.pieces)
	for piece := range nearest {
		nearest[piece] = float64(max(-1, slices.Max(p.values[piece*p.stride:][from:to])))
	}
	return nearest
}

// nearestOfRows returns the similarity of each row to the nearest of the pieces.
func (p *products) nearestOfRows(rows int) []float64 {
	nearest := make([]float64, rows)
	for row := range nearest {
		best := float32(-1)
		for piece := range p.pieces {
			best = max(best, p.values[piece*p.stride+row])
		}
		nearest[row] = float64(best)
	}
	return nearest
}

func (w word) mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values[w.from:w.to] {
		sum += v
	}
	return sum / float64(w.to-w.from)
}

// weighted returns the mean of values over words by what they say. The values are at the places of the words.
func weighted(words []word, values []float64) float64 {
	var sum, all float64
	for _, w := range words {
		sum += w.weight * w.mean(values)
		all += w.weight
	}
	return sum / (all + 1e-9)
}

// compare fills in how well the pieces and the words of a question fit an entry; compareElsewhere then fills in what
// depends on other entries. The similarity of a word to a text is the mean over its pieces, each compared with the
// nearest piece of the text. p is overwritten.
func (c *Candidate) compare(r *scoredQuery, e *entry, p *products) {
	c.byWord = make([]float64, len(r.words))
	p.values, p.stride = e.pieces.Compare(p.values, r.pieces)
	p.pieces = len(r.rarities)
	if p.stride == 0 { // the question or the entry has no pieces
		return
	}
	nearest, parts := p.nearest(0, e.pieces.Len()), &c.parts
	for i, rarity := range r.rarities {
		parts.MissingPiece = max(parts.MissingPiece, rarity*(1-nearest[i]))
	}
	least := slices.Sorted(slices.Values(append(nearest, 1, 1)))
	parts.LeastPiece, parts.SecondPiece = least[0], least[1]

	missing := []float64{0, 0}
	for i, w := range r.words {
		alike := w.mean(nearest)
		c.byWord[i] = alike
		missing = append(missing, w.weight*(1-alike))
		parts.MissingRare = max(parts.MissingRare, w.mean(r.rarities)*(w.weight*(1-alike)))
		parts.FoundWords += w.weight * lexical.Indicator(alike > nearlyWordForWord)
	}
	slices.Sort(missing)
	parts.MissingNext, parts.MissingWord = missing[len(missing)-2], missing[len(missing)-1]
	parts.FoundWords /= r.said + 1e-9
	c.toAll = weighted(r.words, nearest)

	parts.BothWays = -1
	nearestOfRows := p.nearestOfRows(e.pieces.Len())
	for _, words := range e.wordingWords {
		there := weighted(r.words, p.nearest(words[0].from, words[len(words)-1].to))
		back := weighted(words, nearestOfRows)
		parts.BothWays = max(parts.BothWays, 2*there*back/(there+back+1e-9))
	}
	for i, sentence := range e.sentences {
		if alike := float64(encoder.Cosine(r.whole, sentence)); i == 0 || alike > parts.Sentence {
			parts.Sentence = alike
		}
	}
}

// compareElsewhere fills in how much nearer words of the question are to other candidates.
func compareElsewhere(candidates []Candidate, words []word) {
	for i, w := range words {
		for c := range candidates {
			other := -1.0
			for o := range candidates {
				if o != c {
					other = max(other, candidates[o].byWord[i])
				}
			}
			candidates[c].elsewhere += w.weight * max(0, other-candidates[c].byWord[i])
		}
	}
}
