package command_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
)

func TestQuestions(t *testing.T) {
	t.Parallel()
	data := asked(t, "Can I bring my parrot?", "Will you hand me my cash back?", "Will you hand me my cash bak?", "Do you know order [number]?", "\u202egnp.exe")
	dir := sampleFolder(t)
	expect.Lacks(t, "the list",
		outputOf(run(t, 0, "questions --data "+data, "Will you hand me my cash back? (and 1 like it)")), "\u202e")
	out, _ := run(t, 0, "questions --json --data "+data)
	var groups []questions.Group
	if err := json.Unmarshal([]byte(out), &groups); err != nil || len(groups) != 4 || groups[0].Number != 2 || groups[0].Count != 2 {
		t.Fatalf("%v: %+v", err, groups)
	}
	before := read(t, filepath.Join(dir, "faq.yaml"))
	run(t, 0, "questions accept 2 --entry refunds --data "+data+" --content "+dir, "answered by refunds")
	const last = "      - My invoice from you is wrong. Is it corrected?\n"
	want := strings.Replace(before, last, last+"      - Will you hand me my cash back?\n", 1)
	expect.Same(t, "faq.yaml", want, read(t, filepath.Join(dir, "faq.yaml")))
	expect.Lacks(t, "the list after it", outputOf(run(t, 0, "questions --data "+data)), "cash")
}

// TestAcceptChangesNothingWhenItFails names the reason and leaves every byte.
func TestAcceptChangesNothingWhenItFails(t *testing.T) {
	t.Parallel()
	// Number 1 must not be answered, by golden.yaml; number 2 is a wording already.
	data := asked(t, "Can I bring my parrot to you?", "can i get my money back", "Do you know order [number]?")
	dir := sampleFolder(t)
	write(t, filepath.Join(dir, "golden.yaml"), "unanswered:\n  - Can I bring my parrot to you?\n")
	before := read(t, filepath.Join(dir, "faq.yaml"))
	of := " --data " + data + " --content " + dir
	run(t, 1, "questions accept 1 --entry location"+of, "golden.yaml:2")
	run(t, 1, "questions accept 2 --entry refunds"+of, "appears twice")
	run(t, 1, "questions accept 3 --entry refunds"+of, "masked")
	run(t, 1, "questions accept 9 --entry refunds"+of, "no such question: 9")
	run(t, 1, "questions accept 1 --entry refund"+of, `"refunds"`)
	run(t, 1, "questions accept 1 --entry refunds --data "+data, "FRONTDESK_CONTENT")
	run(t, 2, "questions accept 1 --data "+data, "--entry")
	run(t, 2, "questions accept 1 --entry cost --wrong --data "+data, "accept takes no --wrong")
	expect.Same(t, "faq.yaml has changed", before, read(t, filepath.Join(dir, "faq.yaml")))
	run(t, 0, "questions --data "+data, "parrot", "money")
	expect.Same(t, "an empty list", "No unanswered questions yet.\n", outputOf(run(t, 0, "questions --data "+asked(t))))
}

// TestWrongAnswers lists an answer that did not help, moves its question and undoes that.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	data := stored(t, func(store *records.Store) error {
		var batch records.Batch
		for _, q := range []string{"Can I pay in gold?", "Do you sell horses?"} {
			key := content.QuestionKey(q)
			batch.Answers = append(batch.Answers, records.Answered{Key: key, Q: q, EntryID: "refunds", Match: contract.MatchSelector, Confidence: 0.97, Asked: 3, LastAt: time.Now()})
			batch.Feedback = append(batch.Feedback, records.Feedback{Key: key, EntryID: "refunds", CreatedAt: time.Now()})
		}
		return store.AddBatch(t.Context(), batch, 100)
	})
	dir := sampleFolder(t)
	const command = "questions move 1 --to unanswered"
	run(t, 0, "questions --wrong --data "+data, "3      0        1          refunds      selector  97 %        Can I pay in gold?")
	line := command + " --data " + data + " --content " + dir
	run(t, 0, line+" --dry-run", "+  - Can I pay in gold?")
	run(t, 0, line, "not answered any more")
	run(t, 0, "history --data "+data, "Can I pay in gold?", "command")
	run(t, 0, "history 1 --data "+data, "+  - Can I pay in gold?")
	run(t, 0, "history 1 --json --data "+data, `"source": "command"`)
	run(t, 1, "history 9 --data "+data, "there is no change 9")
	of := " --data " + data + " --content " + dir
	run(t, 0, "undo 1 --dry-run"+of, "-  - Can I pay in gold?")
	expect.Holds(t, "golden.yaml", read(t, filepath.Join(dir, "golden.yaml")), "Can I pay in gold?")
	run(t, 0, "undo 1"+of, "Undone: “Can I pay in gold?”")
	expect.Lacks(t, "golden.yaml after the undo", read(t, filepath.Join(dir, "golden.yaml")), "Can I pay in gold?")
	run(t, 1, "undo 1"+of, "nothing was changed", "changed again since")
	run(t, 1, "undo 9"+of, "there is no change 9")
	run(t, 1, "undo 1 --data "+data, "FRONTDESK_CONTENT")
	run(t, 0, "questions dismiss 2 --wrong --data "+data, "dismissed")
	run(t, 0, "questions --wrong --data "+data, "No answer was marked unhelpful.")
}

func TestAskOffline(t *testing.T) {
	t.Setenv("FRONTDESK_ENCODER", "off")
	dir := sampleFolder(t)
	of := " --content " + dir
	run(t, 0, "ask --explain Can I get my money back?"+of, "refunds answers (", "approved wording", "confidence 1.000", "ENTRY")
	run(t, 0, "ask --explain xyzzy"+of, "No entry answers")
	run(t, 0, "ask --explain --json Can I get my money back?"+of, `"explanation":{`, `"threshold":`)
	run(t, 1, "ask x"+of+"/no", "FRONTDESK_CONTENT")
	run(t, 2, "ask --explain x", "--explain needs --content")
	run(t, 0, "eval --explain refunds"+of, "No entry answers, by words", "refunds  ")
	run(t, 1, "eval --explain nothing"+of, `"nothing"`)
	run(t, 2, "eval"+of, "--explain")
}
