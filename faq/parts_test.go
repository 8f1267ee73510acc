package faq

import (
	"testing"

	"frontdesk/internal/expect"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, q, first, second string }{
		{"a joining word", "how much is it and do you offer refunds?", "how much is it", "do you offer refunds?"},
		{"two sentences", "How much is it? Do you offer refunds?", "How much is it", "Do you offer refunds?"},
		{"sentences first", "Is it big and cheap? Do you offer refunds?", "Is it big and cheap", "Do you offer refunds?"},
		{"the middle one", "is it black and white or red and can I pay by card", "is it black and white or red", "can I pay by card"},
		{"Spanish", "¿Cuánto cuesta? ¿Aceptan tarjetas?", "¿Cuánto cuesta", "Aceptan tarjetas?"},
		{"Polish", "ile to kosztuje i kiedy macie otwarte", "ile to kosztuje", "kiedy macie otwarte"},
		{"one subject", "What are the terms and conditions?", "", ""},
		{"one question", "Do you offer refunds?", "", ""},
		{"a part of a single word", "Prices and opening hours", "", ""},
		{"an abbreviation's stop", "Refunds.", "", ""},
		{"nothing", "", "", ""},
	} {
		first, second, ok := split(test.q)
		expect.Same(t, test.name, []any{test.first, test.second, test.first != ""}, []any{first, second, ok})
	}
}

// TestTwoParts asks questions whose parts different entries answer: none of them is the one answer.
func TestTwoParts(t *testing.T) {
	t.Parallel()
	answerer := withMeaning(t, shop())
	for name, test := range map[string]struct {
		q    string
		want string
		ids  []string // of the first candidates
	}{
		"two approved wordings":        {"How much is it and can I stop at any time?", "none", []string{"price", "cancel"}},
		"the other way round":          {"Can I stop at any time? How much is it?", "none", []string{"cancel", "price"}},
		"a paraphrase and a wording":   {"How can I cancel the subscription and when are you open?", "none", []string{"cancel", "hours"}},
		"both of one entry":            {"How much is it? What are your prices?", "selector price", nil},
		"a part that no entry answers": {"Thank you very much! How do I end my contract with you?", "selector cancel", nil},
	} {
		o := &oracle{id: "who"}
		got := answerer.WithModel(o).Ask(t.Context(), test.q)
		if test.ids == nil {
			got = answerer.Ask(t.Context(), test.q)
		} else {
			expect.Same(t, name+": a model is asked to choose one of two", 0, len(o.asked))
		}
		expect.Same(t, name, test.want, outcomeOf(got))
		var ids []string
		for _, c := range got.Candidates[:min(len(test.ids), len(got.Candidates))] {
			ids = append(ids, c.EntryID)
		}
		expect.Same(t, name+": the first candidates", test.ids, ids)
		expect.Same(t, name+": answered by Try", test.want != "none", answerer.Try(test.q).Answered)
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
