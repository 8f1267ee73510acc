package evaluation

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func some() []Result {
	return []Result{
		{Q: "a1", Want: "a", Best: []string{"a", "b"}, Confidence: 0.9, Answered: true},
		{Q: "a2", Want: "a", Best: []string{"b", "a"}, Confidence: 0.8, Answered: true},
		{Q: "?1", Best: []string{"b"}, Confidence: 0.7, Answered: true},
		{Q: "b1", Want: "b", Best: []string{"b"}, Confidence: 0.6, Near: 1},
		{Q: "b2", Want: "b", Best: []string{"a", "c", "d", "e", "f", "b"}, Confidence: 0.5},
		{Q: "?2", Best: []string{"a"}, Confidence: 0.4},
		{Q: "?3"},
	}
}

// The names of the JSON are published.
func TestReport(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		results []Result
		want    string
	}{
		{some(), `{"questions":7,"in_scope":4,"out_of_scope":3,"among_candidates":0.25,"answered_wrong":0.25,` +
			`"accuracy":0.5,"recall_at_5":0.75,"in_scope_accuracy":0.25,"oos_recall":0.6666666666666666,` +
			`"precision":0.3333333333333333,"coverage":0.5,` +
			// Two of three out of scope are refused from 0.7 on: too few. From 0.8 on all are.
			`"in_scope_accuracy_at_oos_recall_80":0.25,` +
			// Of 12 pairs of a question in scope and one out of scope, 10 are in order.
			`"auroc":0.8333333333333334,"risk_coverage":[` +
			`{"threshold":0.9,"coverage":0.14285714285714285,"risk":0},` +
			`{"threshold":0.8,"coverage":0.2857142857142857,"risk":0.5},` +
			`{"threshold":0.7,"coverage":0.42857142857142855,"risk":0.6666666666666667},` +
			`{"threshold":0.6,"coverage":0.5714285714285714,"risk":0.5},` +
			`{"threshold":0.5,"coverage":0.7142857142857143,"risk":0.6},` +
			`{"threshold":0.4,"coverage":0.8571428571428571,"risk":0.6666666666666667},` +
			`{"threshold":0,"coverage":1,"risk":0.7142857142857143}],"confusions":[` +
			`{"id":"a","answered":"b","count":1,"served":1,"example":"a2"},` +
			`{"id":null,"answered":"b","count":1,"served":1,"example":"?1"},` +
			`{"id":"b","answered":"a","count":1,"served":0,"example":"b2"}],` +
			`"load_seconds":0,"microseconds_per_question":0}`},
		// Nothing out of scope, nothing answered.
		{[]Result{{Q: "a", Want: "a", Best: []string{"a"}, Confidence: 1}}, `{"questions":1,"in_scope":1,"out_of_scope":0,` +
			`"among_candidates":0,"answered_wrong":0,"accuracy":1,"recall_at_5":1,"in_scope_accuracy":0,"oos_recall":null,` +
			`"precision":null,"coverage":0,"in_scope_accuracy_at_oos_recall_80":null,"auroc":null,` +
			`"risk_coverage":[{"threshold":1,"coverage":1,"risk":0}],"confusions":[],` +
			`"load_seconds":0,"microseconds_per_question":0}`},
	} {
		expect.Same(t, "the report", test.want, string(expect.Value(json.Marshal(New(test.results)))(t)))
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	known := func(id string) bool { return id == "a" }
	read := func(text string) ([]Question, error) { return Read(strings.NewReader(text), "f.jsonl", known) }
	got := expect.Value(read("\ufeff" + `{"q":"one","id":"a"}` + "\n\n " + `{"q":"two","id":null,"kind":1}` + "\r\n"))(t)
	expect.Same(t, "questions", []Question{{"one", "a"}, {"two", ""}}, got)
	bad := expect.ErrorOf(read(`{"q":"one","id":"b"}
{"q":"","id":null}
{"q":"x"}
{"q":"x","id":1}
[]
`))
	expect.Holds(t, "the faults", fmt.Sprint(bad), `f.jsonl:1: no entry has the id "b"`, "f.jsonl:2: q is missing",
		"f.jsonl:3: id is missing", "f.jsonl:4: id must be a text or null", "f.jsonl:5: not an object")
	if _, err := read("\n"); err == nil {
		t.Error("an empty file was read")
	}
}

func TestPrint(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	expect.OK(t, New(some()).Print(&b))
	expect.Holds(t, "the text", b.String(),
		"7 questions: 4 that an entry answers, 3 that none does", "oos_recall", "66.7%", "(none)", "a2")
}
