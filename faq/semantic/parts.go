package semantic

import (
	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
)

// part is a wording of an entry.
type part struct {
	first int // of the rows of the entry's pieces
	words []word
}

// addParts adds a wording, or the sentences of an answer. firstRow is the row of its first piece among those of the
// entry.
func (e *entry) addParts(enc Encoder, kind encoder.Kind, pieces []token, firstRow int) {
	if len(pieces) == 0 {
		return
	}
	text := segment(enc, pieces)
	if kind == encoder.Query {
		e.wordingParts = append(e.wordingParts, part{firstRow, text.words})
		return
	}
	start := 0
	for _, end := range text.sentences {
		if words := text.words[start:end]; len(words) > 0 {
			e.sentences = append(e.sentences, pooled(pieces, words))
		}
		start = end
	}
}

// wordSimilarity is how well the words of a question fit an entry. The similarity of a word to a text is the mean over
// its pieces, each compared with the nearest piece of the text.
type wordSimilarity struct {
	bothWays    float64 // similarity of the words to the nearest wording, and of its words to the question
	toAll       float64 // similarity of the words to all texts of the entry
	found       float64 // weighted share of the words that the entry has nearly word for word
	missing     float64 // greatest dissimilarity of a word, times its weight
	missingNext float64 // and the second greatest
	missingRare float64 // greatest dissimilarity of a word, times its weight and its rarity
	elsewhere   float64 // how much nearer the words are to another entry
	toSentence  float64 // similarity of the question to the nearest sentence of the answer
}

// pieceSimilarity is how well the pieces of a question fit an entry.
type pieceSimilarity struct {
	least   float64 // similarity of the piece that is least similar
	second  float64 // and of the next
	missing float64 // greatest dissimilarity of a piece, times its rarity
}

// nearlyWordForWord is the similarity above which a word counts as found.
const nearlyWordForWord = 0.75

// products are those of the pieces of a question with the rows of an entry.
type products struct {
	values       []float32
	stride       int
	pieces, rows int
	back         []float64 // by row: its similarity to the nearest of the pieces
}

// compare multiplies the pieces of a question by those of an entry, in the memory of the products with another one.
func (p *products) compare(r *scoredQuery, e *entry) {
	p.values, p.stride = e.pieces.Compare(p.values, r.pieces)
	p.pieces, p.rows, p.back = len(r.rarities), e.pieces.Len(), p.back[:0]
	if p.stride == 0 {
		return
	}
	for row := range p.rows {
		best := float32(-1)
		for piece := range p.pieces {
			best = max(best, p.values[piece*p.stride+row])
		}
		p.back = append(p.back, float64(best))
	}
}

// nearest returns the similarity of a piece to the nearest of some rows.
func (p *products) nearest(piece, from, to int) float64 {
	best := float32(-1)
	for _, v := range p.values[piece*p.stride:][from:to] {
		best = max(best, v)
	}
	return float64(best)
}

// word returns the similarity of a word of the question to some rows.
func (p *products) word(w word, from, to int) float64 {
	sum := 0.0
	for piece := w.from; piece < w.to; piece++ {
		sum += p.nearest(piece, from, to)
	}
	return sum / float64(max(w.to-w.from, 1))
}

func (w word) mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values[w.from:w.to] {
		sum += v
	}
	return sum / float64(max(w.to-w.from, 1))
}

// weighted returns the mean similarity of words by what they say.
func weighted(words []word, similarity func(i int) float64) float64 {
	var sum, all float64
	for i, w := range words {
		sum += w.weight * similarity(i)
		all += w.weight
	}
	return sum / (all + 1e-9)
}

// comparePieces compares the pieces of a question with an entry.
func comparePieces(r *scoredQuery, p *products) (l pieceSimilarity) {
	if p.stride == 0 {
		return l
	}
	l.least, l.second = 1, 1
	for i, rarity := range r.rarities {
		alike := p.nearest(i, 0, p.rows)
		l.missing = max(l.missing, rarity*(1-alike))
		if alike < l.least {
			l.least, l.second = alike, l.least
		} else {
			l.second = min(l.second, alike)
		}
	}
	return l
}

// compareWords compares the words of a question with an entry; compareElsewhere then fills in what depends on other
// entries. byWord is the similarity of each word to all texts of the entry.
func (e *entry) compareWords(r *scoredQuery, p *products) (l wordSimilarity, byWord []float64) {
	byWord = make([]float64, len(r.words))
	if p.stride == 0 || len(r.words) == 0 {
		return l, byWord
	}
	l.bothWays = -1
	for i := range e.wordingParts {
		wording := &e.wordingParts[i]
		from, to := wording.rows()
		there := weighted(r.words, func(i int) float64 { return p.word(r.words[i], from, to) })
		back := weighted(wording.words, func(i int) float64 { return wording.words[i].mean(p.back[wording.first:]) })
		l.bothWays = max(l.bothWays, 2*there*back/(there+back+1e-9))
	}
	for i, sentence := range e.sentences {
		if alike := float64(encoder.Cosine(r.whole, sentence)); i == 0 || alike > l.toSentence {
			l.toSentence = alike
		}
	}
	for i, w := range r.words {
		byWord[i] = p.word(w, 0, p.rows)
		missing := w.weight * (1 - byWord[i])
		if missing > l.missing {
			l.missing, l.missingNext = missing, l.missing
		} else {
			l.missingNext = max(l.missingNext, missing)
		}
		l.missingRare = max(l.missingRare, w.mean(r.rarities)*missing)
	}
	l.toAll = weighted(r.words, func(i int) float64 { return byWord[i] })
	l.found = weighted(r.words, func(i int) float64 { return lexical.Indicator(byWord[i] > nearlyWordForWord) })
	return l, byWord
}

// rows returns the first row of the part and the one after its last.
func (p *part) rows() (from, to int) {
	return p.first + p.words[0].from, p.first + p.words[len(p.words)-1].to
}

// compareElsewhere fills in how much nearer words of the question are to other candidates. byWord has, for each
// candidate, the similarity of each word.
func compareElsewhere(candidates []Candidate, words []word, byWord [][]float64) {
	for i, w := range words {
		best, second := -1.0, -1.0
		for c := range byWord {
			if alike := byWord[c][i]; alike > best {
				best, second = alike, best
			} else {
				second = max(second, alike)
			}
		}
		for c := range candidates {
			other := best
			if byWord[c][i] == best {
				other = second
			}
			candidates[c].words.elsewhere += w.weight * max(0, other-byWord[c][i])
		}
	}
}
