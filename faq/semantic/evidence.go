package semantic

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"frontdesk/faq/lexical"
	"frontdesk/faq/text"
)

// rankSize is the number of features of the ranker: similarity by meaning and by words, the same times the logarithm of
// the number of wordings, the similarity of single words by meaning, and the score by words.
const rankSize = 2*(similarityKinds+3) + 3 + 1

// Candidate is an entry that may answer a question.
type Candidate struct {
	lexical.Pair
	RankFeatures []float64           // by which candidates are ranked
	score        float64             // in the ranking
	parts        [partsCount]float64 // those that do not depend on the ranking or on other entries
	elsewhere    float64             // how much nearer words are to other candidates
}

// gather weighs the entries that are closest to the question by words and by meaning.
func (s *Selector) gather(r *scoredQuery, question string, live func(int) bool) []Candidate {
	pairs, _ := s.words.Weigh(question, live, s.nearest(r, live))
	candidates, byWord, toAll := make([]Candidate, len(pairs)), make([][]float64, len(pairs)), make([]float64, len(pairs))
	var compared products
	for i, p := range pairs {
		candidates[i].Pair = p
		byWord[i], toAll[i] = candidates[i].compare(r, &s.entries[p.Entry], &compared)
	}
	compareElsewhere(candidates, r.words, byWord)
	few := math.Log(s.texts) / 3
	for i := range candidates {
		c := &candidates[i]
		c.RankFeatures = append(make([]float64, 0, rankSize), r.like[c.Entry][:]...)
		c.RankFeatures = append(c.RankFeatures, c.Evidence[lexical.EvNear], c.Evidence[lexical.EvBM25],
			c.Evidence[lexical.EvCoverage])
		for _, v := range c.RankFeatures { // what counts most depends on how many wordings an entry has
			c.RankFeatures = append(c.RankFeatures, v*few)
		}
		c.RankFeatures = append(c.RankFeatures, c.parts[BothWays], toAll[i], c.elsewhere, c.Score)
	}
	return candidates
}

// Rank orders the candidates by a linear score of their features, best first.
func (c *Candidates) Rank(weights []float64) {
	for i := range c.List {
		c.List[i].score = lexical.Dot(weights, c.List[i].RankFeatures)
	}
	slices.SortStableFunc(c.List, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Entry, b.Entry))
	})
}

// Part is a feature that speaks for or against the candidate that was ranked first.
type Part int

// The parts. A lead is the difference to the best of the others. A similarity is that of the question to the first
// candidate unless another is named. Words and pieces are those of the question; a word weighs what it says (weightOf).
const (
	RankShare       Part = iota // log odds of its share among all candidates, by their scores
	RankLead                    // in the score
	RankAboveMean               // by how much its score is above the mean
	RankScore                   // its score
	Wording                     // similarity of the nearest wording
	WordingLead                 // and the lead in it
	Answer                      // similarity of question and answer together
	AnswerLead                  // and the lead in it
	AnswerAboveMean             // and by how much it is above the mean of all entries
	Sentence                    // similarity of the nearest sentence of the answer
	BothWays                    // similarity of the words to the nearest wording, and of its words to the question
	NearestText                 // the greater of Wording and Answer
	LeastPiece                  // similarity of the piece that is least similar to the entry
	SecondPiece                 // and of the next
	MissingPiece                // greatest dissimilarity of a piece, times its rarity
	MissingWord                 // greatest dissimilarity of a word, times its weight
	MissingNext                 // and the second greatest
	MissingRare                 // greatest dissimilarity of a word, times its weight and its rarity
	FoundWords                  // weighted share of the words that the entry has nearly word for word
	ElsewhereLead               // how much nearer words are to other candidates, less the maximum of the others
	UnknownNumbers              // how many numbers of the question the entry lacks
	Said                        // sum of the weights of the words
	Length                      // logarithm of the number of words
	Unanswered                  // similarity of the nearest question that the owner wants unanswered, less Wording
	Wordings                    // logarithm of the wordings per entry of the content
	OwnWordings                 // logarithm of the number of the entry's wordings
	Entries                     // logarithm of the number of entries
	WordsNear                   // similarity of the nearest wording, by words
	WordsBM25                   // BM25, as a share of what a perfect entry would get
	WordsCoverage               // share of the words that the entry has, weighted by rarity
	partsCount
)

// partNames are the names of the parts in the parameters file.
var partNames = [partsCount]string{
	"rank share", "rank lead", "rank above mean", "rank score", "wording", "wording lead", "answer", "answer lead",
	"answer above mean", "sentence", "both ways", "nearest text", "least piece", "second piece", "missing piece",
	"missing word", "missing next", "missing rare", "found words", "elsewhere lead", "unknown numbers", "said", "length",
	"unanswered", "wordings", "own wordings", "entries", "words near", "words bm25", "words coverage",
}

// Features returns the parts for the candidate that was ranked first.
func (c *Candidates) Features() []float64 {
	r, ranked := c.reading, c.List
	first, others := &ranked[0], ranked[1:]
	e, row := &c.selector.entries[first.Entry], slices.Clone(first.parts[:])
	scores, mean := make([]float64, len(ranked)), 0.0
	for i := range ranked {
		scores[i] = ranked[i].score
		mean += ranked[i].score / float64(len(ranked))
	}
	row[RankScore], row[RankAboveMean] = first.score, first.score-mean
	if len(others) > 0 {
		row[RankLead] = first.score - others[0].score
	}
	lexical.Softmax(scores)
	row[RankShare] = lexical.Logit(scores[0])

	own := r.like[first.Entry]
	row[Wording], row[Answer] = own[toWording], own[toPassage]
	row[NearestText] = max(own[toWording], own[toPassage])
	row[WordingLead] = own[toWording] - r.bestOther(first.Entry, toWording)
	row[AnswerLead] = own[toPassage] - r.bestOther(first.Entry, toPassage)
	row[AnswerAboveMean] = own[toPassage]
	for e := range r.like {
		row[AnswerAboveMean] -= r.like[e][toPassage] / float64(len(r.like))
	}
	row[Unanswered] = r.outOfScope - own[toWording]

	if len(others) > 0 {
		farthest := slices.MaxFunc(others, func(a, b Candidate) int { return cmp.Compare(a.elsewhere, b.elsewhere) })
		row[ElsewhereLead] = first.elsewhere - farthest.elsewhere
	}
	var known []string // words of the entry, if the question has a number
	for _, word := range c.asked {
		if !strings.ContainsAny(word, "0123456789") {
			continue
		}
		if known == nil {
			known = text.AppendWords(nil, strings.Join(e.Texts(), "\n"))
		}
		row[UnknownNumbers] += lexical.Indicator(!slices.Contains(known, word))
	}
	for _, w := range r.words {
		row[Said] += w.weight
	}
	row[OwnWordings] = math.Log(float64(len(e.wordings)))
	row[Wordings], row[Entries] = math.Log(c.selector.texts), math.Log(float64(len(r.like)))

	words := &first.Evidence
	row[Length], row[WordsNear] = words[lexical.EvLength], words[lexical.EvNear]
	row[WordsBM25], row[WordsCoverage] = words[lexical.EvBM25], words[lexical.EvCoverage]
	return row
}

// bestOther returns the greatest similarity of a kind among the other entries. There is one, because the encoder is not
// used for a single entry (mostWordings).
func (r *scoredQuery) bestOther(entry, kind int) float64 {
	best := math.Inf(-1)
	for e := range r.like {
		if e != entry {
			best = max(best, r.like[e][kind])
		}
	}
	return best
}
