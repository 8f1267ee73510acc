package lexical

import (
	"math"
	"testing"
)

// unanswered are questions near the sample's subject that it has no entry for.
var unanswered = []string{
	"Which football team do you support?", "Can you book a holiday flight for me?",
	"Do you repair coffee machines?", "What is the capital of Portugal?",
	"Can you cancel my gym membership?", "Where can I buy winter tyres?",
}

func withUnanswered(t *testing.T, unanswered []string) *Selector {
	t.Helper()
	return New(sample(t), Options{Precision: 0.95, Unanswered: unanswered, Knowledge: Shipped()})
}

// What the owner wants unanswered teaches: what is said alike is less sure, and what
// belongs to an entry stays with it.
func TestUnansweredQuestionsTeach(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	without, with := withUnanswered(t, nil), withUnanswered(t, unanswered)
	for _, q := range []string{
		"could you cancel my gym membership", "can you book a flight", "do you repair a coffee machine",
	} {
		if before, after := without.Select(q, everyone), with.Select(q, everyone); after.Sureness >= before.Sureness {
			t.Errorf("%q: %v with unanswered questions, %v without", q, after.Sureness, before.Sureness)
		}
	}
	for i := range entries {
		if got := with.Select(entries[i].Question, everyone); got.Best[0] != i {
			t.Errorf("%q goes to entry %d", entries[i].Question, got.Best[0])
		}
	}
}

// No unanswered question is ever among the entries, and its words are not the
// content's.
func TestUnansweredQuestionsAreNoEntry(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	s := withUnanswered(t, unanswered)
	for _, q := range append([]string{"portugal", "gym tyres"}, unanswered...) {
		choice := s.Select(q, everyone)
		for _, e := range choice.Best {
			if e < 0 || e >= len(entries) {
				t.Fatalf("Select(%q) gives entry %d", q, e)
			}
		}
		if choice.Sure {
			t.Errorf("Select(%q) is sure", q)
		}
	}
	x := newIndex(entries, wordings(entries, unanswered), Shipped().Background, true)
	d := newScratch(x)
	x.ask(d, "how much is portugal", everyone)
	if got := d.evidence[EvSeen]; got > 0.7 {
		t.Errorf("%v of a question are the content's, beside a word that only an unanswered question has", got)
	}
	if x.logistic.columns() != len(entries)+1 || x.own+len(unanswered) != len(x.vectors) {
		t.Errorf("%d scores, %d of %d texts belong to an entry", x.logistic.columns(), x.own, len(x.vectors))
	}
}

// Some unanswered questions are trained on and the others asked.
func TestExamineAsksUnanswered(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	foreign := 0
	for _, e := range examine(entries, wordings(entries, unanswered), Shipped().Background) {
		if e.Far {
			foreign++
			if !e.OutOfScope || e.Right {
				t.Errorf("an unanswered question is judged %+v", e)
			}
		}
	}
	if foreign == 0 || foreign > folds(0)*len(unanswered) {
		t.Errorf("%d unanswered questions were asked", foreign)
	}
}

// One unanswered question must not count as much as all of them together.
func TestBalanceOfOneUnanswered(t *testing.T) {
	t.Parallel()
	examples := make([]Example, 101)
	examples[100] = Example{OutOfScope: true, Far: true}
	Balance(examples)
	if got, want := examples[100].Weight, heaviest*examples[0].Weight; math.Abs(got-want) > 1e-9 {
		t.Errorf("the unanswered question counts %v, want %v", got, want)
	}
}

func TestLeastExpected(t *testing.T) {
	t.Parallel()
	examples := []Example{
		{Confidence: 0.5, Weight: 1}, {Confidence: 1, Weight: 1}, {Confidence: 0.9, Weight: 2}, {Confidence: 0.8, Weight: 1},
	}
	for precision, want := range map[float64]float64{0.99: 1, 0.93: 0.9, 0.89: 0.8, 0.5: 0.5} {
		if got := leastExpected(examples, precision); got != want {
			t.Errorf("for %v: %v, want %v", precision, got, want)
		}
	}
	if got := leastExpected([]Example{{Confidence: 0.6, Weight: 1}}, 0.9); got != 1 {
		t.Errorf("when none is expected: %v, want 1", got)
	}
}

// graded makes examples whose one telling part of the evidence is right as often as
// it says.
func graded(n int) []Example {
	examples := make([]Example, 0, n)
	for i := range n {
		p := (float64(i%100) + 0.5) / 100
		e := Example{Right: float64(i/100%10)+0.5 < 10*p, Weight: 1 / float64(n)}
		e.OutOfScope = !e.Right
		e.Evidence[EvLogit] = logit(p)
		examples = append(examples, e)
	}
	return examples
}

// What was seen may lower the threshold that confidence expects, never raise it.
func TestOwnThreshold(t *testing.T) {
	t.Parallel()
	right, wrong := graded(1000), graded(1000)
	for _, some := range [][]Example{right, wrong} {
		for i := range some {
			some[i].Confidence = sigmoid(some[i].Evidence[EvLogit])
		}
	}
	for i := range right {
		right[i].Right, wrong[i].Right = true, wrong[i].Confidence < 0.5
	}
	expected := logit(leastExpected(right, 0.9))
	if got := ownThreshold(right, 0.9); got >= expected {
		t.Errorf("all right: %v, expected %v", got, expected)
	}
	if got := ownThreshold(wrong, 0.9); got != expected {
		t.Errorf("the surest wrong: %v, expected %v", got, expected)
	}
}

func TestVotes(t *testing.T) {
	t.Parallel()
	d := &scratch{}
	for i := range 2 * voters {
		d.vote(vote{near: float32(i+1) / 100, entry: int32(i % 2)})
	}
	if d.votes[0].near != 0.16 || d.votes[voters-1].near != 0.09 {
		t.Errorf("the nearest are %v", d.votes)
	}
	if even, odd := d.voted(0), d.voted(1); even >= odd || even+odd < 0.999 || even+odd > 1.001 {
		t.Errorf("shares %v and %v", even, odd)
	}
	if (&scratch{}).voted(0) != 0 {
		t.Error("a share of no votes")
	}
}
