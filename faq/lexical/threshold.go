package lexical

import (
	"cmp"
	"math"
	"slices"
)

// leastProbability gives the least probability from which the answers to judged
// examples reach a precision, all of them together. When none do, it is one.
func leastProbability(examples []Example, precision float64) float64 {
	order := surestFirst(examples)
	var right, all float64
	least := 1.0
	for i, e := range order {
		all += e.Weight
		if e.Right {
			right += e.Weight
		}
		if i+1 < len(order) && order[i+1].Confidence == e.Confidence {
			continue
		}
		if right >= precision*all {
			least = e.Confidence
		}
	}
	return least
}

// leastExpected gives the least probability from which the answers to judged examples
// are right as often as precision says, if their confidences are: of few examples that
// says more than which of them were right. When none are, it is one.
func leastExpected(examples []Example, precision float64) float64 {
	var right, all float64
	least := 1.0
	for _, e := range surestFirst(examples) {
		all += e.Weight
		right += e.Weight * e.Confidence
		if right < precision*all {
			break
		}
		least = e.Confidence
	}
	return least
}

// surestFirst gives the examples in the order of their confidence.
func surestFirst(examples []Example) []*Example {
	order := make([]*Example, len(examples))
	for i := range examples {
		order[i] = &examples[i]
	}
	slices.SortStableFunc(order, func(a, b *Example) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return order
}

// precisions are those for which thresholds are kept.
var precisions = []float64{0.5, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995}

// judge gives the examples their confidence.
func (c *Calibration) judge(examples []Example) {
	for i := range examples {
		examples[i].Confidence = c.confidence(&examples[i].evidence)
	}
}

// Measure judges the examples and keeps the thresholds that they show.
func (c *Calibration) Measure(examples []Example) {
	c.judge(examples)
	c.Thresholds = MeasureThresholds(examples)
	c.FewThresholds = MeasureThresholds(slices.DeleteFunc(slices.Clone(examples), func(e Example) bool {
		return e.evidence[EvTexts] >= math.Log(fewWordings)
	}))
}

// MeasureThresholds returns the thresholds that judged examples show.
func MeasureThresholds(examples []Example) (thresholds Thresholds) {
	least := 0.0
	for _, precision := range precisions {
		least = max(least, leastProbability(examples, precision))
		thresholds = append(thresholds, Threshold{precision, least})
	}
	return thresholds
}
