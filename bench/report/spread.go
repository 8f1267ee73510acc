// Package report presents figures: medians with quartiles, tables, and marked
// sections of documents.
package report

import (
	"fmt"
	"math"
	"slices"
)

// Spread is the median of figures, with the quartiles.
type Spread struct{ Median, Low, High float64 }

// SpreadOf returns the spread of at least one figure.
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

// String returns the median with the quartiles in brackets.
func (s Spread) String() string {
	return fmt.Sprintf("%.2f [%.2f-%.2f]", s.Median, s.Low, s.High)
}
