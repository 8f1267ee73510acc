package faq

import "slices"

// query is a question as terms of the content.
type query struct {
	words      []term // each once
	pairs      []term
	weight     float32 // of all its words, also those that the content has not
	hasSubject bool    // some word is not a common one
}

// read fills q with a question, reusing its memory.
func (q *query) read(question string, x *index) {
	*q = query{words: q.words[:0], pairs: q.pairs[:0]}
	previous := unknown
	for word := range words(question) {
		t, weight, common := x.word(word)
		if !slices.Contains(q.words, t) {
			q.weight += weight
		}
		q.hasSubject = q.hasSubject || !common
		q.addTerms(t, x.pair(previous, t))
		previous = t
	}
}

func (q *query) addTerms(word, pair term) {
	if word != unknown && !slices.Contains(q.words, word) {
		q.words = append(q.words, word)
	}
	if pair != unknown && !slices.Contains(q.pairs, pair) {
		q.pairs = append(q.pairs, pair)
	}
}
