package semantic

import (
	"fmt"
	"testing"

	"frontdesk/internal/expect"
)

// Entries far behind the first are no candidates.
func TestFarBehind(t *testing.T) {
	t.Parallel()
	for want, scores := range map[int][]float64{1: {9, 2, 1}, 2: {9, 3.5, 2.9}, 3: {9, 9, 9}} {
		c := new(Candidates)
		for _, score := range scores {
			c.List = append(c.List, Candidate{score: score})
		}
		expect.Same(t, fmt.Sprint(scores), want, c.countNear())
	}
}
