package lexical

import (
	"cmp"
	"math"
	"slices"
)

// scratch is the working memory of one question.
type scratch struct {
	reader
	query    vector
	spread   []float32 // the query by feature; zero between questions, as words is
	machines []float32 // by entry
	words    []float32
	own      float32 // BM25 of a perfect entry
	found    []candidate
	evidence Evidence
}

// candidate is an entry that may answer, with its scores.
type candidate struct {
	entry              int32
	score              float32
	near, centroid     float32
	machine, wordScore float32
}

func newScratch(x *index) *scratch {
	return &scratch{
		reader:   reader{space: x.space},
		spread:   make([]float32, len(x.space.kind)),
		words:    make([]float32, x.entries),
		machines: make([]float32, x.entries),
	}
}

// What the scores count when entries are ranked. Each is of about the same size
// times its share.
const (
	machineShare  = 9
	nearShare     = 1
	centroidShare = 2
	wordShare     = 0.15
)

const (
	shortlist  = 24  // entries that are ranked
	closeTexts = 800 // texts of the first of them that are compared with the question
	fewestRead = 4   // entries whose texts are compared in any case
)

// ask scores a question; the best candidates are left in d.found, best first, and
// what speaks for the first in d.evidence.
func (x *index) ask(d *scratch, question string, live func(int) bool) {
	x.score(d, question)
	defer d.clear()
	x.shortlist(d, live)
	x.compare(d, max(fewestRead, closeTexts*x.entries/max(x.own, 1)))
	if len(d.found) > 0 {
		d.evidence = x.weighUp(d, 0)
	}
}

// score reads a question and scores every entry. The caller clears d afterwards.
func (x *index) score(d *scratch, question string) {
	d.question(question, &d.query)
	for i, f := range d.query.ids {
		d.spread[f] = d.query.values[i]
	}
	d.own = x.words.score(d.reader.words, d.words)
	if x.machines != nil {
		x.machines.score(&d.query, d.machines)
	}
}

// clear makes the memory that is indexed by entries and features ready for another question.
func (d *scratch) clear() {
	clear(d.words)
	for _, f := range d.query.ids {
		d.spread[f] = 0
	}
}

// shortlist leaves the entries with the best scores of all in d.found. What is no part of
// the question's length is shortened like it, so that words the content has not do not
// change the order.
func (x *index) shortlist(d *scratch, live func(int) bool) {
	d.found = d.found[:0]
	for e := range x.entries {
		c := x.candidate(d, e)
		if c.score == 0 && x.machines == nil {
			continue
		}
		if full := len(d.found) == shortlist; full && c.score <= d.found[shortlist-1].score || !live(e) {
			continue
		} else if full {
			d.found = d.found[:shortlist-1]
		}
		at := len(d.found)
		for at > 0 && d.found[at-1].score < c.score {
			at--
		}
		d.found = slices.Insert(d.found, at, c)
	}
}

// candidate returns an entry with its scores, before its wordings are compared.
func (x *index) candidate(d *scratch, e int) candidate {
	c := candidate{entry: int32(e), score: wordShare * d.share * d.words[e], wordScore: d.words[e]}
	if x.machines != nil {
		c.machine = d.machines[e]
		c.score += machineShare * (c.machine - (1-d.share)*x.machines.bias[e])
	}
	return c
}

// compare compares the question with the wordings of the first candidates, at most so many, and ranks them.
func (x *index) compare(d *scratch, most int) {
	compared := min(len(d.found), most)
	longest := x.space.longest()
	for i := range compared {
		c := &d.found[i]
		for _, t := range x.texts[c.entry] {
			c.near = max(c.near, d.dot(&x.vectors[t])/longest)
		}
		c.centroid = d.dot(&x.centroids[c.entry]) / float32(math.Sqrt(float64(longest)))
		c.score += nearShare*c.near + centroidShare*c.centroid
	}
	slices.SortStableFunc(d.found[:compared], func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
	})
}

// part is how much of the squared length of a vector has something.
type part struct{ has, all float32 }

func (p part) share() float64 { return float64(p.has / (p.all + 1e-9)) }

// cover sums what an entry has of the question, by kind of its squared length, and likewise the question of it.
func (x *index) cover(d *scratch, entry int32) (covered [kinds]float32, held [kinds]part) {
	c := &x.centroids[entry]
	for i, f := range c.ids {
		kind, asked := x.space.kind[f], d.spread[f]
		covered[kind] += asked * asked
		held[kind].all += c.values[i] * c.values[i]
		if asked != 0 {
			held[kind].has += c.values[i] * c.values[i]
		}
	}
	return covered, held
}

// near gives how many of the first candidates are on the subject of the question:
// they share a word with it that not every question has.
func (x *index) near(d *scratch, most int) int {
	for i := range most {
		shares := func(f feature) bool { return x.space.subject[f] && x.stems[d.found[i].entry][f] }
		if !slices.ContainsFunc(d.query.ids, shares) {
			return i
		}
	}
	return most
}

func (d *scratch) dot(v *vector) (sum float32) {
	for i, f := range v.ids {
		sum += v.values[i] * d.spread[f]
	}
	return sum
}

// Pair is an entry that may answer a question, with what words say for and against it.
type Pair struct {
	Entry    int
	Score    float64 // by which words rank it
	Evidence Evidence
}

// Weigh returns the entries whose words are closest to the question, best first, and those of also that are
// live. The evidence of each is what it would be if that entry had been ranked first.
func (s *Selector) Weigh(question string, live func(entry int) bool, also []int) (pairs []Pair) {
	x := s.index
	d := x.scratches.Get().(*scratch)
	defer x.scratches.Put(d)
	x.score(d, question)
	defer d.clear()
	x.shortlist(d, live)
	for _, e := range also {
		listed := slices.ContainsFunc(d.found, func(c candidate) bool { return int(c.entry) == e })
		if !listed && live(e) {
			d.found = append(d.found, x.candidate(d, e))
		}
	}
	x.compare(d, len(d.found))
	for i, c := range d.found {
		pairs = append(pairs, Pair{Entry: int(c.entry), Score: float64(c.score), Evidence: x.weighUp(d, i)})
	}
	return pairs
}
