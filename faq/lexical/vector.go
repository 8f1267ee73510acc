package lexical

import (
	"math"
	"slices"

	"frontdesk/faq/text"
)

// vector is a text as weighted features.
type vector struct {
	ids    []feature
	values []float32
}

// reader reads texts. It is working memory, for one goroutine at a time.
type reader struct {
	space   *space
	words   []string
	stems   []feature // by word, absent for a new one
	ids     []feature // of the text, each once
	counts  []uint16  // by feature; zero between texts
	slipped float64   // squared weight of the words that a typing error hid
	unseen  float64   // squared weight of the words that the content has not
	share   float32   // how much of the question the content knows, as a factor of its length
}

// features returns all features of a text, each as often as it occurs there. When
// learn is true, new ones are numbered.
func (r *reader) features(s string, learn bool, yield func(feature)) {
	r.words = text.AppendWords(r.words[:0], s)
	r.stems = r.stems[:0]
	r.slipped = 0
	for i, word := range r.words {
		found := r.space.read(word, learn)
		if found.stem == absent {
			found = r.correct(i, word, found)
		}
		if r.stems = append(r.stems, found.stem); found.stem != absent {
			yield(found.stem)
		}
		for _, part := range found.parts {
			yield(part)
		}
	}
	if len(r.words) > 0 {
		r.joints(learn, yield)
	}
}

// correct gives the features of the word that a new word of a question was meant to be, or found if there is none.
func (r *reader) correct(at int, word string, found spelling) spelling {
	meant := r.space.correctSpelling(word)
	if meant == word {
		return found
	}
	read := r.space.read(meant, false)
	if read.stem == absent { // the stem of a stem may be another
		return found
	}
	r.words[at] = meant
	weight := float64(r.space.weight[read.stem])
	r.slipped += weight * weight
	return read
}

// furthest is how many words a skip reaches.
const furthest = 4

// joints gives the pairs and skips of the stems.
func (r *reader) joints(learn bool, yield func(feature)) {
	join := func(kind uint8, first, second feature) {
		if first == absent || second == absent {
			return
		}
		if number := numbered(r.space, r.space.joints, joint{kind, first, second}, kind, learn); number != absent {
			yield(number)
		}
	}
	previous := textStart
	for i, stem := range r.stems {
		join(pairs, previous, stem)
		previous = stem
		if r.space.profile.skips == 0 {
			continue
		}
		for _, later := range r.stems[min(i+2, len(r.stems)):min(i+furthest+1, len(r.stems))] {
			join(skips, stem, later)
		}
	}
	join(pairs, previous, textEnd)
}

// question makes the vector of a question. It is valid until the next call.
func (r *reader) question(s string, v *vector) {
	r.read(s, v)
	r.weighUnseen()
	r.shorten(v)
}

// read makes the vector of a text, in its memory.
func (r *reader) read(s string, v *vector) {
	if len(r.counts) < len(r.space.kind) {
		r.counts = make([]uint16, len(r.space.kind))
	}
	r.ids = r.ids[:0]
	r.features(s, false, func(f feature) {
		if r.counts[f] == 0 {
			r.ids = append(r.ids, f)
		}
		r.counts[f]++
	})
	r.fill(v)
}

// shorten lets words that do not occur in the content count toward the length of the
// question. Otherwise a question whose subject the content lacks would be as near to it as
// if the subject had not been mentioned. Where the content has none of its words, only
// parts of words are left to compare, and without stems a new word may be a form of a known
// one.
func (r *reader) shorten(v *vector) {
	r.share = 1
	var known float64
	for _, f := range v.ids {
		if r.space.kind[f] == stems {
			weight := float64(r.space.weight[f])
			known += weight * weight
		}
	}
	if r.unseen == 0 || known == 0 || !r.space.english {
		return
	}
	r.share = float32(math.Sqrt(known / (known + r.unseen)))
	for i := range v.values {
		v.values[i] *= r.share
	}
}

// weighUnseen weighs the words that do not occur in the content. A word that is common
// in general language says little, and so does its absence.
func (r *reader) weighUnseen() {
	r.unseen = slipShare * r.slipped
	for i, stem := range r.stems {
		if stem == absent {
			s := r.space
			weight := float64(s.inverse(backgroundShare * float64(s.background.stems[s.stemOf(r.words[i])])))
			r.unseen += weight * weight
		}
	}
}

// fill weighs the features of r.ids by their counts, which it clears.
func (r *reader) fill(v *vector) {
	v.ids, v.values = slices.Grow(v.ids[:0], len(r.ids)), slices.Grow(v.values[:0], len(r.ids))
	var squares [kinds]float32
	for _, f := range r.ids {
		value := r.space.weight[f]
		if r.counts[f] > 1 {
			value *= 1 + float32(math.Log(float64(r.counts[f])))
		}
		r.counts[f] = 0
		squares[r.space.kind[f]] += value * value
		v.ids = append(v.ids, f)
		v.values = append(v.values, value)
	}
	p := &r.space.profile
	shares := [kinds]float32{stems: 1, pairs: p.pairs, skips: p.skips, grams: 1, concepts: p.concepts}
	var scales [kinds]float32
	for kind, square := range squares {
		if square > 0 {
			scales[kind] = shares[kind] / float32(math.Sqrt(float64(square)))
		}
	}
	for i, f := range v.ids {
		v.values[i] *= scales[r.space.kind[f]]
	}
}

// longest is the squared length of a vector that has features of every kind.
func (p *profile) longest() float32 {
	return 2 + p.concepts*p.concepts + p.pairs*p.pairs + p.skips*p.skips
}
