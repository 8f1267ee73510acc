package lexical

import (
	"frontdesk/content"
)

// corpus is the wordings of the content as vectors.
type corpus struct {
	space   *space
	vectors []vector
	entry   []int32   // by text
	texts   [][]int32 // by entry
	own     int       // texts that belong to an entry
}

// wording is a question of an entry, or of none.
type wording struct {
	text  string
	entry int32
}

// NoEntry is the entry of a question that is out of scope.
const NoEntry = -1

// wordings lists the question and the alternates of each entry, and then the unanswered questions.
func wordings(entries []content.Entry, unanswered []string) []wording {
	var all []wording
	for i := range entries {
		all = append(all, wording{entries[i].Question, int32(i)})
		for _, alternate := range entries[i].Alternates {
			all = append(all, wording{alternate, int32(i)})
		}
	}
	for _, question := range unanswered {
		all = append(all, wording{question, NoEntry})
	}
	return all
}

// newCorpus reads the wordings of so many entries.
func newCorpus(all []wording, entries int, spoken language, background *Background) *corpus {
	s := newSpace(chooseProfile(spoken, len(all), entries), background)
	r := &reader{space: s}
	features, counts := r.learn(all)
	renumbered := s.weigh(counts, len(all))
	c := &corpus{space: s, vectors: make([]vector, len(all)), entry: make([]int32, len(all)), texts: make([][]int32, entries), own: owned(all)}
	r.counts = make([]uint16, len(s.kind))
	for i, w := range all {
		if c.entry[i] = w.entry; w.entry != NoEntry {
			c.texts[w.entry] = append(c.texts[w.entry], int32(i))
		}
		c.vectors[i] = r.vector(features[i], renumbered)
		features[i] = nil
	}
	return c
}

// learn returns the features of each wording, each as often as it occurs there, and for
// each feature how many wordings have it.
func (r *reader) learn(all []wording) (features [][]feature, counts []int32) {
	features = make([][]feature, len(all))
	var last []int32 // wording that was counted
	for i, w := range all {
		r.features(w.text, true, func(f feature) {
			for int(f) >= len(counts) {
				counts, last = append(counts, 0), append(last, -1)
			}
			if last[f] != int32(i) {
				last[f] = int32(i)
				counts[f]++
			}
			features[i] = append(features[i], f)
		})
	}
	return features, counts
}

// vector makes the vector of learnt features, which have new numbers since.
func (r *reader) vector(learnt, renumbered []feature) vector {
	r.ids = r.ids[:0]
	for _, old := range learnt {
		if f := renumbered[old]; f != absent {
			if r.counts[f] == 0 {
				r.ids = append(r.ids, f)
			}
			r.counts[f]++
		}
	}
	v := vector{make([]feature, 0, len(r.ids)), make([]float32, 0, len(r.ids))}
	r.fill(&v)
	return v
}

// owned is how many of the wordings belong to an entry.
func owned(all []wording) (n int) {
	for _, w := range all {
		if w.entry != NoEntry {
			n++
		}
	}
	return n
}
