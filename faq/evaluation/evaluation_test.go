package evaluation

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/expect"
)

// some are results of every kind, the surest first.
func some() []Result {
	return []Result{
		{Q: "a1", Want: "a", Best: []string{"a", "b"}, Sureness: 0.9, Answered: true},
		{Q: "a2", Want: "a", Best: []string{"b", "a"}, Sureness: 0.8, Answered: true},
		{Q: "?1", Best: []string{"b"}, Sureness: 0.7, Answered: true},
		{Q: "b1", Want: "b", Best: []string{"b"}, Sureness: 0.6},
		{Q: "b2", Want: "b", Best: []string{"a", "c", "d", "e", "f", "b"}, Sureness: 0.5},
		{Q: "?2", Best: []string{"a"}, Sureness: 0.4},
		{Q: "?3"},
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	r := New(some())
	want := map[string]float64{
		"accuracy": 2. / 4, "recall_at_5": 3. / 4, "in_scope_accuracy": 1. / 4, "oos_recall": 2. / 3,
		"precision": 1. / 3, "coverage": 2. / 4,
		// Two of three out of scope are refused from 0.7 on: too few. From 0.8 on all are.
		"in_scope_accuracy_at_oos_recall_80": 1. / 4,
		// Of 12 pairs of a question in scope and one out of scope, 10 are in order.
		"auroc": 10. / 12,
	}
	for name, share := range numbers(t, r) {
		if math.Abs(share-want[name]) > 1e-9 {
			t.Errorf("%s = %v, want %v", name, share, want[name])
		}
	}
	a, b := "a", "b"
	confusions := []*Confusion{
		{Want: &a, Got: "b", Count: 1, Served: 1, Example: "a2"},
		{Got: "b", Count: 1, Served: 1, Example: "?1"},
		{Want: &b, Got: "a", Count: 1, Example: "b2"},
	}
	expect.Same(t, "confusions", confusions, r.Confusions)
}

// numbers are the shares by the names of the JSON, which are published.
func numbers(t *testing.T, r *Report) map[string]float64 {
	t.Helper()
	text := expect.Value(json.Marshal(r))(t)
	all := expect.JSON[map[string]any](t, text)
	for _, name := range []string{"risk_coverage", "confusions", "load_seconds", "microseconds_per_question"} {
		if _, there := all[name]; !there {
			t.Errorf("the JSON has no %s", name)
		}
	}
	shares := map[string]float64{}
	for _, name := range []string{
		"accuracy", "recall_at_5", "in_scope_accuracy", "oos_recall", "precision", "coverage",
		"in_scope_accuracy_at_oos_recall_80", "auroc",
	} {
		share, ok := all[name].(float64)
		if !ok {
			t.Errorf("%s = %v, not a number", name, all[name])
		}
		shares[name] = share
	}
	return shares
}

func TestNothingToMeasure(t *testing.T) {
	t.Parallel()
	r := New([]Result{{Q: "a", Want: "a", Best: []string{"a"}, Sureness: 1}})
	if r.OOSRecall != nil || r.AUROC != nil || r.Precision != nil || r.InScopeAccAtOOS80 != nil {
		t.Errorf("without questions out of scope and answers: %+v", r)
	}
	if r.Accuracy == nil || *r.Accuracy != 1 {
		t.Errorf("accuracy = %v", r.Accuracy)
	}
}

func TestRiskCoverageEndsWithAll(t *testing.T) {
	t.Parallel()
	curve := New(some()).RiskCoverage
	want := RiskAt{Threshold: 0, Coverage: 1, Risk: 5. / 7}
	if got := curve[len(curve)-1]; math.Abs(got.Risk-want.Risk) > 1e-9 || got.Coverage != 1 || got.Threshold != 0 {
		t.Errorf("the curve ends at %+v, want %+v", got, want)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	known := func(id string) bool { return id == "a" }
	got, err := Read(strings.NewReader("\ufeff{\"q\":\"one\",\"id\":\"a\"}\n\n {\"q\":\"two\",\"id\":null,\"kind\":1}\r\n"), "f", known)
	expect.OK(t, err)
	if diff := cmp.Diff([]Question{{"one", "a"}, {"two", ""}}, got); diff != "" {
		t.Error(diff)
	}
	bad := "{\"q\":\"one\",\"id\":\"b\"}\n{\"q\":\"\",\"id\":null}\n{\"q\":\"x\"}\n{\"q\":\"x\",\"id\":1}\n[]\n"
	_, err = Read(strings.NewReader(bad), "f.jsonl", known)
	if err == nil {
		t.Fatal("bad lines were read")
	}
	for i, want := range []string{`no entry has the id "b"`, "q is missing", "id is missing", "id must be a text or null", "not an object"} {
		line := strings.Split(err.Error(), "\n")[i]
		if !strings.HasPrefix(line, "f.jsonl:"+string(rune('1'+i))+": ") || !strings.Contains(line, want) {
			t.Errorf("line %d: %s, want %s", i+1, line, want)
		}
	}
	if _, err := Read(strings.NewReader("\n"), "f", known); err == nil {
		t.Error("an empty file was read")
	}
}

func TestPrint(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	expect.OK(t, New(some()).Print(&b))
	for _, want := range []string{"7 questions: 4 that an entry answers, 3 that none does", "oos_recall", "66.7%", "(none)", "a2"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
