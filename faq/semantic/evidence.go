package semantic

import (
	"cmp"
	"math"
	"reflect"
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
	RankFeatures []float64 // by which candidates are ranked
	score        float64   // in the ranking
	parts        features  // those that do not depend on the ranking or on other entries
	byWord       []float64 // similarity of each word to all texts of the entry
	toAll        float64   // its mean
	elsewhere    float64   // how much nearer words are to other candidates
}

// gather weighs the entries that are closest to the question by words and by meaning.
func (s *Selector) gather(r *scoredQuery, question string, live func(int) bool) []Candidate {
	pairs, _ := s.words.Weigh(question, live, s.nearest(r, live))
	candidates := make([]Candidate, len(pairs))
	var compared products
	for i, p := range pairs {
		candidates[i].Pair = p
		candidates[i].compare(r, &s.entries[p.Entry], &compared)
	}
	compareElsewhere(candidates, r.words)
	few := math.Log(s.texts) / 3
	for i := range candidates {
		c := &candidates[i]
		c.RankFeatures = append(make([]float64, 0, rankSize), r.like[c.Entry][:]...)
		c.RankFeatures = append(c.RankFeatures, c.Evidence[lexical.EvNear], c.Evidence[lexical.EvBM25],
			c.Evidence[lexical.EvCoverage])
		for _, v := range c.RankFeatures { // what counts most depends on how many wordings an entry has
			c.RankFeatures = append(c.RankFeatures, v*few)
		}
		c.RankFeatures = append(c.RankFeatures, c.parts.BothWays, c.toAll, c.elsewhere, c.Score)
	}
	return candidates
}

// Rank orders the candidates by a linear score of their features, best first.
func (c *Candidates) Rank(weights []float64) {
	for i := range c.List {
		c.List[i].score = lexical.Dot(weights, c.List[i].RankFeatures)
	}
	slices.SortFunc(c.List, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Entry, b.Entry))
	})
}

// features are the parts that speak for or against the candidate that was ranked first. Their names are those in the
// parameters file.
//
// A lead is the difference to the best of the others. A similarity is that of the question to the first candidate
// unless another is named. Words and pieces are those of the question; a word weighs what it says (weightOf).
type features struct {
	RankShare       float64 // log odds of its share among all candidates, by their scores
	RankLead        float64
	RankAboveMean   float64 // by how much its score is above the mean
	RankScore       float64
	Wording         float64 // similarity of the nearest wording
	WordingLead     float64
	Answer          float64 // similarity of question and answer together
	AnswerLead      float64
	AnswerAboveMean float64 // by how much Answer is above the mean of all entries
	Sentence        float64 // similarity of the nearest sentence of the answer
	BothWays        float64 // similarity of the words to the nearest wording, and of its words to the question
	NearestText     float64 // the greater of Wording and Answer
	LeastPiece      float64 // similarity of the piece that is least similar to the entry
	SecondPiece     float64 // and of the next
	MissingPiece    float64 // greatest dissimilarity of a piece, times its rarity
	MissingWord     float64 // greatest dissimilarity of a word, times its weight
	MissingNext     float64 // and the second greatest
	MissingRare     float64 // greatest dissimilarity of a word, times its weight and its rarity
	FoundWords      float64 // weighted share of the words that the entry has nearly word for word
	ElsewhereLead   float64 // how much nearer words are to other candidates, less the maximum of the others
	UnknownNumbers  float64 // how many numbers of the question the entry lacks
	Said            float64 // sum of the weights of the words
	Length          float64 // logarithm of the number of words
	Unanswered      float64 // similarity of the nearest question that the owner wants unanswered, less Wording
	Wordings        float64 // logarithm of the wordings per entry of the content
	OwnWordings     float64 // logarithm of the number of the entry's wordings
	Entries         float64 // logarithm of the number of entries
	WordsNear       float64 // similarity of the nearest wording, by words
	WordsBM25       float64 // BM25, as a share of what a perfect entry would get
	WordsCoverage   float64 // share of the words that the entry has, weighted by rarity
}

// PartNames returns the names of the parts that trees are grown on.
func PartNames() (names []string) {
	for field := range reflect.TypeFor[features]().Fields() {
		names = append(names, field.Name)
	}
	return names
}

// row returns the parts in their order.
func (f features) row() (row []float64) {
	for _, part := range reflect.ValueOf(f).Fields() {
		row = append(row, part.Float())
	}
	return row
}

// Features returns the parts for the candidate that was ranked first.
func (c *Candidates) Features() []float64 {
	r, ranked := c.reading, c.List
	first, others := &ranked[0], ranked[1:]
	e, parts := &c.selector.entries[first.Entry], first.parts
	scores, mean := make([]float64, len(ranked)), 0.0
	for i := range ranked {
		scores[i] = ranked[i].score
		mean += ranked[i].score / float64(len(ranked))
	}
	parts.RankScore, parts.RankAboveMean = first.score, first.score-mean
	if len(others) > 0 {
		parts.RankLead = first.score - others[0].score
		farthest := slices.MaxFunc(others, func(a, b Candidate) int { return cmp.Compare(a.elsewhere, b.elsewhere) })
		parts.ElsewhereLead = first.elsewhere - farthest.elsewhere
	}
	lexical.Softmax(scores)
	parts.RankShare = lexical.Logit(scores[0])

	own := r.like[first.Entry]
	parts.Wording, parts.Answer = own[toWording], own[toPassage]
	parts.NearestText = max(own[toWording], own[toPassage])
	parts.WordingLead = own[toWording] - r.bestOther(first.Entry, toWording)
	parts.AnswerLead = own[toPassage] - r.bestOther(first.Entry, toPassage)
	parts.AnswerAboveMean = own[toPassage]
	for e := range r.like {
		parts.AnswerAboveMean -= r.like[e][toPassage] / float64(len(r.like))
	}
	parts.Unanswered = r.outOfScope - own[toWording]

	for _, word := range text.AppendWords(nil, c.question) {
		if strings.ContainsAny(word, "0123456789") {
			known := text.AppendWords(nil, strings.Join(e.Texts(), "\n"))
			parts.UnknownNumbers += lexical.Indicator(!slices.Contains(known, word))
		}
	}
	parts.Said, parts.OwnWordings = r.said, math.Log(float64(len(e.wordings)))
	parts.Wordings, parts.Entries = math.Log(c.selector.texts), math.Log(float64(len(r.like)))

	words := &first.Evidence
	parts.Length, parts.WordsNear = words[lexical.EvLength], words[lexical.EvNear]
	parts.WordsBM25, parts.WordsCoverage = words[lexical.EvBM25], words[lexical.EvCoverage]
	return parts.row()
}

// bestOther returns the greatest similarity of a kind among the other entries. There is one, because the encoder is not
// used for a single entry (sourcesOf).
func (r *scoredQuery) bestOther(entry, kind int) float64 {
	best := math.Inf(-1)
	for e := range r.like {
		if e != entry {
			best = max(best, r.like[e][kind])
		}
	}
	return best
}
