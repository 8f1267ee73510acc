package main

import (
	"testing"

	"frontdesk/faq/evaluation"
	"frontdesk/internal/expect"
)

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
