package faq

import (
	"slices"

	"frontdesk/content"
)

// BM25 over one document an entry: its question and alternates in one bag, so that
// what any of them says speaks for the entry. The constants are usual ones: halving
// or doubling them changed the figures of TestMeasured by a point at most.
const (
	saturation  = 1.5  // k1: how fast a repeated word stops adding
	lengthShare = 0.75 // b: how much a long document is held back
	pairShare   = 0.2  // what a pair of neighbours counts beside a word
)

// The words of the answer stand in for wordings that an entry does not have. Where
// it has some, they mislead as often as they help.
const (
	answerShare   = 0.1
	fewAlternates = 3
)

// index finds entries by their words.
type index struct {
	*vocabulary
	postings [][]posting // by term, in the order of the entries
	wordings [][]wording // by entry: the question and the alternates
}

// posting is what a term adds to the score of an entry.
type posting struct {
	entry int32
	score float32
}

// wording is the question or an alternate of an entry.
type wording struct {
	words  []term // sorted, each once
	weight float32
}

func newIndex(entries []content.Entry) *index {
	x := &index{vocabulary: newVocabulary(), wordings: make([][]wording, len(entries))}
	bags := make([]bag, len(entries))
	for i := range entries {
		bags[i], x.wordings[i] = x.read(&entries[i])
	}
	x.weigh(having(bags, len(x.common)), len(entries))
	x.post(bags)
	for _, wordings := range x.wordings {
		for i := range wordings {
			wordings[i].weight = x.sum(wordings[i].words)
		}
	}
	return x
}

// post works out what each term adds to the score of each entry.
func (x *index) post(bags []bag) {
	var total float32
	for i := range bags {
		total += bags[i].length
	}
	average := max(total, 1) / float32(max(len(bags), 1))
	x.postings = make([][]posting, len(x.common))
	for i := range bags {
		norm := saturation * (1 - lengthShare + lengthShare*bags[i].length/average)
		for _, t := range bags[i].terms {
			count := bags[i].counts[t]
			score := x.weight[t] * count * (saturation + 1) / (count + norm)
			x.postings[t] = append(x.postings[t], posting{entry: int32(i), score: score})
		}
	}
}

// sum is the weight of all terms.
func (x *index) sum(terms []term) float32 {
	var sum float32
	for _, t := range terms {
		sum += x.weight[t]
	}
	return sum
}

// shared is the weight of the terms that also stand in others, which is sorted.
func (x *index) shared(terms, others []term) float32 {
	var sum float32
	for _, t := range terms {
		if _, has := slices.BinarySearch(others, t); has {
			sum += x.weight[t]
		}
	}
	return sum
}
