package faq

import "slices"

// query is a question as terms of the content, each once.
type query struct {
	subject    []term  // words of the subject
	common     []term  // common words
	pairs      []term  // neighbours
	weight     float32 // of all its words, also those that the content has not
	hasSubject bool    // some word is of the subject, known to the content or not
}

// read fills q with a question, reusing its memory.
func (q *query) read(question string, x *index) {
	*q = query{subject: q.subject[:0], common: q.common[:0], pairs: q.pairs[:0]}
	previous := unknown
	for word := range words(question) {
		t, weight, common := x.word(word)
		kind := &q.subject
		if common {
			kind = &q.common
		}
		if addOnce(kind, t) || t == unknown {
			q.weight += weight
		}
		addOnce(&q.pairs, x.pair(previous, t))
		q.hasSubject = q.hasSubject || !common
		previous = t
	}
}

// addOnce adds a known term that is not there yet, and reports whether it did.
func addOnce(terms *[]term, t term) bool {
	if t == unknown || slices.Contains(*terms, t) {
		return false
	}
	*terms = append(*terms, t)
	return true
}
