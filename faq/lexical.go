package faq

import (
	"slices"
	"sync"

	"frontdesk/content"
	"frontdesk/contract"
)

// lexical selects by the words that a question shares with an entry.
type lexical struct {
	index *index
	desks sync.Pool // of *desk: a question allocates next to nothing
}

// desk is the working memory of one question.
type desk struct {
	query  query
	scores []float32 // by entry; all zero between questions
	best   []ranked
}

// ranked is an entry with its score.
type ranked struct {
	entry int
	score float32
}

// kept is how many entries a question is ranked for: those that can be suggested,
// and a runner-up for the best of them.
const kept = max(contract.MaxSuggestions, 2)

func newLexical(entries []content.Entry) *lexical {
	l := &lexical{index: newIndex(entries)}
	l.desks.New = func() any { return &desk{scores: make([]float32, len(entries))} }
	return l
}

// Select implements Selector.
func (l *lexical) Select(question string, live func(int) bool) Choice {
	d := l.desks.Get().(*desk)
	defer l.desks.Put(d)
	d.query.read(question, l.index)
	l.index.score(&d.query, d.scores)
	d.rank(func(entry int) bool { return live(entry) && l.index.related(&d.query, entry) })
	clear(d.scores)
	return l.index.choose(d)
}

// score adds up what the terms of q say for each entry.
func (x *index) score(q *query, scores []float32) {
	for _, terms := range [...][]term{q.words, q.pairs} {
		for _, t := range terms {
			for _, p := range x.postings[t] {
				scores[p.entry] += p.score
			}
		}
	}
}

// related reports whether an entry is on the subject of q: whether a wording of it
// has a word of the subject. A question of common words alone, such as "Who are
// you?", has no subject to hold against an entry.
func (x *index) related(q *query, entry int) bool {
	if !q.hasSubject {
		return true
	}
	return slices.ContainsFunc(x.wordings[entry], func(w wording) bool {
		return slices.ContainsFunc(q.words, func(t term) bool {
			_, has := slices.BinarySearch(w.words, t)
			return has && !x.common[t]
		})
	})
}

// rank leaves in d.best the entries with the highest scores that are admitted; of
// equals the one that stands first in the content.
func (d *desk) rank(admitted func(entry int) bool) {
	d.best = d.best[:0]
	for entry, score := range d.scores {
		full := len(d.best) == kept
		if score == 0 || full && score <= d.best[kept-1].score || !admitted(entry) {
			continue
		}
		if full {
			d.best = d.best[:kept-1]
		}
		at := len(d.best)
		for at > 0 && d.best[at-1].score < score {
			at--
		}
		d.best = slices.Insert(d.best, at, ranked{entry, score})
	}
}
