package faq

import (
	"slices"

	"frontdesk/content"
)

// bag counts the terms of one entry.
type bag struct {
	terms  []term // in the order of the text, each once, so that sums never vary
	counts map[term]float32
	length float32 // in words
}

func (b *bag) add(t term, count float32) {
	if _, counted := b.counts[t]; !counted {
		b.terms = append(b.terms, t)
	}
	b.counts[t] += count
}

// read gives the bag and the wordings of an entry.
func (x *index) read(entry *content.Entry) (bag, []wording) {
	b := bag{counts: map[term]float32{}}
	wordings := make([]wording, 0, 1+len(entry.Alternates))
	wordings = append(wordings, x.readWording(entry.Question, &b))
	for _, alternate := range entry.Alternates {
		wordings = append(wordings, x.readWording(alternate, &b))
	}
	if len(entry.Alternates) < fewAlternates {
		for word := range words(entry.Answer) {
			b.add(x.learn(word), answerShare)
			b.length += answerShare
		}
	}
	return b, wordings
}

func (x *index) readWording(text string, b *bag) wording {
	var found []term
	previous := unknown
	for word := range words(text) {
		t := x.learn(word)
		b.add(t, 1)
		b.length++
		if previous != unknown {
			b.add(x.learnPair(previous, t), pairShare)
		}
		previous = t
		found = append(found, t)
	}
	return wording{words: sorted(found)}
}

// sorted sorts terms in place and leaves each once.
func sorted(terms []term) []term {
	slices.Sort(terms)
	return slices.Clip(slices.Compact(terms))
}

// having counts for each term the bags that hold it.
func having(bags []bag, terms int) []int {
	counts := make([]int, terms)
	for i := range bags {
		for _, t := range bags[i].terms {
			counts[t]++
		}
	}
	return counts
}
