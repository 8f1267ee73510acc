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

// entry is an entry, what it means, and its words.
type entry struct {
	*content.Entry
	wordings     []encoder.Vector
	centroid     encoder.Vector
	passage      encoder.Vector // nil if it has no answer
	pieces       *encoder.Rows
	wordingWords [][]word         // their pieces are given by their rows
	sentences    []encoder.Vector // of its answer
}

// sampledEntries is how many entries readsAny looks at.
const sampledEntries = 100

// readsAny reports whether the encoder can read entries in any of their languages.
func (r *Embedder) readsAny(entries []content.Entry) bool {
	samples := map[string]string{}
	for i := range entries[:min(len(entries), sampledEntries)] {
		samples[entries[i].Lang] += " " + strings.Join(entries[i].Wordings(), " ")
	}
	for _, sample := range samples {
		if r.reads(sample) {
			return true
		}
	}
	return false
}

// sourcesOf lists the texts to encode: for each entry its first wordings and its answer, then the unanswered questions,
// then those that facts do not answer. It returns nil without an embedder, and for content that is too large or that
// the encoder cannot read.
func (r *Embedder) sourcesOf(entries []content.Entry, unanswered []string) [][]encoder.Text {
	most := min(maxWordings, maxTexts/max(len(entries), 1)-1)
	if r == nil || len(entries) < 2 || most < 1 || !r.readsAny(entries) {
		return nil
	}
	sources := make([][]encoder.Text, len(entries)+2)
	add := func(to int, kind encoder.Kind, text string) {
		sources[to] = append(sources[to], encoder.Text{Kind: kind, Text: text})
	}
	for i := range entries {
		e := &entries[i]
		wordings := e.Wordings()
		n := min(len(wordings), most)
		for j := range n {
			add(i, encoder.Query, wordings[j*(len(wordings)-1)/max(n-1, 1)])
		}
		if e.Answer != "" {
			add(i, encoder.Passage, e.Question+" "+e.Answer)
		}
		for _, q := range e.Others {
			add(len(entries)+1, encoder.Query, q)
		}
	}
	for _, q := range unanswered {
		add(len(entries), encoder.Query, q)
	}
	return sources
}

// Prepare encodes what New will need for content, and questions that will be asked, until ctx ends. It keeps in the
// file what is in use and forgets the rest. The vectors stay in memory until release is called, also after an error.
func (r *Embedder) Prepare(ctx context.Context, entries []content.Entry, unanswered, questions []string) (
	release func(), err error,
) {
	sources := slices.Concat(r.sourcesOf(entries, unanswered)...)
	if sources == nil {
		return func() {}, nil
	}
	release = r.Hold()
	for _, q := range questions {
		sources = append(sources, encoder.Text{Kind: encoder.Query, Text: Canonical(q)})
	}
	r.total.Store(int64(len(sources)))
	r.done.Store(0)
	err = r.encodeAll(ctx, sources, func(n int) { r.done.Add(int64(n)) })
	if err == nil {
		r.keep(sources)
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

// learn adds the vectors of an entry's texts, and counts each of its pieces once.
func (s *Selector) learn(e *entry, sources []encoder.Text) {
	var rows []encoder.Row
	seen := map[int]bool{}
	for i, source := range sources {
		t := s.embedder.get(source)
		if source.Kind == encoder.Passage {
			e.passage = t.whole
		} else {
			e.wordings = append(e.wordings, t.whole)
		}
		if source.Kind == encoder.Query && i >= pieceTexts {
			continue
		}
		e.addParts(s.embedder, source.Kind, t.pieces, len(rows))
		for _, p := range t.pieces {
			rows = append(rows, p.row)
			if !seen[p.id] {
				seen[p.id] = true
				s.having[p.id]++
			}
		}
	}
	e.centroid = centroid(e.wordings)
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
	said       float64   // the sum of their weights
	pieces     []float32 // their vectors, one after the other
	rarities   []float64 // of the pieces
	like       []similarity
	outOfScope float64 // similarity to the nearest question that the owner wants unanswered; notAsked without any
}

// notAsked is outOfScope if the owner wants no question unanswered.
const notAsked = -4

// read compares the vectors of a question with every entry.
func (s *Selector) read(question *encoded) *scoredQuery {
	q := question.whole
	r := &scoredQuery{whole: q, like: make([]similarity, len(s.entries)), outOfScope: notAsked}
	for i := range s.entries {
		e, l := &s.entries[i], &r.like[i]
		nearest := float32(-1)
		for _, w := range e.wordings {
			nearest = max(nearest, encoder.Cosine(q, w))
		}
		l[toWording] = float64(nearest) / spread[toWording]
		l[toCentroid] = float64(encoder.Cosine(q, e.centroid)) / spread[toCentroid]
		l[toPassage] = float64(encoder.Cosine(q, e.passage)) / spread[toPassage]
	}
	for _, other := range s.outOfScope {
		r.outOfScope = max(r.outOfScope, float64(encoder.Cosine(q, other))/spread[toWording])
	}
	r.pieces = make([]float32, 0, len(question.pieces)*vectorSize)
	for _, p := range question.pieces {
		r.pieces = p.row.Append(r.pieces)
		r.rarities = append(r.rarities, math.Log((float64(len(s.entries))+1)/(s.having[p.id]+0.5)))
	}
	r.words, _ = segment(s.embedder, question.pieces)
	for _, w := range r.words {
		r.said += w.weight
	}
	return r
}

// nearestByMeaning is how many entries become candidates by similarity of meaning.
const nearestByMeaning = 12

// nearest returns the entries whose meaning is closest to the question's.
func (s *Selector) nearest(r *scoredQuery, live func(int) bool) []int {
	var order []int
	for e := range s.entries {
		if live(e) {
			order = append(order, e)
		}
	}
	sum := func(e int) float64 { return r.like[e][toWording] + r.like[e][toPassage] + r.like[e][toCentroid]/2 }
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(sum(b), sum(a)), cmp.Compare(a, b)) })
	return order[:min(nearestByMeaning, len(order))]
}
