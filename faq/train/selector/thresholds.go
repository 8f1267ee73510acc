package main

import (
	"cmp"
	"slices"

	"frontdesk/faq/evaluation"
)

// bestThreshold returns the threshold of the most questions treated rightly, answered or refused, when each question
// out of scope counts weight.
func bestThreshold(results []evaluation.Result, weight float64) float64 {
	most, best := 0.0, 1.0
	eachThreshold(results, func(threshold float64, right, outOfScope int) bool {
		if treated := float64(right) - weight*float64(outOfScope); treated > most {
			most, best = treated, threshold
		}
		return true
	})
	return best
}

// thresholdFor returns the highest threshold at which that share of the questions in scope is answered rightly.
func thresholdFor(results []evaluation.Result, accuracy float64) (found float64) {
	inScope := evaluation.New(results).InScope
	eachThreshold(results, func(threshold float64, right, _ int) bool {
		enough := float64(right) >= accuracy*float64(inScope)
		if enough {
			found = threshold
		}
		return !enough
	})
	return found
}

// eachThreshold goes down the thresholds while more wants it, with how many questions are answered rightly and how
// many out of scope are answered.
func eachThreshold(results []evaluation.Result, more func(threshold float64, right, outOfScope int) bool) {
	order := slices.Clone(results)
	slices.SortStableFunc(order, func(a, b evaluation.Result) int { return cmp.Compare(b.Confidence, a.Confidence) })
	right, outOfScope := 0, 0
	for i := range order {
		right += boolInt(order[i].Right())
		outOfScope += boolInt(order[i].Want == "")
		last := i+1 == len(order) || order[i+1].Confidence != order[i].Confidence
		if last && !more(order[i].Confidence, right, outOfScope) {
			return
		}
	}
}

// servedFrom returns results as a threshold would have served them.
func servedFrom(results []evaluation.Result, threshold float64) []evaluation.Result {
	served := slices.Clone(results)
	for i := range served {
		served[i].Answered = len(served[i].Best) > 0 && served[i].Confidence >= threshold
	}
	return served
}
