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
	"frontdesk/faq/lexical"
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
	machines   *lexical.Machines // they tell the texts of an entry from those of the others
	outOfScope []encoder.Vector  // questions that the owner wants unanswered
	others     []encoder.Vector  // questions that facts do not answer
	content    [contentParts]float64
	rarity     map[int32]float64 // by piece: how few entries have it
	unseen     float64           // rarity of a piece that none has
	texts      float64           // wordings of an entry of the owner, on average
}

// leastOutOfScope is how many questions that the owner wants unanswered are enough to train a machine of them.
const leastOutOfScope = 10

// What the content says about how it will be asked: customers search long help pages in words close to them, and tell
// a small business a story.
const (
	answerLength     = iota // words of an answer, as a logarithm
	answerSimilarity        // similarity of the questions of the entries to their answers
	entrySimilarity         // similarity of an entry to the nearest other one
	contentParts
)

// mostDescribed is how many entries are compared with each other to describe the content.
const mostDescribed = 200

func (x *index) describe() {
	some := x.entries[:min(len(x.entries), mostDescribed)]
	for i := range some {
		e := &some[i]
		x.content[answerLength] += math.Log1p(float64(e.answerWords))
		if e.answer != nil && len(e.wordingParts) > 0 {
			x.content[answerSimilarity] += float64(encoder.Cosine(e.wordingParts[0].weighted, e.answer))
		}
		nearest := float32(-1)
		for j := range some {
			if j != i {
				nearest = max(nearest, encoder.Cosine(e.centroid, some[j].centroid))
			}
		}
		x.content[entrySimilarity] += float64(nearest)
	}
	for i := range x.content {
		x.content[i] /= float64(len(some))
	}
}

// entry is what one entry means, and its words.
type entry struct {
	wordings     []encoder.Vector
	centroid     encoder.Vector
	passage      encoder.Vector // nil if it has no answer
	pieces       *encoder.Rows
	wordingParts []part
	sentences    []part         // of its answer
	answer       encoder.Vector // words that say more counting more; nil if it has no answer
	numbers      []string       // in its wordings and its answer

	answerWords int // how many words its answer has
	count       int // of wordings
	isFact      bool
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
	sources := slices.Concat(sourcesOf(entries, slices.Concat(unanswered, questions), most)...)
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
		e.count = 1 + len(entries[i].Alternates)
		words := text.AppendWords(nil, entries[i].Answer)
		e.answerWords = len(words)
		for _, wording := range append([]string{entries[i].Question}, entries[i].Alternates...) {
			words = text.AppendWords(words, wording)
		}
		e.numbers, e.isFact = numbersIn(words), entries[i].IsFact
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
	vectors := make([][]float32, len(all))
	for i, t := range all {
		texts[i] = r.store.get(r.keyOf(t))
		vectors[i] = texts[i].whole
	}
	having := map[int32]float64{}
	var owners []int32
	for i := range x.entries {
		n := len(sources[i])
		x.entries[i].learn(r.Encoder, sources[i], texts[:n], having)
		texts = texts[n:]
		owners = append(owners, slices.Repeat([]int32{int32(i)}, n)...)
	}
	for _, t := range texts[len(texts)-len(sources[len(x.entries)+1]):] {
		x.others = append(x.others, t.whole)
	}
	texts, vectors = texts[:len(texts)-len(x.others)], vectors[:len(vectors)-len(x.others)]
	owner, machines := int32(lexical.NoEntry), len(x.entries)
	if len(texts) >= leastOutOfScope {
		owner, machines = int32(machines), machines+1
	}
	owners = append(owners, slices.Repeat([]int32{owner}, len(texts))...)
	x.machines = lexical.TrainMachines(vectors, owners, machines)
	for _, t := range texts {
		x.outOfScope = append(x.outOfScope, t.whole)
	}
	x.describe()
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
	byMachine         // what the machine of the entry says of it
	similarityes
)

// spread is about the standard deviation of each kind, to bring them to one size.
var spread = [similarityes]float64{0.125, 0.125, 0.11, 0.2}

// similarity is how alike a question and an entry are, in standard deviations.
type similarity [similarityes]float64

// scoredQuery is a question as vectors, centred, with its similarity to every entry.
type scoredQuery struct {
	whole               encoder.Vector
	weighted            encoder.Vector // words that say more counting more
	words               []word
	clauses             []clause
	pieces              []float32 // their vectors, one after the other
	rarities            []float64 // of the pieces
	like                []similarity
	outOfScope          float64 // similarity to the nearest question that the owner wants unanswered; notAsked without any
	byMachineOutOfScope float64 // what the machine of these questions says; notAsked without one
}

// clause is a part of a question between punctuation marks.
type clause struct {
	words  []word
	pooled encoder.Vector
}

// notAsked is the similarity to the questions that the owner wants unanswered where there are none.
const notAsked = -4

// read compares the vectors of a question with every entry.
func (x *index) read(question *encoded) *scoredQuery {
	r := &scoredQuery{like: make([]similarity, len(x.entries)), outOfScope: notAsked, byMachineOutOfScope: notAsked}
	q := question.whole
	r.whole = q
	machines := x.machines.Scores(q)
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
		l[byMachine] = float64(machines[i]) / spread[byMachine]
	}
	for _, s := range x.outOfScope {
		r.outOfScope = max(r.outOfScope, float64(encoder.Cosine(q, s))/spread[toWording])
	}
	if len(machines) > len(x.entries) {
		r.byMachineOutOfScope = float64(machines[len(x.entries)]) / spread[byMachine]
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
	text := segment(x.encoder, question.pieces)
	r.words, r.weighted = text.words, pooledByWeight(question.pieces, text.words)
	for _, words := range text.clausesOf() {
		r.clauses = append(r.clauses, clause{words, pooled(question.pieces, words)})
	}
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

// The parts of what the pieces of a question say (late interaction: Khattab and Zaharia 2020). A piece is as
// alike to an entry as to the nearest of the entry's pieces.
const (
	pieceMean    = iota // similarity of the pieces
	pieceRare           // similarity of the pieces, rare ones counting more
	pieceLeast          // of the piece that is least alike
	pieceSecond         // and of the next
	pieceMissing        // the most that a rare piece is missing
	pieceReverse        // similarity of the entry's pieces to the question's
	pieceParts
)

// pieceSimilarity is what the pieces of a question say for an entry.
type pieceSimilarity [pieceParts]float64

func comparePieces(r *scoredQuery, all *products) (l pieceSimilarity) {
	if all.stride == 0 {
		return l
	}
	least, second := math.Inf(1), math.Inf(1)
	var weights float64
	for i := range all.pieces {
		alike := all.nearest(i, 0, all.rows)
		l[pieceMean] += alike
		l[pieceRare] += r.rarities[i] * alike
		weights += r.rarities[i]
		l[pieceMissing] = max(l[pieceMissing], r.rarities[i]*(1-alike))
		if alike < least {
			least, second = alike, least
		} else {
			second = min(second, alike)
		}
	}
	l[pieceMean] /= float64(all.pieces)
	l[pieceRare] /= weights + 1e-9
	l[pieceLeast], l[pieceSecond] = least, min(second, 1)
	for _, alike := range all.back {
		l[pieceReverse] += alike / float64(all.rows)
	}
	return l
}
