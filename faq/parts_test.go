package faq

import (
	"fmt"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ q, first, second string }{
		"a joining word":          {"how much is it and do you offer refunds?", "how much is it", "do you offer refunds?"},
		"two sentences":           {"How much is it? Do you offer refunds?", "How much is it", "Do you offer refunds?"},
		"sentences first":         {"Is it big and cheap? Do you offer refunds?", "Is it big and cheap", "Do you offer refunds?"},
		"the middle one":          {"is it black and white or red and can I pay by card", "is it black and white or red", "can I pay by card"},
		"Spanish":                 {"¿Cuánto cuesta? ¿Aceptan tarjetas?", "¿Cuánto cuesta", "Aceptan tarjetas?"},
		"Polish":                  {"ile to kosztuje i kiedy macie otwarte", "ile to kosztuje", "kiedy macie otwarte"},
		"one subject":             {"What are the terms and conditions?", "", ""},
		"one question":            {"Do you offer refunds?", "", ""},
		"a part of a single word": {"Prices and opening hours", "", ""},
		"an abbreviation's stop":  {"Refunds.", "", ""},
		"nothing":                 {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			first, second, ok := split(test.q)
			if first != test.first || second != test.second || ok != (test.first != "") {
				t.Errorf("split(%q) = %q, %q, %v", test.q, first, second, ok)
			}
		})
	}
}

// TestTwoParts asks questions whose parts different entries answer: none of them is the one answer.
func TestTwoParts(t *testing.T) {
	t.Parallel()
	answerer := withMeaning(t, shop())
	for name, test := range map[string]struct {
		q    string
		want outcome
		ids  []string // of the first candidates
	}{
		"two approved wordings":        {"How much is it and can I stop at any time?", outcome{Match: contract.MatchNone}, []string{"price", "cancel"}},
		"the other way round":          {"Can I stop at any time? How much is it?", outcome{Match: contract.MatchNone}, []string{"cancel", "price"}},
		"a paraphrase and a wording":   {"How can I cancel the subscription and when are you open?", outcome{Match: contract.MatchNone}, []string{"cancel", "hours"}},
		"both of one entry":            {"How much is it? What are your prices?", outcome{contract.MatchSelector, "price"}, nil},
		"a part that no entry answers": {"Thank you very much! How do I end my contract with you?", outcome{contract.MatchSelector, "cancel"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := &oracle{id: "who"}
			got := answerer.WithModel(o).Ask(t.Context(), test.q)
			if test.ids == nil {
				got = answerer.Ask(t.Context(), test.q)
			}
			expect.Same(t, fmt.Sprintf("Ask(%q)", test.q), test.want, outcomeOf(got))
			var ids []string
			for _, c := range got.Candidates[:min(len(test.ids), len(got.Candidates))] {
				ids = append(ids, c.EntryID)
			}
			expect.Same(t, fmt.Sprintf("the first candidates of %q", test.q), test.ids, ids)
			if test.ids != nil && len(o.asked) > 0 {
				t.Errorf("a model was asked to choose one of two: %q", o.asked)
			}
			if trial := answerer.Try(test.q); trial.Answered != (test.want.ID != "") {
				t.Errorf("Try(%q) = %+v, not what Ask does", test.q, trial)
			}
		})
	}
}

// TestLowerPrecision asks at falling precisions: what a higher one answers a lower one answers too, whole questions and
// questions of two parts.
func TestLowerPrecision(t *testing.T) {
	t.Parallel()
	answerer := *newBook(t, shop())
	for _, q := range []string{
		"How can I cancel the subscription and what are your prices", "what is the price and when are you open today?",
		"Can I stop at any time? How much is it?", "what are the prices", "is it for restaurants and businesses", "your hours",
		"how do I end it and who is it for",
	} {
		answered := false
		for _, precision := range []float64{0.995, 0.99, 0.97, 0.95, 0.9, 0.8, 0.5} {
			answerer.precision = precision
			now := answerer.Ask(t.Context(), q).EntryID != nil
			if answered && !now {
				t.Errorf("%q is answered at a higher precision, and not at %v", q, precision)
			}
			answered = now
		}
	}
}

// Case and a missing question mark change nothing for words.
func TestCaseAndMark(t *testing.T) {
	t.Parallel()
	answerer := newBook(t, shop())
	for _, q := range []string{"Can I cancel the subscription?", "What are the prices?", "Do you sell cake?", "料金はいくらでしょうか？"} {
		want := answerer.Ask(t.Context(), q)
		for _, same := range []string{strings.ToLower(q), strings.ToUpper(q), strings.TrimRight(q, "?？")} {
			expect.Same(t, same, want, answerer.Ask(t.Context(), same))
		}
	}
}
