package semantic

import (
	"bytes"
	"fmt"
	"testing"

	"frontdesk/internal/expect"
)

// Parameters that were fitted to other parts, or to parts in another order, are refused.
func TestParametersOfOtherParts(t *testing.T) {
	t.Parallel()
	expect.Value(parse(shippedCentres, shippedParameters))(t)
	first, second := []byte("RankShare"), []byte("RankLead")
	swapped := bytes.Replace(shippedParameters, second, []byte("other"), 1)
	swapped = bytes.Replace(swapped, first, second, 1)
	swapped = bytes.Replace(swapped, []byte("other"), first, 1)
	for name, parameters := range map[string][]byte{
		"in another order": swapped,
		"by another name":  bytes.Replace(shippedParameters, first, []byte("RankPart"), 1),
	} {
		if _, err := parse(shippedCentres, parameters); err == nil {
			t.Errorf("%s: they were read", name)
		}
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for q, want := range map[string]string{
		"Wo kann ich parken?": "Wo kann ich parken?", "wo kann ich parken": "Wo kann ich parken?",
		" Wo kann ich parken ": "Wo kann ich parken?", "I need help.": "I need help.",
		"öffnungszeiten": "Öffnungszeiten?", "": "", "WO KANN ICH PARKEN": "Wo kann ich parken?", "WLAN?": "WLAN?",
		"¿tenéis sitio?": "¿Tenéis sitio?", "?!": "?!",
	} {
		expect.Same(t, q, want, Canonical(q))
	}
}

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
