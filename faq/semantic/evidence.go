package semantic

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"frontdesk/faq/lexical"
)

// The parts of the lexical evidence by which entries are ranked.
var rankedByWords = []int{
	lexical.EvNear, lexical.EvCentroid, lexical.EvBM25, lexical.EvCoverage, lexical.EvMachine, lexical.EvGrams,
}

// The parts of the similarity of words and clauses by which entries are ranked.
var rankedByParts = []int{
	wordsBothWays, wordsToAnswer, wordsToSentence, wordsToAll, wordsElsewhere, clauseToWording, clauseToSentence,
	clauseToAll,
	weightedToWording, weightedToAnswer,
}

// rankSize is the length of the evidence of the ranker: each part, and most of them times the number of wordings too.
var rankSize = 2*(similarityes+int(pieceParts)+len(rankedByWords)) + len(rankedByParts)

// Candidate is an entry that may answer a question.
type Candidate struct {
	lexical.Pair
	RankFeatures []float64 // by which candidates are ranked
	score        float64   // in the ranking
	pieces       pieceSimilarity
	words        wordSimilarity
}

// gather weighs the entries that are closest to the question by words and by meaning.
func (x *index) gather(words *lexical.Selector, r *scoredQuery, question string, live func(int) bool) []Candidate {
	pairs := words.Weigh(question, live, x.nearest(r, live, nearestByMeaning))
	candidates, byWord := make([]Candidate, len(pairs)), make([][]float64, len(pairs))
	var compared products
	for i, p := range pairs {
		c, e := &candidates[i], &x.entries[p.Entry]
		compared.compare(r, e)
		c.Pair, c.pieces = p, comparePieces(r, &compared)
		c.words, byWord[i] = e.compareWords(r, &compared)
	}
	compareElsewhere(candidates, r.words, byWord)
	few := math.Log(x.texts) / 3
	for i := range candidates {
		c := &candidates[i]
		c.RankFeatures = make([]float64, 0, rankSize)
		c.RankFeatures = append(c.RankFeatures, r.like[c.Entry][:]...)
		c.RankFeatures = append(c.RankFeatures, c.pieces[:]...)
		for _, part := range rankedByWords {
			c.RankFeatures = append(c.RankFeatures, c.Evidence[part])
		}
		// What counts most depends on how many wordings an entry has.
		for _, v := range c.RankFeatures {
			c.RankFeatures = append(c.RankFeatures, v*few)
		}
		for _, part := range rankedByParts {
			c.RankFeatures = append(c.RankFeatures, c.words[part])
		}
	}
	return candidates
}

// nearestByMeaning is how many entries are candidates because of what they mean.
const nearestByMeaning = 12

// Rank orders the candidates by a linear score of their features, best first. The share of words changes the order but
// not
// the score: the evidence was fitted to scores without it.
func (c *Candidates) Rank(weights []float64) {
	for i := range c.List {
		c.List[i].score = lexical.Dot(weights, c.List[i].RankFeatures)
	}
	slices.SortStableFunc(c.List, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.blended(c.wordShare), a.blended(c.wordShare)), cmp.Compare(a.Entry, b.Entry))
	})
}

// blended returns the score plus wordShare of the score by words.
func (c *Candidate) blended(wordShare float64) float64 { return c.score + wordShare*c.Score }

// Features returns what speaks for and against the candidate that was ranked first.
func (c *Candidates) Features() []float64 {
	x, r, ranked := c.index, c.reading, c.List
	first := &ranked[0]
	row := make([]float64, 0, 100) // a few more than there are
	scores := make([]float64, len(ranked))
	mean := 0.0
	for i := range ranked {
		scores[i] = ranked[i].score
		mean += ranked[i].score / float64(len(ranked))
	}
	second := &ranked[min(1, len(ranked)-1)]
	lexical.Softmax(scores)
	row = append(row, math.Log(min(max(scores[0], 1e-6), 1-1e-6)), lexical.Logit(scores[0]), first.score-second.score,
		first.score-mean, first.score)

	own := r.like[first.Entry]
	for kind := range similarityes {
		other, all := math.Inf(-1), 0.0
		for e := range r.like {
			all += r.like[e][kind]
			if e != first.Entry {
				other = max(other, r.like[e][kind])
			}
		}
		row = append(row, own[kind], own[kind]-other, own[kind]-all/float64(len(r.like)))
	}
	row = append(row, first.pieces[:]...)
	row = append(row, first.pieces[pieceMean]-second.pieces[pieceMean], first.pieces[pieceRare]-second.pieces[pieceRare])
	row = append(row, first.words[:]...)
	for part := range first.words {
		other := math.Inf(-1)
		for i := range ranked[1:] {
			other = max(other, ranked[1+i].words[part])
		}
		if len(ranked) == 1 {
			other = 0
		}
		row = append(row, first.words[part]-other)
	}
	said := 0.0
	for _, w := range r.words {
		said += w.weight
	}
	entry, unknown := &x.entries[first.Entry], 0
	for _, number := range numbersIn(c.asked) {
		if !slices.Contains(entry.numbers, number) {
			unknown++
		}
	}
	row = append(row,
		said,
		float64(len(r.clauses)),
		max(own[toWording], own[toPassage]),
		r.outOfScope-own[toWording],
		r.byMachineOutOfScope-own[byMachine],
		math.Log(float64(entry.count)),
		float64(unknown),
	)
	row = append(row, x.content[:]...)
	return append(row, first.Evidence[:]...)
}

func numbersIn(words []string) (numbers []string) {
	for _, word := range words {
		if strings.ContainsAny(word, "0123456789") {
			numbers = append(numbers, word)
		}
	}
	return numbers
}
