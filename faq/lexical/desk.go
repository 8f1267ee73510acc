package lexical

import (
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
}

// candidate is an entry that may answer, with its scores.
type candidate struct {
	entry                        int32
	score                        float32
	near, centroid               float32
	logistic, machine, wordScore float32
}

func newDesk(x *index) *desk {
	d := &desk{
		reader:   reader{space: x.space},
		spread:   make([]float32, len(x.space.kind)),
		words:    make([]float32, x.entries),
		logistic: make([]float32, x.entries),
		machines: make([]float32, x.entries),
	}
	return d
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

// shortlist leaves the entries with the best scores of all in d.found.
func (x *index) shortlist(d *desk, live func(int) bool) {
	d.found = d.found[:0]
	for e := range x.entries {
		score := wordShare * d.words[e]
		if x.machines != nil {
			score += d.logistic[e] + machineShare*d.machines[e]
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
	longest := x.space.longest()
	length := float32(math.Sqrt(float64(longest)))
	compared := min(len(d.found), max(fewestRead, closeTexts*x.entries/len(x.vectors)))
	for i := range compared {
		c := &d.found[i]
		for _, t := range x.texts[c.entry] {
			c.near = max(c.near, d.dot(&x.vectors[t])/longest)
		}
		c.centroid = d.dot(&x.centroids[c.entry]) / length
		c.score += nearShare*c.near + centroidShare*c.centroid
	}
	for _, f := range d.query.ids {
		d.spread[f] = 0
	}
	slices.SortStableFunc(d.found[:compared], func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return int(a.entry - b.entry)
	})
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

// weighUp gathers the evidence for the first candidate.
func (x *index) weighUp(d *desk) {
	best := &d.found[0]
	e := &d.evidence
	*e = evidence{
		evNearest: float64(best.near), evNear: float64(best.near), evCentroid: float64(best.centroid),
		evLength:  math.Log1p(float64(len(d.reader.words))),
		evEntries: math.Log(float64(x.entries)),
		evTexts:   math.Log(float64(len(x.vectors)) / float64(x.entries)),
	}
	var otherNear, otherWords float32
	for _, c := range d.found[1:] {
		otherNear = max(otherNear, c.near)
		otherWords = max(otherWords, c.wordScore)
	}
	e[evNearest] = float64(max(best.near, otherNear))
	e[evNearGap] = float64(best.near - otherNear)
	e[evBM25] = float64(best.wordScore / (d.own + 1e-6))
	e[evBM25Gap] = float64((best.wordScore - otherWords) / (d.own + 1e-6))
	x.weighWords(d, best.entry)
	if x.machines != nil {
		x.weighLinear(d)
	}
}

// weighWords weighs how much of the question the entry, and the content, has.
func (x *index) weighWords(d *desk, entry int32) {
	var known, covered float64
	for _, f := range d.query.ids {
		if x.space.kind[f] != stems {
			continue
		}
		weight := float64(x.space.weight[f])
		known += weight * weight
		if x.stems[entry][f] {
			covered += weight * weight
		}
	}
	all := known + d.unseen
	if all > 0 {
		d.evidence[evSeen] = known / all
		d.evidence[evCoverage] = covered / all
	}
}

// weighLinear weighs what the trained scores say.
func (x *index) weighLinear(d *desk) {
	best := &d.found[0]
	top := maxOf(d.logistic)
	var sum float64
	second, secondMachine := float32(math.Inf(-1)), float32(math.Inf(-1))
	for e, score := range d.logistic {
		sum += math.Exp(float64(score - top))
		if int32(e) != best.entry {
			second = max(second, score)
			secondMachine = max(secondMachine, d.machines[e])
		}
	}
	energy := math.Log(sum) + float64(top)
	e := &d.evidence
	e[evLogit] = logit(math.Exp(float64(best.logistic) - energy))
	e[evMargin] = float64(best.logistic - second)
	e[evEnergy] = energy
	e[evTop] = float64(best.logistic)
	e[evMachine] = float64(best.machine)
	e[evMachineGap] = float64(best.machine - secondMachine)
}
