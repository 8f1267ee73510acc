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
		for _, p := range f.wordings {
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
	closest := closestOf(pairs)
	others := slices.DeleteFunc(pairs, func(p Pair) bool {
		return !isAlso(p) || byScore(p, closest[len(closest)-1]) <= 0 // p is among the closest
	})
	slices.SortFunc(others, byScore)
	pairs = append(closest, others...)
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

// closestOf returns the pairs with the highest scores, at most shortlist, the highest first. It does not sort all
// pairs, because with many entries that would take most of the time.
func closestOf(pairs []Pair) []Pair {
	closest := make([]Pair, 0, shortlist+1)
	for _, p := range pairs {
		if len(closest) == shortlist && p.Score <= closest[shortlist-1].Score {
			continue
		}
		at, _ := slices.BinarySearchFunc(closest, p, byScore)
		closest = slices.Insert(closest, at, p)
		closest = closest[:min(len(closest), shortlist)]
	}
	return closest
}

func byScore(a, b Pair) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Entry, b.Entry))
}

// matchWords fills in BM25, coverage, and the share of words that the content has.
func (x *Selector) matchWords(q query, all []Pair) {
	var weights, seen float64
	for _, stem := range q.stems {
		f := x.stems[stem]
		if f == nil {
			weights += x.rarity(stem, 0)
			continue
		}
		weights += f.weight
		if len(f.bag) > 0 {
			seen += f.weight
		}
		for _, p := range f.bag {
			all[p.place].Evidence[EvBM25] += p.value
			all[p.place].Evidence[EvCoverage] += f.weight
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
		v := pairs[i].Evidence[part]
		best, next = max(best, v), max(next, min(best, v))
	}
	for i := range pairs {
		e, other := &pairs[i].Evidence, best
		if e[part] == best {
			other = next
		}
		e[into] = e[part] - other
	}
}
