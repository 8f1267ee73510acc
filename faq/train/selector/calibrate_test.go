package main

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"frontdesk/faq/lexical"
	"frontdesk/internal/expect"
)

func TestCalibrate(t *testing.T) {
	t.Parallel()
	const n = 5000
	var examples []example
	for i := range n {
		p := (float64(i%100) + 0.5) / 100
		e := example{right: float64(i/100%10)+0.5 < 10*p, weight: 1. / n}
		e.evidence[lexical.EvNear] = math.Log(p / (1 - p))
		examples = append(examples, e)
	}
	c := calibrate(examples, examples)
	for _, p := range []float64{0.2, 0.5, 0.8, 0.95} {
		logit := math.Log(p / (1 - p))
		got := lexical.Sigmoid(c.Weights[lexical.EvNear]*logit + c.Weights[lexical.EvidenceSize])
		if math.Abs(got-p) > 0.06 {
			t.Errorf("confidence of %v is %v", p, got)
		}
	}
	if low, high := c.FewThresholds.At(0.7), c.FewThresholds.At(0.98); low >= high {
		t.Errorf("threshold for 70 of 100 is %v, for 98 it is %v", low, high)
	}
}

func TestSolve(t *testing.T) {
	t.Parallel()
	got := solve([][]float64{{4, 2, 0}, {2, 5, 1}, {0, 1, 3}}, []float64{8, 15, 11})
	for i, want := range []float64{1, 2, 3} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("x[%d] = %v, want %v", i, got[i], want)
		}
	}
}

func TestLeastProbability(t *testing.T) {
	t.Parallel()
	examples := []example{
		{confidence: 0.9, right: true, weight: 1}, {confidence: 0.8, right: true, weight: 1},
		{confidence: 0.7, weight: 1}, {confidence: 0.6, right: true, weight: 1}, {confidence: 0.5, weight: 3},
	}
	for precision, want := range map[float64]float64{1: 0.8, 0.75: 0.6, 0.5: 0.6, 0.4: 0.5} {
		expect.Same(t, fmt.Sprintf("for %v", precision), want, leastProbability(examples, precision))
	}
	expect.Same(t, "when no answer is right", 1, leastProbability([]example{{confidence: 0.9, weight: 1}}, 0.5))
}

func TestCountWords(t *testing.T) {
	t.Parallel()
	got := string(countWords([]string{"the price", "the prices", "the the end", "the price", "prices", "prices"}))
	expect.Same(t, "words", "texts 6\nprices 3\nthe 4\n", got)
}

func TestShippedCalibrationRoundTrip(t *testing.T) {
	t.Parallel()
	shipped := expect.File(t, "../../lexical/data/calibration.json")
	written := expect.Value(json.Marshal(lexical.Shipped().Calibration))(t)
	expect.Same(t, "the calibration", shipped, string(written)+"\n")
}
