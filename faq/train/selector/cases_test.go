package main

import (
	"math/rand/v2"
	"testing"

	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
)

// Trees learn what no single part of the evidence shows.
func TestTreesLearnAnInteraction(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	var rows [][]float64
	var right []float64
	var weights []float64
	for range 2000 {
		row := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
		rows = append(rows, row)
		right = append(right, lexical.Indicator((row[0] > 0.5) != (row[2] > 0.5)))
		weights = append(weights, 1)
	}
	trees := growTrees(rows, right, weights, answerTrees)
	wrong := 0
	for i, row := range rows {
		if (trees.LogOdds(row) > 0) != (right[i] == 1) {
			wrong++
		}
	}
	if wrong > 60 {
		t.Errorf("%d of %d are wrong", wrong, len(rows))
	}
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	var judged []judgement
	for i := range 1000 {
		confidence := float64(i) / 1000
		for _, few := range []bool{true, false} {
			j := judgement{asked: asked{desk: new(desk), weight: 1, few: few}, best: []int{0}, confidence: confidence}
			if i%10 == 0 && (confidence < 0.4 || few && confidence < 0.8) {
				j.question.entry = 1
			}
			judged = append(judged, j)
		}
	}
	var p semantic.Parameters
	measure(&p, judged)
	for name, tt := range map[string]struct{ threshold, least, most float64 }{
		"few":  {p.Few.Answers.At(0.95), 0.58, 0.62},
		"many": {p.Many.Answers.At(0.95), 0, 0.01},
	} {
		if tt.threshold < tt.least || tt.threshold > tt.most {
			t.Errorf("%s: %.3f, want from %v to %v", name, tt.threshold, tt.least, tt.most)
		}
	}
}
