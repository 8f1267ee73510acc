package lexical

import (
	"cmp"
	"math"
	"slices"
)

// Evidence is what speaks for and against an entry as the answer to a question.
type Evidence [EvidenceSize]float64

// The parts of the evidence. A lead is the difference to the best other entry.
const (
	EvNear = iota // similarity of its nearest wording
	EvNearLead
	EvMean // similarity of its wordings, on average
	EvMeanLead
	EvBM25 // BM25, as a share of what a perfect entry would get
	EvBM25Lead
	EvCoverage // share of the question's words that it has, weighted by rarity
	EvSeen     // share of them that the content has, weighted likewise
	EvLength   // logarithm of the number of words in the question
	EvEntries  // logarithm of the number of entries
	EvWordings // logarithm of the number of the entry's wordings
	EvidenceSize
)

// products are the pairs of parts whose product is evidence of its own.
var products = [...][2]int{
	{EvNear, EvNear}, {EvBM25, EvBM25}, {EvCoverage, EvCoverage}, {EvMean, EvMean}, {EvNear, EvCoverage},
	{EvBM25, EvCoverage}, {EvNear, EvWordings}, {EvBM25, EvWordings}, {EvMean, EvWordings}, {EvCoverage, EvWordings},
	{EvSeen, EvSeen}, {EvSeen, EvNear}, {EvNear, EvLength}, {EvBM25, EvLength}, {EvCoverage, EvLength},
}

// Terms returns the evidence, its products, and a constant.
func (e *Evidence) Terms() []float64 {
	terms := append(make([]float64, 0, EvidenceSize+len(products)+1), e[:]...)
	for _, p := range products {
		terms = append(terms, e[p[0]]*e[p[1]])
	}
	return append(terms, 1)
}

// Pair is an entry that may answer a question, with what words say for and against it.
type Pair struct {
	Entry    int
	Score    float64 // by which words rank it
	Evidence Evidence
}

// Weights in the score, in which the similarity of the nearest wording has 1: of BM25, and of the mean similarity times
// the logarithm of the average number of wordings.
const wordShare, meanShare = 1.5, 1.5

// Weigh returns the live entries whose words are closest to the question, best first, and the live ones of also. The
// evidence of each is what it would be if that entry had been ranked first. unanswered is the similarity of the nearest
// question that the owner wants unanswered.
func (x *Selector) Weigh(question string, live func(entry int) bool, also []int) (pairs []Pair, unanswered float64) {
	q := x.read(question)
	nearness := make([]float64, len(x.owners))
	for _, f := range x.vector(q) {
		for _, p := range x.wordings[f.place] {
			nearness[p.place] += f.value * p.value
		}
	}
	all := make([]Pair, len(x.entries))
	for place, owner := range x.owners {
		if owner == NoEntry {
			unanswered = max(unanswered, nearness[place])
		} else {
			e := &all[owner].Evidence
			e[EvNear] = max(e[EvNear], nearness[place])
			e[EvMean] += nearness[place] / x.owned[owner]
		}
	}
	x.matchWords(q, all)
	usual := math.Log(max(1, float64(len(x.owners))/float64(max(1, len(x.entries)))))
	for i := range all {
		p := &all[i]
		p.Entry = i
		p.Score = p.Evidence[EvNear] + wordShare*p.Evidence[EvBM25] + meanShare*p.Evidence[EvMean]*usual
	}
	isAlso := func(p Pair) bool { return slices.Contains(also, p.Entry) }
	pairs = slices.DeleteFunc(all, func(p Pair) bool { return !live(p.Entry) || p.Score <= 0 && !isAlso(p) })
	lead(pairs, EvNear, EvNearLead)
	lead(pairs, EvMean, EvMeanLead)
	lead(pairs, EvBM25, EvBM25Lead)
	// Most entries go first: sorting them all would take most of the time when there are many.
	least := highest(pairs, shortlist)
	pairs = slices.DeleteFunc(pairs, func(p Pair) bool { return p.Score < least && !isAlso(p) })
	slices.SortFunc(pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Entry, b.Entry))
	})
	first := min(len(pairs), shortlist)
	pairs = append(pairs[:first], slices.DeleteFunc(pairs[first:], func(p Pair) bool { return !isAlso(p) })...)
	for i := range pairs {
		e := &pairs[i].Evidence
		e[EvWordings] = math.Log(x.owned[pairs[i].Entry])
		e[EvLength] = math.Log1p(float64(len(q.stems)))
		e[EvEntries] = math.Log(float64(len(x.entries)))
	}
	return pairs, unanswered
}

// shortlist is how many entries are weighed at most because of their words.
const shortlist = 24

// highest returns the nth highest score of pairs, or 0 if there are fewer.
func highest(pairs []Pair, n int) float64 {
	var scores []float64 // the n highest so far, ascending
	for i := range pairs {
		score := pairs[i].Score
		if len(scores) == n && score <= scores[0] {
			continue
		}
		at, _ := slices.BinarySearch(scores, score)
		scores = slices.Insert(scores, at, score)
		scores = scores[max(0, len(scores)-n):]
	}
	if len(scores) < n {
		return 0
	}
	return scores[0]
}

// matchWords fills in BM25, coverage, and the share of words that the content has.
func (x *Selector) matchWords(q query, all []Pair) {
	var weights, seen float64
	for _, stem := range q.stems {
		number, known := x.stems[stem]
		if !known {
			weights += x.rarity(stem, 0)
			continue
		}
		weights += x.weight[number]
		if len(x.bags[number]) > 0 {
			seen += x.weight[number]
		}
		for _, p := range x.bags[number] {
			all[p.place].Evidence[EvBM25] += p.value
			all[p.place].Evidence[EvCoverage] += x.weight[number]
		}
	}
	weights = max(weights, 1e-9)
	for i := range all {
		e := &all[i].Evidence
		e[EvBM25] /= perfect * weights
		e[EvCoverage] /= weights
		e[EvSeen] = seen / weights
	}
}

// lead fills in the difference of each entry to the best other one.
func lead(pairs []Pair, part, into int) {
	best, next := 0.0, 0.0
	for i := range pairs {
		if v := pairs[i].Evidence[part]; v > best {
			best, next = v, best
		} else {
			next = max(next, v)
		}
	}
	for i := range pairs {
		e, other := &pairs[i].Evidence, best
		if e[part] == best {
			other = next
		}
		e[into] = e[part] - other
	}
}
