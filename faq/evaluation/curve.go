package evaluation

import (
	"cmp"
	"slices"
)

// RiskAt is what a threshold gives: which share of all questions is answered, and
// which share of those answers is wrong.
type RiskAt struct {
	Threshold float64 `json:"threshold"`
	Coverage  float64 `json:"coverage"`
	Risk      float64 `json:"risk"`
}

// level counts the questions whose confidence reaches a threshold.
type level struct {
	threshold                   float64
	answered, right, outOfScope int
}

// levels goes down the thresholds, from answering only the surest question to
// answering all.
func levels(results []Result) []level {
	order := slices.Clone(results)
	slices.SortStableFunc(order, func(a, b Result) int { return cmp.Compare(b.Confidence, a.Confidence) })
	var all []level
	var now level
	for i, r := range order {
		now.answered++
		now.right += one(r.Right())
		now.outOfScope += one(r.Want == "")
		now.threshold = r.Confidence
		if i+1 == len(order) || order[i+1].Confidence != r.Confidence {
			all = append(all, now)
		}
	}
	return all
}

const curvePoints = 50

func riskCoverage(all []level, asked float64) []RiskAt {
	curve := []RiskAt{}
	next := 0.0
	for i, l := range all {
		coverage := float64(l.answered) / asked
		if coverage < next && i+1 < len(all) {
			continue
		}
		next = coverage + 1.0/curvePoints
		curve = append(curve, RiskAt{l.threshold, coverage, 1 - float64(l.right)/float64(l.answered)})
	}
	return curve
}

// accuracyAt gives the best in-scope accuracy of the thresholds that refuse at least
// that share of the questions out of scope.
func accuracyAt(all []level, inScope, outOfScope int, oosRecall float64) *float64 {
	if outOfScope == 0 {
		return nil
	}
	right := 0
	for _, l := range all {
		if float64(outOfScope-l.outOfScope) >= oosRecall*float64(outOfScope) {
			right = max(right, l.right)
		}
	}
	return share(right, inScope)
}

// auroc is the chance that a question in scope is judged surer than one out of scope.
func auroc(all []level, inScope, outOfScope int) *float64 {
	if outOfScope == 0 || inScope == 0 {
		return nil
	}
	var area float64
	var last level
	for _, l := range all {
		surer, atLeastAsSure := last.answered-last.outOfScope, l.answered-l.outOfScope // in scope
		area += float64((l.outOfScope-last.outOfScope)*(surer+atLeastAsSure)) / 2
		last = l
	}
	return new(area / float64(outOfScope) / float64(inScope))
}
