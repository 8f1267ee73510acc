package semantic

import (
	"frontdesk/faq/encoder"
	"frontdesk/faq/lexical"
)

// part is a wording of an entry, or a sentence of its answer.
type part struct {
	first    int // of the rows of the entry's pieces
	words    []word
	pooled   encoder.Vector
	weighted encoder.Vector // only of wordings
}

// addParts adds the parts of a text, whose first piece is a row of the entry's pieces.
func (e *entry) addParts(enc Encoder, kind encoder.Kind, pieces []token, firstRow int) {
	if len(pieces) == 0 {
		return
	}
	text := segment(enc, pieces)
	if kind == encoder.Query {
		e.wordingParts = append(e.wordingParts,
			part{firstRow, text.words, pooled(pieces, text.words), pooledByWeight(pieces, text.words)})
		return
	}
	e.answer = pooledByWeight(pieces, text.words)
	start := 0
	for _, end := range text.sentences {
		if words := text.words[start:end]; len(words) > 0 {
			e.sentences = append(e.sentences, part{first: firstRow, words: words, pooled: pooled(pieces, words)})
		}
		start = end
	}
}

// The parts of what the words and clauses of a question say for an entry. A word is as alike to a text as its pieces
// are, each to the nearest of the text.
const (
	wordsBothWays     = iota // similarity of the words to the nearest wording, and of its words to the question
	wordsToAnswer            // similarity of the words to the answer
	wordsToSentence          // to the nearest sentence of it
	wordsToAll               // to all texts of the entry
	wordsToAllRare           // the same, words that few entries have counting more
	wordsFound               // share of what the question says that the entry has nearly word for word
	wordMissing              // the most that a word is missing
	wordMissingNext          // and the next word
	wordMissingRare          // the most that a word is missing which few entries have
	wordElsewhere            // the most that a word is nearer to another entry
	wordsElsewhere           // the same for all words
	clauseToWording          // similarity of the clause that is most alike to a wording
	clauseToSentence         // to a sentence of the answer
	clauseToAll              // of its words to all texts
	wholeToSentence          // similarity of the question to the nearest sentence of the answer
	weightedToWording        // the same to the nearest wording, words that say more counting more
	weightedToAnswer         // and to the answer
	wordParts
)

// wordSimilarity is what the words and clauses of a question say for an entry.
type wordSimilarity [wordParts]float64

// nearlyWordForWord is from which similarity on a word counts as found.
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

// compareWords compares the words and clauses of a question with an entry, except with what other entries have. byWord
// is the similarity of each word to all texts of the entry.
func (e *entry) compareWords(r *scoredQuery, p *products) (l wordSimilarity, byWord []float64) {
	byWord = make([]float64, len(r.words))
	if p.stride == 0 || len(r.words) == 0 {
		return l, byWord
	}
	for _, i := range []int{wordsBothWays, clauseToWording, weightedToWording, clauseToAll} {
		l[i] = -1
	}
	e.compareWordings(r, p, &l)
	if e.answer != nil {
		e.compareAnswer(r, p, &l)
	}
	var byRarity, rarity float64
	for i, w := range r.words {
		alike := p.word(w, 0, p.rows)
		byWord[i] = alike
		rare := w.mean(r.rarities)
		byRarity += w.weight * rare * alike
		rarity += w.weight * rare
		missing := w.weight * (1 - alike)
		if missing > l[wordMissing] {
			l[wordMissing], l[wordMissingNext] = missing, l[wordMissing]
		} else {
			l[wordMissingNext] = max(l[wordMissingNext], missing)
		}
		l[wordMissingRare] = max(l[wordMissingRare], rare*missing)
	}
	l[wordsToAllRare] = byRarity / (rarity + 1e-9)
	l[wordsToAll] = weighted(r.words, func(i int) float64 { return byWord[i] })
	l[wordsFound] = weighted(r.words, func(i int) float64 { return lexical.Indicator(byWord[i] > nearlyWordForWord) })
	first := 0
	for _, c := range r.clauses {
		l[clauseToAll] = max(l[clauseToAll], weighted(c.words, func(i int) float64 { return byWord[first+i] }))
		first += len(c.words)
	}
	return l, byWord
}

func (e *entry) compareWordings(r *scoredQuery, p *products, l *wordSimilarity) {
	for i := range e.wordingParts {
		wording := &e.wordingParts[i]
		from, to := wording.rows()
		there := weighted(r.words, func(i int) float64 { return p.word(r.words[i], from, to) })
		back := weighted(wording.words, func(i int) float64 { return wording.words[i].mean(p.back[wording.first:]) })
		l[wordsBothWays] = max(l[wordsBothWays], 2*there*back/(there+back+1e-9))
		l[weightedToWording] = max(l[weightedToWording], float64(encoder.Cosine(r.weighted, wording.weighted)))
		for _, c := range r.clauses {
			l[clauseToWording] = max(l[clauseToWording], float64(encoder.Cosine(c.pooled, wording.pooled)))
		}
	}
}

func (e *entry) compareAnswer(r *scoredQuery, p *products, l *wordSimilarity) {
	for _, i := range []int{wordsToSentence, clauseToSentence, wholeToSentence} {
		l[i] = -1
	}
	first, last := p.rows, 0
	for i := range e.sentences {
		sentence := &e.sentences[i]
		from, to := sentence.rows()
		first, last = min(first, from), max(last, to)
		l[wordsToSentence] = max(l[wordsToSentence], weighted(r.words, func(i int) float64 {
			return p.word(r.words[i], from, to)
		}))
		l[wholeToSentence] = max(l[wholeToSentence], float64(encoder.Cosine(r.whole, sentence.pooled)))
		for _, c := range r.clauses {
			l[clauseToSentence] = max(l[clauseToSentence], float64(encoder.Cosine(c.pooled, sentence.pooled)))
		}
	}
	l[wordsToAnswer] = weighted(r.words, func(i int) float64 { return p.word(r.words[i], first, last) })
	l[weightedToAnswer] = float64(encoder.Cosine(r.weighted, e.answer))
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
			nearer := w.weight * max(0, other-byWord[c][i])
			l := &candidates[c].words
			l[wordElsewhere] = max(l[wordElsewhere], nearer)
			l[wordsElsewhere] += nearer
		}
	}
}
