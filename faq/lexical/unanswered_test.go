package lexical

import (
	"testing"

	"frontdesk/internal/expect"
)

var unanswered = []string{
	"Which football team do you support?", "Can you book a holiday flight for me?",
	"Do you repair coffee machines?", "What is the capital of Portugal?",
	"Can you cancel my gym membership?", "Where can I buy winter tyres?",
}

func withUnanswered(t *testing.T, unanswered []string) *Selector {
	t.Helper()
	return New(sample(t), Options{Precision: 0.95, Unanswered: unanswered, Knowledge: Shipped()})
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
	expect.Same(t, "texts of entries", len(x.vectors)-len(unanswered), x.own)
}
