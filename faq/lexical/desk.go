package lexical

import (
	"cmp"
	"math"
	"slices"
)

// desk is the working memory of one question.
type desk struct {
	reader
	query    vector
	spread   []float32 // the query by feature; zero between questions
	logistic []float32 // by entry
	machines []float32
	words    []float32
	own      float32 // BM25 of a perfect entry
	found    []candidate
	evidence evidence
	covered  [kinds]float32 // of the query, by the first candidate: squared length by kind
	held     [kinds]part    // of the first candidate, by the query: likewise
	votes    [voters]vote
}

// candidate is an entry that may answer, with its scores.
type candidate struct {
	entry                        int32
	score                        float32
	near, centroid               float32
	logistic, machine, wordScore float32
}

func newDesk(x *index) *desk {
	return &desk{
		reader:   reader{space: x.space},
		spread:   make([]float32, len(x.space.kind)),
		words:    make([]float32, x.entries),
		logistic: make([]float32, max(x.entries, x.logistic.columns())),
		machines: make([]float32, x.entries),
	}
}

// What the scores count when entries are ranked. Each is of about the same size
// times its share.
const (
	machineShare  = 4
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
func (x *index) ask(d *desk, question string, live func(int) bool) {
	d.read(question, &d.query)
	d.own = x.words.score(d.reader.words, d.words)
	if x.machines != nil {
		x.logistic.score(&d.query, d.logistic)
		x.machines.score(&d.query, d.machines)
	}
	x.shortlist(d, live)
	x.compare(d)
	if len(d.found) > 0 {
		x.weighUp(d)
	}
	clear(d.words)
}

// shortlist leaves the entries with the best scores of all in d.found. What is no part of
// the question's length is shortened like it, so that words the content has not do not
// change the order.
func (x *index) shortlist(d *desk, live func(int) bool) {
	d.found = d.found[:0]
	for e := range x.entries {
		score := wordShare * d.share * d.words[e]
		if x.machines != nil {
			score += d.logistic[e] + machineShare*d.machines[e]
			score -= (1 - d.share) * (x.logistic.bias[e] + machineShare*x.machines.bias[e])
		} else if score == 0 {
			continue
		}
		if full := len(d.found) == shortlist; full && score <= d.found[shortlist-1].score || !live(e) {
			continue
		} else if full {
			d.found = d.found[:shortlist-1]
		}
		at := len(d.found)
		for at > 0 && d.found[at-1].score < score {
			at--
		}
		d.found = slices.Insert(d.found, at, candidate{
			entry: int32(e), score: score,
			logistic: d.logistic[e], machine: d.machines[e], wordScore: d.words[e],
		})
	}
}

// compare compares the question with the wordings of the candidates and ranks them.
func (x *index) compare(d *desk) {
	for i, f := range d.query.ids {
		d.spread[f] = d.query.values[i]
	}
	d.votes = [voters]vote{}
	compared := min(len(d.found), max(fewestRead, closeTexts*x.entries/x.own))
	for i := range compared {
		x.compareOne(d, &d.found[i])
	}
	slices.SortStableFunc(d.found[:compared], func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
	})
	x.cover(d)
	for _, f := range d.query.ids {
		d.spread[f] = 0
	}
}

// compareOne adds to the score of a candidate how near its wordings are.
func (x *index) compareOne(d *desk, c *candidate) {
	longest := x.space.longest()
	for _, t := range x.texts[c.entry] {
		near := d.dot(&x.vectors[t]) / longest
		c.near = max(c.near, near)
		d.vote(vote{near, c.entry})
	}
	c.centroid = d.dot(&x.centroids[c.entry]) / float32(math.Sqrt(float64(longest)))
	c.score += nearShare*c.near + centroidShare*c.centroid
}

// part is how much of the squared length of a vector has something.
type part struct{ has, all float32 }

func (p part) share() float64 { return float64(p.has / (p.all + 1e-9)) }

// cover sums what the first candidate has of the question, and the question of it.
func (x *index) cover(d *desk) {
	d.covered, d.held = [kinds]float32{}, [kinds]part{}
	if len(d.found) == 0 {
		return
	}
	c := &x.centroids[d.found[0].entry]
	for i, f := range c.ids {
		kind, asked := x.space.kind[f], d.spread[f]
		d.covered[kind] += asked * asked
		held := &d.held[kind]
		held.all += c.values[i] * c.values[i]
		if asked != 0 {
			held.has += c.values[i] * c.values[i]
		}
	}
}

// near gives how many of the first candidates are on the subject of the question:
// they share a word with it that not every question has.
func (x *index) near(d *desk, most int) int {
	for i := range most {
		shares := func(f feature) bool { return x.space.subject[f] && x.stems[d.found[i].entry][f] }
		if !slices.ContainsFunc(d.query.ids, shares) {
			return i
		}
	}
	return most
}

func (d *desk) dot(v *vector) (sum float32) {
	for i, f := range v.ids {
		sum += v.values[i] * d.spread[f]
	}
	return sum
}
