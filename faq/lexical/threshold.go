package lexical

import "slices"

// leastProbability gives the least probability from which the answers to judged
// examples reach a precision, all of them together. When none do, it is one.
func leastProbability(examples []Example, precision float64) float64 {
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case examples[a].Confidence > examples[b].Confidence:
			return -1
		case examples[a].Confidence < examples[b].Confidence:
			return 1
		}
		return 0
	})
	var right, all float64
	least := 1.0
	for n, i := range order {
		e := &examples[i]
		all += e.Weight
		if e.Right {
			right += e.Weight
		}
		if n+1 < len(order) && examples[order[n+1]].Confidence == e.Confidence {
			continue
		}
		if right >= precision*all {
			least = e.Confidence
		}
	}
	return least
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
	c.Thresholds = nil
	least := 0.0
	for _, precision := range precisions {
		least = max(least, leastProbability(examples, precision))
		c.Thresholds = append(c.Thresholds, Threshold{precision, least})
	}
}
