package lexical

import "math"

// weighUp gathers the evidence for the first candidate.
func (x *index) weighUp(d *scratch) {
	best := &d.found[0]
	e := &d.evidence
	*e = Evidence{
		EvNear: float64(best.near), EvCentroid: float64(best.centroid),
		EvLength:  math.Log1p(float64(len(d.reader.words))),
		EvEntries: math.Log(float64(x.entries)),
		EvTexts:   math.Log(float64(x.own) / float64(x.entries)),
	}
	var otherNear, otherWords float32
	for _, c := range d.found[1:] {
		otherNear = max(otherNear, c.near)
		otherWords = max(otherWords, c.wordScore)
	}
	e[EvNearest] = float64(max(best.near, otherNear))
	e[EvNearGap] = float64(best.near - otherNear)
	e[EvBulk] = math.Log(float64(x.words.average))
	e[EvBM25] = float64(best.wordScore / (d.own + 1e-6))
	e[EvBM25Gap] = float64((best.wordScore - otherWords) / (d.own + 1e-6))
	x.weighJoints(d)
	x.weighEntry(d)
	x.weighWords(d, best.entry)
	if x.machines != nil {
		x.weighMachines(d)
	}
}

// weighEntry weighs how much the question has of what the wordings of the entry share.
// An entry for "where are you from" has "you" in nearly all its wordings, so "where do
// eggs come from" is unlikely to be meant.
func (x *index) weighEntry(d *scratch) {
	entry, e := d.found[0].entry, &d.evidence
	texts, alike := float64(len(x.texts[entry])), max(x.alike[entry], leastAlike)
	typical := alike * math.Sqrt(texts/(1+(texts-1)*alike))
	e[EvAlike] = x.alike[entry]
	e[EvTypical] = e[EvCentroid] / (typical + leastTypical)
	e[EvHeld] = d.held[stems].share()
	e[EvHeldPairs] = d.held[pairs].share()
}

// What keeps the typical likeness of wordings that have nothing in common off zero.
const (
	leastAlike   = 0.01
	leastTypical = 0.05
)

// weighJoints weighs how much of the question the entry has beside single words.
func (x *index) weighJoints(d *scratch) {
	joined := 0
	for _, f := range d.query.ids {
		if x.space.kind[f] == pairs {
			joined++
		}
	}
	p, e := &x.space.profile, &d.evidence
	e[EvJoined] = float64(joined) / float64(len(d.reader.words)+1)
	e[EvPairs] = float64(d.covered[pairs]/(p.pairs*p.pairs)) * e[EvJoined]
	e[EvGrams] = float64(d.covered[grams])
	if p.skips > 0 {
		e[EvSkips] = float64(d.covered[skips] / (p.skips * p.skips))
	}
}

// weighWords weighs how much of the question the entry, and the content, has.
func (x *index) weighWords(d *scratch, entry int32) {
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
		d.evidence[EvSeen] = known / all
		d.evidence[EvCoverage] = covered / all
	}
}

// machineScale makes the score of a machine, about 1 for its own texts and -1 for others, log odds.
const machineScale = 5

// weighMachines weighs what the support vector machines say.
func (x *index) weighMachines(d *scratch) {
	best := &d.found[0]
	top, second := float32(math.Inf(-1)), float32(math.Inf(-1))
	for e, score := range d.machines {
		top = max(top, score)
		if int32(e) != best.entry {
			second = max(second, score)
		}
	}
	var sum float64
	for _, score := range d.machines {
		sum += math.Exp(machineScale * float64(score-top))
	}
	energy := math.Log(sum) + machineScale*float64(top)
	e := &d.evidence
	e[EvLogit] = Logit(math.Exp(machineScale*float64(best.machine) - energy))
	e[EvEnergy] = energy
	e[EvMachine] = float64(best.machine)
	e[EvMachineGap] = float64(best.machine - second)
}
