package main

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"frontdesk/faq/lexical"
)

// graded makes examples whose one telling part of the evidence is right as often as
// it says.
func graded(n int) []lexical.Example {
	examples := make([]lexical.Example, 0, n)
	for i := range n {
		p := (float64(i%100) + 0.5) / 100
		e := lexical.Example{Right: float64(i/100%10)+0.5 < 10*p, Weight: 1 / float64(n)}
		e.OutOfScope = !e.Right
		e.Evidence[lexical.EvLogit] = math.Log(p / (1 - p))
		examples = append(examples, e)
	}
	return examples
}

func confidence(c *lexical.Calibration, e lexical.Evidence) float64 {
	asked := []lexical.Example{{Evidence: e}}
	c.Judge(asked)
	return asked[0].Confidence
}

func TestCalibrate(t *testing.T) {
	t.Parallel()
	examples := graded(5000)
	c := calibrate(examples)
	for _, p := range []float64{0.2, 0.5, 0.8, 0.95} {
		e := lexical.Evidence{lexical.EvLogit: math.Log(p / (1 - p))}
		if got := confidence(c, e); math.Abs(got-p) > 0.06 {
			t.Errorf("confidence of %v is %v", p, got)
		}
	}
	if low, high := c.FewThresholds.At(0.7), c.FewThresholds.At(0.98); low >= high {
		t.Errorf("threshold for 70 of 100 is %v, for 98 it is %v", low, high)
	}
}

func TestRefitMovesToTheExamples(t *testing.T) {
	t.Parallel()
	c := calibrate(graded(5000))
	opposite := graded(1000)
	for i := range opposite {
		opposite[i].Right = false
	}
	e := lexical.Evidence{lexical.EvLogit: math.Log(0.8 / 0.2)}
	few, many := confidence(c.Refit(opposite, 0.01), e), confidence(c.Refit(opposite, 1), e)
	if before := confidence(c, e); !(many < few && few < before) {
		t.Errorf("confidence %v, with a small share of contrary examples %v, with a large one %v", before, few, many)
	}
}

func TestCountWords(t *testing.T) {
	t.Parallel()
	got := string(countWords([]string{"the price", "the prices", "the the end", "the price", "prices", "prices"}))
	if want := "texts 6\nprices 3\nthe 4\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A calibration is written as the selector reads it.
func TestShippedCalibrationRoundTrip(t *testing.T) {
	t.Parallel()
	shipped, err := os.ReadFile("../../faq/lexical/data/calibration.json")
	if err != nil {
		t.Fatal(err)
	}
	if written, err := json.Marshal(lexical.Shipped()); err != nil || string(written)+"\n" != string(shipped) {
		t.Errorf("the calibration is not written as it was read: %v", err)
	}
}
