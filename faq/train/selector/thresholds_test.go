package main

import (
	"testing"

	"frontdesk/faq/evaluation"
	"frontdesk/internal/expect"
)

func answers() []evaluation.Result {
	return []evaluation.Result{
		{Want: "a", Best: []string{"a", "b"}, Confidence: 0.9},
		{Want: "a", Best: []string{"b", "a"}, Confidence: 0.8},
		{Best: []string{"b"}, Confidence: 0.7},
		{Want: "b", Best: []string{"b"}, Confidence: 0.6},
		{Want: "b", Best: []string{"a", "b"}, Confidence: 0.5},
		{Best: []string{"a"}, Confidence: 0.4},
		{},
	}
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	expect.Same(t, "thresholdFor half", 0.6, thresholdFor(answers(), 0.5))
	if got := bestThreshold(answers(), 1); got != 0.9 {
		t.Errorf("bestThreshold = %v, want 0.9: one right answer and all out of scope refused", got)
	}
	if got := evaluation.New(servedFrom(answers(), 0.6)); *got.InScopeAcc != 0.5 || *got.OOSRecall != 2./3 {
		t.Errorf("served from 0.6: %v in scope, %v refused", *got.InScopeAcc, *got.OOSRecall)
	}
}
