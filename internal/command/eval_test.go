package command_test

import (
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
	report := expect.JSON[map[string]any](t, []byte(out))
	if load, _ := report["load_seconds"].(float64); report["accuracy"] != 1.0 || report["oos_recall"] != 1.0 || load <= 0 {
		t.Errorf("got %v", report)
	}
	run(t, 0, "eval "+file, "in_scope_accuracy_at_oos_recall_80")
	run(t, 1, "eval --answer-precision 7 "+file, "FRONTDESK_ANSWER_PRECISION")
	write(t, file, questions+"{\"q\":\"x\",\"id\":\"nobody\"}\nnonsense\n")
	run(t, 1, "eval "+file, `q.jsonl:4: no entry has the id "nobody"`, "q.jsonl:5: ")
}
