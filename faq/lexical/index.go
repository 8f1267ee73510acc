package lexical

import (
	"math"
	"sync"

	"frontdesk/content"
	"frontdesk/faq/text"
)

// index scores the entries for a question.
type index struct {
	space     *space
	vectors   []vector  // by text
	entry     []int32   // by text
	texts     [][]int32 // by entry
	own       int       // texts that belong to an entry
	words     *bm25
	centroids []vector // by entry
	stems     []map[feature]bool
	alike     []float64 // by entry: mean similarity of two of its wordings; one where it has one
	known     []bool    // by feature: some entry has it
	machines  *matrix   // nil where the content is too large for them
	entries   int
	scratches sync.Pool
}

// denseSize is the most weights, entries times features, that are trained.
const denseSize = 16_000_000

func newIndex(entries []content.Entry, all []wording, background *Background, dense bool) *index {
	// The counts of general English say nothing about another language.
	english := text.IsEnglish(sampleWords(all))
	if !english {
		background = new(Background)
	}
	s := newSpace(chooseProfile(english, len(all), len(entries)), background)
	x := &index{
		space: s, words: newBM25(entries, s), entries: len(entries),
		vectors: make([]vector, len(all)), entry: make([]int32, len(all)), texts: make([][]int32, len(entries)),
	}
	x.scratches.New = func() any { return newScratch(x) }
	r := &reader{space: s}
	s.weigh(r.learn(all), len(all))
	for i, w := range all {
		if x.entry[i] = w.entry; w.entry != NoEntry {
			x.texts[w.entry] = append(x.texts[w.entry], int32(i))
			x.own++
		}
		r.read(w.text, &x.vectors[i])
	}
	if features := len(x.space.kind); dense && features*len(entries) <= denseSize && len(entries) > 1 {
		x.machines = trainSVM(x.vectors, x.entry, features, len(entries))
	}
	x.centroids = make([]vector, len(entries))
	x.stems = make([]map[feature]bool, len(entries))
	x.alike = make([]float64, len(entries))
	x.known = make([]bool, len(x.space.kind))
	sums := make([]float32, len(x.space.kind))
	for e := range entries {
		x.centroids[e] = x.centroid(e, sums)
		x.stems[e] = map[feature]bool{}
		for _, f := range x.centroids[e].ids {
			x.known[f] = true
			if x.space.kind[f] == stems {
				x.stems[e][f] = true
			}
		}
	}
	x.space.gatherVocabulary(x.known)
	return x
}

// centroid is the direction of all wordings of an entry together; how alike they are is
// kept. sums is working memory, zero before and after.
func (x *index) centroid(entry int, sums []float32) vector {
	var ids []feature
	for _, t := range x.texts[entry] {
		v := &x.vectors[t]
		for i, f := range v.ids {
			if sums[f] == 0 {
				ids = append(ids, f)
			}
			sums[f] += v.values[i]
		}
	}
	var square float64
	values := make([]float32, len(ids))
	for i, f := range ids {
		values[i] = sums[f]
		square += float64(sums[f]) * float64(sums[f])
		sums[f] = 0
	}
	scale := float32(1 / math.Sqrt(square+1e-12))
	x.alike[entry] = 1
	if n := float64(len(x.texts[entry])); n > 1 {
		longest := float64(x.space.longest())
		x.alike[entry] = (square/longest - n) / (n * (n - 1)) // without each to itself
	}
	for i := range values {
		values[i] *= scale
	}
	return vector{ids, values}
}

// sampleWords are the words of the first wordings, enough to recognise the language.
func sampleWords(all []wording) (words []string) {
	for _, w := range all[:min(len(all), 1000)] {
		words = text.AppendWords(words, w.text)
	}
	return words
}
