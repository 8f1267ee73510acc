package faq

import (
	"path/filepath"
	"testing"

	"frontdesk/content"
	"frontdesk/faq/evaluation"
	"frontdesk/internal/expect"
)

// testdata/README.md says what the questions are; make eval gives the figures to believe.
func TestMeasured(t *testing.T) {
	t.Parallel()
	entries := readRows[content.Entry](t, filepath.Join("testdata", "entries.jsonl"))
	answerer := newBook(t, content.FAQ{Fallback: "-", Entries: entries})
	var results []evaluation.Result
	for _, q := range readRows[labelled](t, filepath.Join("testdata", "questions.jsonl")) {
		result := answerer.Try(q.Q)
		result.Want = q.ID
		results = append(results, result)
	}
	got := evaluation.New(results)
	for _, figure := range []struct {
		name         string
		share, floor float64
	}{
		{"accuracy", *got.Accuracy, 0.91},
		{"recall_at_5", *got.RecallAt5, 0.98},
		{"oos_recall", *got.OOSRecall, 0.95},
		{"precision", *got.Precision, 0.95},
		{"coverage", *got.Coverage, 0.63},
		{"in_scope_accuracy_at_oos_recall_80", *got.InScopeAccAtOOS80, 0.86},
		{"auroc", *got.AUROC, 0.92},
	} {
		t.Logf("%s %.3f", figure.name, figure.share)
		expect.AtLeast(t, figure.name, figure.floor, figure.share)
	}
}

type labelled struct{ Q, ID string }
