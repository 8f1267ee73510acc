package command_test

import (
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
	data := " --data " + asked(t, "Can I bring my parrot?", "Will you hand me my cash back?", "Will you hand me my cash bak?", "Do you know order [number]?", "\u202egnp.exe")
	dir := sampleFolder(t)
	expect.Lacks(t, "the list",
		outputOf(run(t, 0, "questions"+data, "Will you hand me my cash back? (and 1 like it)")), "\u202e")
	groups := expect.JSON[[]questions.Group](t, []byte(outputOf(run(t, 0, "questions --json"+data))))
	if len(groups) != 4 || groups[0].Number != 2 || groups[0].Count != 2 {
		t.Fatalf("%+v", groups)
	}
	faq := filepath.Join(dir, "faq.yaml")
	before := read(t, faq)
	run(t, 0, "questions accept 2 --entry refunds"+data+" --content "+dir, "answered by refunds")
	const last = "      - My invoice from you is wrong. Is it corrected?\n"
	want := strings.Replace(before, last, last+"      - Will you hand me my cash back?\n", 1)
	expect.Same(t, "faq.yaml", want, read(t, faq))
	expect.Lacks(t, "the list after it", outputOf(run(t, 0, "questions"+data)), "cash")
}

func TestAcceptChangesNothingWhenItFails(t *testing.T) {
	t.Parallel()
	// Number 1 must not be answered, by golden.yaml; number 2 is a wording already.
	data := " --data " + asked(t, "Can I bring my parrot to you?", "can i get my money back", "Do you know order [number]?")
	dir := sampleFolder(t)
	write(t, filepath.Join(dir, "golden.yaml"), "unanswered:\n  - Can I bring my parrot to you?\n")
	before := read(t, filepath.Join(dir, "faq.yaml"))
	of := data + " --content " + dir
	for line, want := range map[string]string{
		"1 --entry location" + of:  "golden.yaml:2",
		"2 --entry refunds" + of:   "appears twice",
		"3 --entry refunds" + of:   "masked",
		"9 --entry refunds" + of:   "no such question: 9",
		"1 --entry refund" + of:    `"refunds"`,
		"1 --entry refunds" + data: "FRONTDESK_CONTENT",
	} {
		run(t, 1, "questions accept "+line, want)
	}
	run(t, 2, "questions accept 1"+data, "--entry")
	run(t, 2, "questions accept 1 --entry cost --wrong"+data, "accept takes no --wrong")
	for _, line := range []string{"dismiss 1 --dry-run", "delete 1 --dry-run", "dismiss 1 --as x", "--dry-run"} {
		run(t, 2, "questions "+line+data, "only accept and move take")
	}
	expect.Same(t, "faq.yaml has changed", before, read(t, filepath.Join(dir, "faq.yaml")))
	run(t, 0, "questions"+data, "parrot", "money")
	expect.Same(t, "an empty list", "No unanswered questions yet.\n", outputOf(run(t, 0, "questions --data "+asked(t))))
}

// An answer that did not help is listed, its question is moved, and that is undone.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	data := " --data " + stored(t, func(store *records.Store) error {
		var batch records.Batch
		for _, q := range []string{"Can I pay in gold?", "Do you sell horses?"} {
			key := content.QuestionKey(q)
			batch.Answers = append(batch.Answers, records.Answered{Key: key, Q: q, EntryID: "refunds", Match: contract.MatchSelector, Confidence: 0.97, Asked: 3, LastAt: time.Now()})
			batch.Feedback = append(batch.Feedback, records.Feedback{Key: key, EntryID: "refunds", CreatedAt: time.Now()})
		}
		return store.AddBatch(t.Context(), batch, 100)
	})
	dir := sampleFolder(t)
	golden := filepath.Join(dir, "golden.yaml")
	of := data + " --content " + dir
	run(t, 0, "questions --wrong"+data, "3      0        1          refunds      selector  97 %        Can I pay in gold?")
	const line = "questions move 1 --to unanswered"
	run(t, 0, line+" --dry-run"+of, "+  - Can I pay in gold?")
	run(t, 0, line+of, "not answered any more")
	run(t, 0, "history"+data, "Can I pay in gold?", "command")
	run(t, 0, "history 1"+data, "+  - Can I pay in gold?")
	run(t, 0, "history 1 --json"+data, `"source": "command"`)
	run(t, 1, "history 9"+data, "there is no change 9")
	run(t, 0, "undo 1 --dry-run"+of, "-  - Can I pay in gold?")
	expect.Holds(t, "golden.yaml", read(t, golden), "Can I pay in gold?")
	run(t, 0, "undo 1"+of, "Undone: “Can I pay in gold?”")
	expect.Lacks(t, "golden.yaml after the undo", read(t, golden), "Can I pay in gold?")
	run(t, 1, "undo 1"+of, "nothing was changed", "changed again since")
	run(t, 1, "undo 9"+of, "there is no change 9")
	run(t, 1, "undo 1"+data, "FRONTDESK_CONTENT")
	run(t, 0, "questions dismiss 3 --wrong"+data, "dismissed") // it is back
	run(t, 0, "questions dismiss 2 --wrong"+data, "dismissed")
	run(t, 0, "questions --wrong"+data, "No answer was marked unhelpful.")
}

func TestAskOffline(t *testing.T) {
	t.Setenv("FRONTDESK_ENCODER", "off")
	t.Setenv("FRONTDESK_BASE_URL", "https://desk.example")
	dir := sampleFolder(t)
	of := " --content " + dir
	run(t, 0, "ask --json How much does bookkeeping cost?"+of, `"url":"https://desk.example/pricing`)
	run(t, 0, "ask --explain Can I get my money back?"+of, "refunds answers (", "approved wording", "confidence 1.000", "ENTRY")
	run(t, 0, "ask --explain xyzzy"+of, "No entry answers")
	run(t, 0, "ask --explain --json Can I get my money back?"+of, `"explanation":{`, `"threshold":`)
	run(t, 1, "ask x"+of+"/no", "FRONTDESK_CONTENT")
	run(t, 2, "ask --explain x", "--explain needs --content")
	run(t, 0, "eval --explain refunds"+of, "No entry answers, by words", "refunds  ")
	run(t, 1, "eval --explain nothing"+of, `"nothing"`)
	run(t, 2, "eval"+of, "--explain")
}
