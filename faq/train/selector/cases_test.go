package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"frontdesk/faq/evaluation"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
	"frontdesk/internal/expect"
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

func TestThresholds(t *testing.T) {
	t.Parallel()
	answers := []evaluation.Result{
		{Want: "a", Best: []string{"a", "b"}, Confidence: 0.9},
		{Want: "a", Best: []string{"b", "a"}, Confidence: 0.8},
		{Best: []string{"b"}, Confidence: 0.7},
		{Want: "b", Best: []string{"b"}, Confidence: 0.6},
		{Want: "b", Best: []string{"a", "b"}, Confidence: 0.5},
		{Best: []string{"a"}, Confidence: 0.4},
		{},
	}
	expect.Same(t, "thresholdFor half", 0.6, thresholdFor(answers, 0.5))
	expect.Same(t, "bestThreshold", 0.9, bestThreshold(answers, 1))
	got := evaluation.New(servedFrom(answers, 0.6))
	expect.Same(t, "served from 0.6: in scope, and refused", [2]float64{0.5, 2. / 3},
		[2]float64{*got.InScopeAcc, *got.OOSRecall})
}

func TestForm(t *testing.T) {
	t.Parallel()
	for _, row := range [][3]string{ // kind, form, and what is wanted
		{"near", "", "plain"}, {"near", "short", "short"}, {"far", "", "plain"}, {"indirect", "", "indirect"},
		{"near", "loud", ""},
	} {
		got, err := (&deskQuestion{Kind: row[0], Form: row[1]}).form()
		if got != row[2] && err == nil || (err != nil) != (row[2] == "") {
			t.Errorf("%q: %q, %v", row, got, err)
		}
	}
}

// What is asked of an entry that is taken away is a near miss, in its own form.
func TestTakenAway(t *testing.T) {
	t.Parallel()
	desks := expect.Value(readDesks("../../../testdata/wordings"))(t)
	for i, d := range takenAway(desks) {
		own, taken := 0, 0
		for _, q := range d.questions {
			if q.far {
				t.Errorf("%s: %q is far", d.name, q.text)
			}
			own, taken = own+boolInt(q.entry >= 0), taken+boolInt(q.entry < 0)
		}
		asked := 0
		for _, q := range desks[i].questions {
			asked += boolInt(q.entry >= 0)
		}
		if own+taken != asked || taken == 0 || own == 0 {
			t.Errorf("%s: %d of %d questions with an entry, %d without", d.name, own, asked, taken)
		}
	}
}

func TestFormFigures(t *testing.T) {
	t.Parallel()
	f := formFigures{own: 100, right: 45, answered: 50, near: 10, nearAnswered: 1}
	want := (1 - nearShare) * 0.45 / ((1-nearShare)*0.5 + nearShare*0.1)
	if got := f.precision(); math.Abs(got-want) > 1e-9 {
		t.Errorf("precision is %v, want %v", got, want)
	}
}
