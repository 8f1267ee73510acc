package lexical

import "math"

func (x *index) weighUp(d *scratch, at int) Evidence {
	c := &d.found[at]
	e := Evidence{
		EvNear: float64(c.near), EvCentroid: float64(c.centroid),
		EvLength:  math.Log1p(float64(len(d.reader.words))),
		EvEntries: math.Log(float64(x.entries)),
		EvTexts:   math.Log(float64(x.own) / float64(x.entries)),
	}
	var otherNear, otherWords float32
	for i := range d.found {
		if i != at {
			otherNear = max(otherNear, d.found[i].near)
			otherWords = max(otherWords, d.found[i].wordScore)
		}
	}
	e[EvNearest] = float64(max(c.near, otherNear))
	e[EvNearGap] = float64(c.near - otherNear)
	e[EvBulk] = math.Log(float64(x.words.average))
	e[EvBM25] = float64(c.wordScore / (d.own + 1e-6))
	e[EvBM25Gap] = float64((c.wordScore - otherWords) / (d.own + 1e-6))
	covered, held := x.cover(d, c.entry)
	x.weighJoints(d, &e, &covered)
	x.weighEntry(&e, c.entry, &held)
	x.weighWords(d, &e, c.entry)
	if x.machines != nil {
		d.weighMachines(&e, c)
	}
	return e
}

// weighEntry weighs how much the question has of what the wordings of the entry share.
// An entry for "where are you from" has "you" in nearly all its wordings, so "where do
// eggs come from" is unlikely to be meant.
func (x *index) weighEntry(e *Evidence, entry int32, held *[kinds]part) {
	texts, alike := float64(len(x.texts[entry])), max(x.alike[entry], leastAlike)
	typical := alike * math.Sqrt(texts/(1+(texts-1)*alike))
	e[EvAlike] = x.alike[entry]
	e[EvTypical] = e[EvCentroid] / (typical + leastTypical)
	e[EvHeld] = held[stems].share()
	e[EvHeldPairs] = held[pairs].share()
}

// What keeps the typical similarity of wordings that have nothing in common off zero.
const (
	leastAlike   = 0.01
	leastTypical = 0.05
)

// weighJoints weighs how much of the question the entry has beside single words.
func (x *index) weighJoints(d *scratch, e *Evidence, covered *[kinds]float32) {
	joined := 0
	for _, f := range d.query.ids {
		if x.space.kind[f] == pairs {
			joined++
		}
	}
	p := &x.space.profile
	e[EvJoined] = float64(joined) / float64(len(d.reader.words)+1)
	e[EvPairs] = float64(covered[pairs]/(p.pairs*p.pairs)) * e[EvJoined]
	e[EvGrams] = float64(covered[grams])
	if p.skips > 0 {
		e[EvSkips] = float64(covered[skips] / (p.skips * p.skips))
	}
}

// weighWords weighs how much of the question the entry, and the content, has.
func (x *index) weighWords(d *scratch, e *Evidence, entry int32) {
	var known, all, covered float64
	for _, f := range d.query.ids {
		if x.space.kind[f] != stems {
			continue
		}
		weight := float64(x.space.weight[f])
		all += weight * weight
		if x.known[f] {
			known += weight * weight
		}
		if x.stems[entry][f] {
			covered += weight * weight
		}
	}
	if all += d.unseen; all > 0 {
		e[EvSeen] = known / all
		e[EvCoverage] = covered / all
	}
}

// machineScale makes the score of a machine, about 1 for its own texts and -1 for others, log odds.
const machineScale = 5

func (d *scratch) weighMachines(e *Evidence, c *candidate) {
	top, second := float32(math.Inf(-1)), float32(math.Inf(-1))
	for entry, score := range d.machines {
		top = max(top, score)
		if int32(entry) != c.entry {
			second = max(second, score)
		}
	}
	var sum float64
	for _, score := range d.machines {
		sum += math.Exp(machineScale * float64(score-top))
	}
	energy := math.Log(sum) + machineScale*float64(top)
	e[EvLogit] = Logit(math.Exp(machineScale*float64(c.machine) - energy))
	e[EvEnergy] = energy
	e[EvMachine] = float64(c.machine)
	e[EvMachineGap] = float64(c.machine - second)
}
