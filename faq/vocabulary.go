package faq

import (
	"math"

	"github.com/kljensen/snowball/english"
)

// term is the number of a stem or of a pair of neighbouring stems.
type term int32

// unknown is the term of what no entry has.
const unknown term = -1

// vocabulary numbers the stems and pairs of the content and knows their weights.
type vocabulary struct {
	spellings map[string]term // as written in the content, so that most questions need no stemmer
	stems     map[string]term
	pairs     map[[2]term]term
	common    []bool    // by term
	weight    []float32 // by term: how much it tells
	rarest    float32   // what a word tells that no entry has
}

func newVocabulary() *vocabulary {
	return &vocabulary{
		spellings: map[string]term{},
		stems:     map[string]term{},
		pairs:     map[[2]term]term{},
	}
}

// learn gives the term of a word of the content.
func (v *vocabulary) learn(word string) term {
	if t, known := v.spellings[word]; known {
		return t
	}
	stem := english.Stem(word, false)
	t, known := v.stems[stem]
	if !known {
		t = v.add(isCommon(stem))
		v.stems[stem] = t
	}
	v.spellings[word] = t
	return t
}

// learnPair gives the term of two neighbouring words of the content.
func (v *vocabulary) learnPair(first, second term) term {
	key := [2]term{first, second}
	t, known := v.pairs[key]
	if !known {
		t = v.add(false)
		v.pairs[key] = t
	}
	return t
}

func (v *vocabulary) add(common bool) term {
	v.common = append(v.common, common)
	return term(len(v.common) - 1)
}

// weigh sets the weights from the number of entries that have each term.
func (v *vocabulary) weigh(having []int, entries int) {
	v.weight = make([]float32, len(v.common))
	for t := range v.weight {
		v.weight[t] = share(inverseFrequency(having[t], entries), v.common[t])
	}
	v.rarest = inverseFrequency(0, entries)
}

// inverseFrequency is BM25's, in the form that is never negative.
func inverseFrequency(having, entries int) float32 {
	n, all := float64(having), float64(entries)
	return float32(math.Log(1 + (all-n+0.5)/(n+0.5)))
}

// word gives the term and the weight of a word of a question, and whether it is a
// common one.
func (v *vocabulary) word(word string) (t term, weight float32, common bool) {
	t, known := v.spellings[word]
	if !known {
		stem := english.Stem(word, false)
		if t, known = v.stems[stem]; !known {
			common = isCommon(stem)
			return unknown, share(v.rarest, common), common
		}
	}
	return t, v.weight[t], v.common[t]
}

// pair gives the term of two neighbouring words of a question.
func (v *vocabulary) pair(first, second term) term {
	if t, known := v.pairs[[2]term{first, second}]; known {
		return t
	}
	return unknown
}
