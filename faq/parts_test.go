package faq

import (
	"testing"

	"frontdesk/internal/expect"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, row := range [][3]string{ // a question, and its parts
		{"how much is it and do you offer refunds?", "how much is it", "do you offer refunds?"},
		{"How much is it? Do you offer refunds?", "How much is it", "Do you offer refunds?"},
		{"Is it big and cheap? Do you offer refunds?", "Is it big and cheap", "Do you offer refunds?"},
		{"is it black and white or red and can I pay by card", "is it black and white or red", "can I pay by card"},
		{"¿Cuánto cuesta? ¿Aceptan tarjetas?", "¿Cuánto cuesta", "Aceptan tarjetas?"},
		{"ile to kosztuje i kiedy macie otwarte", "ile to kosztuje", "kiedy macie otwarte"},
		{"Do I pay extra and do I get money back?", "Do I pay extra", "do I get money back?"},
		{"how do i find you", "", ""}, {"HOW DO I FIND YOU", "", ""},
		{"desde qué hora están en la mañana", "", ""}, {"quels sont vos tarifs en haute saison", "", ""},
		{"wat kost het en wanneer zijn jullie open", "wat kost het", "wanneer zijn jullie open"},
		{"HOW MUCH IS IT AND DO YOU OFFER REFUNDS?", "HOW MUCH IS IT", "DO YOU OFFER REFUNDS?"},
		{"Was kostet die Zahnreinigung und was kostet das Bleaching?", "Was kostet die Zahnreinigung", "was kostet das Bleaching?"},
		{"A che ora aprite e a che ora chiudete?", "A che ora aprite", "a che ora chiudete?"},
		{"do kiedy jest otwarte i do kiedy moge dzwonic", "do kiedy jest otwarte", "do kiedy moge dzwonic"},
		{"What are the terms and conditions?", "", ""}, // one subject
		{"Do you offer refunds?", "", ""},
		{"Prices and opening hours", "", ""}, // a part of a single word
		{"Refunds.", "", ""},
		{"", "", ""},
	} {
		first, second, ok := split(row[0])
		expect.Same(t, row[0], []any{row[1], row[2], row[1] != ""}, []any{first, second, ok})
	}
}

// If entries answer parts of a question, none of them is served as the answer.
func TestTwoParts(t *testing.T) {
	t.Parallel()
	answerer := withMeaning(t, shop())
	for q, test := range map[string]struct {
		want string
		ids  []string // of the first candidates
	}{
		"How much is it and can I stop at any time?":               {"none", []string{"price", "cancel"}},
		"Can I stop at any time? How much is it?":                  {"none", []string{"cancel", "price"}},
		"How can I cancel the subscription and when are you open?": {"none", []string{"cancel", "hours"}},
		"How much is it? What are your prices?":                    {"selector price", nil},  // both of one entry
		"Thank you very much! How do I end my contract with you?":  {"selector cancel", nil}, // no entry answers a part
	} {
		o := &oracle{id: "who"}
		got := answerer.WithModel(o).Ask(t.Context(), q)
		if test.ids == nil {
			got = answerer.Ask(t.Context(), q)
		} else {
			expect.Same(t, q+": a model is asked to choose one of two", 0, len(o.asked))
		}
		expect.Same(t, q, test.want, outcomeOf(got))
		var ids []string
		for _, c := range got.Candidates[:min(len(test.ids), len(got.Candidates))] {
			ids = append(ids, c.EntryID)
		}
		expect.Same(t, q+": the first candidates", test.ids, ids)
		expect.Same(t, q+": answered by Try", test.want != "none", answerer.Try(q).Answered)
	}
}

// What a higher precision answers a lower one answers too.
func TestLowerPrecision(t *testing.T) {
	t.Parallel()
	answerer := *newBook(t, shop())
	for _, q := range []string{
		"How can I cancel the subscription and what are your prices", "what is the price and when are you open today?",
		"Can I stop at any time? How much is it?", "what are the prices", "is it for restaurants and businesses",
		"your hours", "how do I end it and who is it for",
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
