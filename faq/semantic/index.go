package semantic

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/faq/encoder"
	"frontdesk/faq/text"
)

// MaxEntries is how many entries the encoder reads, each with its question and its answer. The questions of larger
// content are answered by words only.
const MaxEntries = 1500

// The texts of a content that are encoded: of a large one fewer alternates of each entry, so that a first start
// takes a minute at most.
const (
	maxTexts    = 2 * MaxEntries
	maxWordings = 48 // of an entry
	pieceTexts  = 6  // wordings of an entry whose pieces are compared
)

// index holds what the texts of the entries mean.
type index struct {
	encoder    Encoder
	entries    []entry
	outOfScope []encoder.Vector  // questions that the owner wants unanswered
	others     []encoder.Vector  // questions that facts do not answer
	rarity     map[int32]float64 // by piece: how few entries have it
	unseen     float64           // rarity of a piece that none has
	texts      float64           // wordings of an entry of the owner, on average
}

// entry is what one entry means, and its words.
type entry struct {
	wordings     []encoder.Vector
	centroid     encoder.Vector
	passage      encoder.Vector // nil if it has no answer
	pieces       *encoder.Rows
	wordingParts []part
	sentences    []encoder.Vector // of its answer
	numbers      []string         // in its wordings and its answer
	isFact       bool
	isPrice      bool
}

// mostWordings returns how many wordings of each entry are encoded: none of content that the encoder cannot read, or
// that is too large, and none without an embedder.
func (r *Embedder) mostWordings(entries []content.Entry) int {
	most := min(maxWordings, maxTexts/max(len(entries), 1)-1)
	if r == nil || len(entries) < 2 || most < 1 {
		return 0
	}
	var sample []string
	for i := range entries[:min(len(entries), sampledEntries)] {
		sample = append(append(sample, entries[i].Question), entries[i].Alternates...)
	}
	if !r.reads(strings.Join(sample, " ")) {
		return 0
	}
	return most
}

// sampledEntries are how many entries show in which script content is written.
const sampledEntries = 100

// sourcesOf lists the texts that are encoded: of each entry its wordings, at most so many, then its answer, and at last
// the unanswered questions and those that facts do not answer.
func sourcesOf(entries []content.Entry, unanswered []string, most int) [][]encoder.Text {
	sources := make([][]encoder.Text, len(entries)+2)
	for i := range entries {
		e := &entries[i]
		wordings := append([]string{e.Question}, e.Alternates...)
		n := min(len(wordings), most)
		for j := range n {
			sources[i] = append(sources[i], encoder.Text{Kind: encoder.Query, Text: wordings[j*(len(wordings)-1)/max(n-1, 1)]})
		}
		if e.Answer != "" {
			sources[i] = append(sources[i], encoder.Text{Kind: encoder.Passage, Text: e.Question + " " + e.Answer})
		}
		for _, q := range e.Others {
			sources[len(entries)+1] = append(sources[len(entries)+1], encoder.Text{Kind: encoder.Query, Text: q})
		}
	}
	for _, q := range unanswered {
		sources[len(entries)] = append(sources[len(entries)], encoder.Text{Kind: encoder.Query, Text: q})
	}
	return sources
}

// Prepare encodes what New will need for content, and questions that will be asked, until ctx ends. It keeps in the
// file what is in use and forgets the rest. The vectors stay in memory until release is called, also after an error.
func (r *Embedder) Prepare(ctx context.Context, entries []content.Entry, unanswered, questions []string) (
	release func(), err error,
) {
	release = r.Hold()
	most := r.mostWordings(entries)
	if most == 0 {
		return release, nil
	}
	sources := slices.Concat(sourcesOf(entries, unanswered, most)...)
	for _, q := range questions {
		sources = append(sources, encoder.Text{Kind: encoder.Query, Text: Canonical(q)})
	}
	missing := r.store.missing(sources)
	r.total.Store(int64(len(sources)))
	r.done.Store(int64(len(sources) - len(missing)))
	err = r.store.encode(ctx, missing, r.workers, func(n int) { r.done.Add(int64(n)) })
	if err == nil {
		r.store.keep(sources)
	}
	return release, err
}

// workers is how many processors encode texts of the content at once.
func (r *Embedder) workers() int {
	all := runtime.GOMAXPROCS(0)
	if r.serving.Load() {
		return max(all/2, 1)
	}
	return all
}

// newIndex makes the index of entries from their sources; what Prepare has not encoded is encoded now.
func newIndex(r *Embedder, entries []content.Entry, sources [][]encoder.Text) *index {
	x := &index{encoder: r.Encoder, entries: make([]entry, len(entries))}
	total, own := 0, 0
	for i := range entries {
		e := &x.entries[i]
		words := text.AppendWords(nil, entries[i].Answer)
		for _, wording := range append([]string{entries[i].Question}, entries[i].Alternates...) {
			words = text.AppendWords(words, wording)
		}
		e.numbers, e.isFact, e.isPrice = numbersIn(words), entries[i].IsFact, entries[i].IsPrice()
		if !entries[i].IsFact {
			own++
			total += 1 + len(entries[i].Own())
		}
	}
	x.texts = float64(total) / float64(max(own, 1))
	x.encode(r, sources)
	return x
}

func (x *index) encode(r *Embedder, sources [][]encoder.Text) {
	defer r.Hold()()
	all := slices.Concat(sources...)
	_ = r.store.encode(context.Background(), r.store.missing(all), r.workers, func(int) {}) // has no end
	texts := make([]*encoded, len(all))
	for i, t := range all {
		texts[i] = r.store.get(r.keyOf(t))
	}
	having := map[int32]float64{}
	for i := range x.entries {
		n := len(sources[i])
		x.entries[i].learn(r.Encoder, sources[i], texts[:n], having)
		texts = texts[n:]
	}
	for i, t := range texts {
		if i < len(sources[len(x.entries)]) {
			x.outOfScope = append(x.outOfScope, t.whole)
		} else {
			x.others = append(x.others, t.whole)
		}
	}
	rarity := func(count float64) float64 { return math.Log((float64(len(x.entries)) + 1) / (count + 0.5)) }
	x.rarity, x.unseen = map[int32]float64{}, rarity(0)
	for id, count := range having {
		x.rarity[id] = rarity(count)
	}
}

// learn takes the texts of the entry, and counts in having each of its pieces once.
func (e *entry) learn(enc Encoder, sources []encoder.Text, texts []*encoded, having map[int32]float64) {
	sum := make(encoder.Vector, vectorSize)
	var rows []encoder.Row
	seen := map[int32]bool{}
	for i, t := range texts {
		if sources[i].Kind == encoder.Passage {
			e.passage = t.whole
		} else {
			e.wordings = append(e.wordings, t.whole)
			for j := range sum {
				sum[j] += t.whole[j]
			}
		}
		if sources[i].Kind == encoder.Query && i >= pieceTexts {
			continue
		}
		e.addParts(enc, sources[i].Kind, t.pieces, len(rows))
		for _, p := range t.pieces {
			rows = append(rows, p.row)
			if !seen[p.id] {
				seen[p.id] = true
				having[p.id]++
			}
		}
	}
	e.centroid = centre(sum, nil)
	e.pieces = encoder.NewRows(rows)
}

// The kinds of similarity of a question to an entry.
const (
	toWording  = iota // the nearest of its wordings
	toCentroid        // all its wordings together
	toPassage         // its question and answer
	similarityKinds
)

// spread is about the standard deviation of each kind, to bring them to one size.
var spread = [similarityKinds]float64{0.125, 0.125, 0.11}

// similarity is how alike a question and an entry are, in standard deviations.
type similarity [similarityKinds]float64

// scoredQuery is a question as vectors, centred, with its similarity to every entry.
type scoredQuery struct {
	whole      encoder.Vector
	words      []word
	pieces     []float32 // their vectors, one after the other
	rarities   []float64 // of the pieces
	like       []similarity
	outOfScope float64 // similarity to the nearest question that the owner wants unanswered; notAsked without any
}

// notAsked is the similarity to the questions that the owner wants unanswered where there are none.
const notAsked = -4

// read compares the vectors of a question with every entry.
func (x *index) read(question *encoded) *scoredQuery {
	r := &scoredQuery{like: make([]similarity, len(x.entries)), outOfScope: notAsked}
	q := question.whole
	r.whole = q
	for i := range x.entries {
		e, l := &x.entries[i], &r.like[i]
		nearest := float32(-1)
		for _, w := range e.wordings {
			nearest = max(nearest, encoder.Cosine(q, w))
		}
		l[toWording] = float64(nearest) / spread[toWording]
		l[toCentroid] = float64(encoder.Cosine(q, e.centroid)) / spread[toCentroid]
		if e.passage != nil {
			l[toPassage] = float64(encoder.Cosine(q, e.passage)) / spread[toPassage]
		}
	}
	for _, s := range x.outOfScope {
		r.outOfScope = max(r.outOfScope, float64(encoder.Cosine(q, s))/spread[toWording])
	}
	r.pieces = make([]float32, 0, len(question.pieces)*vectorSize)
	for _, p := range question.pieces {
		r.pieces = p.row.Append(r.pieces)
		rarity, known := x.rarity[p.id]
		if !known {
			rarity = x.unseen
		}
		r.rarities = append(r.rarities, rarity)
	}
	r.words = segment(x.encoder, question.pieces).words
	return r
}

// nearest returns the entries that mean most nearly what the question means.
func (x *index) nearest(r *scoredQuery, live func(int) bool, most int) []int {
	var order []int
	for e := range x.entries {
		if live(e) {
			order = append(order, e)
		}
	}
	sum := func(e int) float64 { return r.like[e][toWording] + r.like[e][toPassage] + r.like[e][toCentroid]/2 }
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(sum(b), sum(a)), cmp.Compare(a, b)) })
	return order[:min(most, len(order))]
}
