package command_test

import (
	"encoding/json"
	"frontdesk/test/harness"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// evaluate runs frontdesk eval on questions to the embedded sample.
func evalCommand(t *testing.T, questions string, args ...string) (code int, out, errs string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "q.jsonl")
	if err := os.WriteFile(file, []byte(questions), 0o600); err != nil {
		t.Fatal(err)
	}
	return harness.Command(t, append([]string{"eval", file}, args...)...)
}

const someQuestions = `{"q":"Where are you located?","id":"location"}
{"q":"How can I cancel a service?","id":"cancel"}
{"q":"What is the weather in Paris?","id":null}
`

func TestEval(t *testing.T) {
	t.Parallel()
	code, out, errs := evalCommand(t, someQuestions, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var report struct {
		Accuracy  float64 `json:"accuracy"`
		OOSRecall float64 `json:"oos_recall"`
		Load      float64 `json:"load_seconds"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if report.Accuracy != 1 || report.OOSRecall != 1 || report.Load <= 0 {
		t.Errorf("got %+v", report)
	}
	if code, out, _ := evalCommand(t, someQuestions); code != 0 || !strings.Contains(out, "in_scope_accuracy_at_oos_recall_80") {
		t.Errorf("exit %d, for people:\n%s", code, out)
	}
}

func TestEvalNamesBadLines(t *testing.T) {
	t.Parallel()
	code, _, errs := evalCommand(t, someQuestions+"{\"q\":\"x\",\"id\":\"nobody\"}\nnonsense\n")
	if code != 1 || !strings.Contains(errs, `q.jsonl:4: no entry has the id "nobody"`) || !strings.Contains(errs, "q.jsonl:5: ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs := evalCommand(t, someQuestions, "--answer-precision", "7"); code != 1 || !strings.Contains(errs, "FRONTDESK_ANSWER_PRECISION") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
