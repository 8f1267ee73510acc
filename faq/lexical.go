package faq

import (
	"slices"
	"sync"

	"frontdesk/content"
)

// lexical selects by the words that a question shares with an entry.
type lexical struct {
	index *index
	desks sync.Pool // of *desk: a question allocates next to nothing
}

// desk is the working memory of one question.
type desk struct {
	query query
	// Scores by entry, all zero between questions: for the words of the subject, and
	// for the common words and the pairs.
	subject, manner []float32
	best            []ranked
}

// ranked is an entry with its score.
type ranked struct {
	entry int
	score float32
}

// kept is how many entries a question is ranked for.
const kept = Candidates

func newLexical(entries []content.Entry) *lexical {
	l := &lexical{index: newIndex(entries)}
	l.desks.New = func() any {
		return &desk{subject: make([]float32, len(entries)), manner: make([]float32, len(entries))}
	}
	return l
}

// Select implements Selector.
func (l *lexical) Select(question string, live func(int) bool) Choice {
	d := l.desks.Get().(*desk)
	defer l.desks.Put(d)
	d.query.read(question, l.index)
	if d.query.hasSubject && len(d.query.subject) == 0 {
		return Choice{}
	}
	l.index.add(d.query.subject, d.subject)
	l.index.add(d.query.common, d.manner)
	l.index.add(d.query.pairs, d.manner)
	d.rank(live)
	clear(d.subject)
	clear(d.manner)
	return l.index.choose(d)
}

// add adds what terms say for each entry.
func (x *index) add(terms []term, scores []float32) {
	for _, t := range terms {
		for _, p := range x.postings[t] {
			scores[p.entry] += p.score
		}
	}
}

// rank leaves in d.best the live entries with the highest scores; of equals the one
// that stands first in the content. An entry without a word of the subject is none
// of them, but a question of common words alone, such as "Who are you?", has no
// subject to hold against an entry.
func (d *desk) rank(live func(entry int) bool) {
	d.best = d.best[:0]
	for entry, score := range d.subject {
		if score == 0 && d.query.hasSubject {
			continue
		}
		score += d.manner[entry]
		full := len(d.best) == kept
		if score == 0 || full && score <= d.best[kept-1].score || !live(entry) {
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
