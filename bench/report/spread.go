// Package report turns figures into what people read: medians with quartiles,
// charts, and the marked sections of a document.
package report

import (
	"fmt"
	"math"
	"slices"
)

// Spread is the median of some figures, with the quartiles.
type Spread struct{ Median, Low, High float64 }

// SpreadOf is the spread of figures, of which there must be one at least.
func SpreadOf(figures []float64) Spread {
	sorted := slices.Sorted(slices.Values(figures))
	at := func(share float64) float64 {
		place := share * float64(len(sorted)-1)
		below := int(place)
		above := min(below+1, len(sorted)-1)
		return sorted[below] + (place-math.Floor(place))*(sorted[above]-sorted[below])
	}
	return Spread{at(0.5), at(0.25), at(0.75)}
}

// String is the median with the quartiles in brackets.
func (s Spread) String() string {
	return fmt.Sprintf("%.2f [%.2f-%.2f]", s.Median, s.Low, s.High)
}
