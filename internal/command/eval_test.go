package command_test

import (
	"encoding/json"
	"frontdesk/internal/expect"
	"path/filepath"
	"testing"
)

func TestEval(t *testing.T) {
	t.Parallel()
	const questions = `{"q":"Where are you located?","id":"location"}
{"q":"How can I cancel a service?","id":"cancel"}
{"q":"What is the weather in Paris?","id":null}
`
	file := write(t, filepath.Join(t.TempDir(), "q.jsonl"), questions)
	out, _ := run(t, 0, "eval --json "+file)
	var report struct {
		Accuracy  float64 `json:"accuracy"`
		OOSRecall float64 `json:"oos_recall"`
		Load      float64 `json:"load_seconds"`
	}
	expect.OK(t, json.Unmarshal([]byte(out), &report))
	if report.Accuracy != 1 || report.OOSRecall != 1 || report.Load <= 0 {
		t.Errorf("got %+v", report)
	}
	run(t, 0, "eval "+file, "in_scope_accuracy_at_oos_recall_80")
	run(t, 1, "eval --answer-precision 7 "+file, "FRONTDESK_ANSWER_PRECISION")
	write(t, file, questions+"{\"q\":\"x\",\"id\":\"nobody\"}\nnonsense\n")
	run(t, 1, "eval "+file, `q.jsonl:4: no entry has the id "nobody"`, "q.jsonl:5: ")
}
