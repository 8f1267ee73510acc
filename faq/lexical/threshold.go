package lexical

import (
	"cmp"
	"slices"
)

// LeastProbability gives the least probability from which the answers to judged
// examples reach a precision, all of them together. When none do, it is one.
func LeastProbability(examples []Example, precision float64) float64 {
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

// Judge gives the examples their confidence.
func (c *Calibration) Judge(examples []Example) {
	for i := range examples {
		examples[i].Confidence = c.confidence(&examples[i].Evidence)
	}
}
