package faq

import (
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func TestSynonyms(t *testing.T) {
	t.Parallel()
	hut := content.FAQ{
		Fallback: "-",
		Entries: []content.Entry{
			{ID: "rodel", Question: "Verleihen Sie Rodel?", Answer: "Ja, Rodel und Helme.", Alternates: []string{"Kann man bei Ihnen Rodel leihen?"}},
			{ID: "member", Question: "Zahlen Alpenvereinsmitglieder weniger?", Answer: "Ja, Mitglieder des Alpenvereins zahlen die Hälfte."},
			{ID: "price", Question: "What is C$ 5?", Answer: "The fee."},
		},
		Synonyms: [][]string{
			{"Schlitten", "Rodel", "Bob"}, {"AV-Mitglied", "AV", "Alpenvereinsmitglieder"}, {"dollars", "C$ 5"}, {"parrot", "macaw"},
			{"Helme", "Rodel"},
		},
	}
	s := newSynonyms(hut)
	for q, want := range map[string]string{
		"Haben Sie Schlitten?":          "Haben Sie Rodel?",
		"schlitten, BOB":                "Rodel, Rodel",
		"Schlittenhunde":                "Schlittenhunde",
		"Bin AV-Mitglied, und Sie?":     "Bin Alpenvereinsmitglieder, und Sie?",
		"Gibt es Helme?":                "Gibt es Helme?",
		"How many dollars?":             "How many C$ 5?",
		"A parrot?":                     "A parrot?",
		"Schlitten Schlitten Schlitten": "Rodel Rodel Rodel",
		"":                              "",
	} {
		expect.Same(t, q, want, s.replace(q))
	}
	expect.Same(t, "without a list", "Schlitten", newSynonyms(content.FAQ{}).replace("Schlitten"))

	answerer := withMeaning(t, content.FAQ{Fallback: "-", Entries: hut.Entries[:2]})
	for q, want := range map[string][2]string{
		"Kann man bei Ihnen Schlitten leihen?":  {"Schlitten", "Rodel"},
		"Kann man bei Ihnen Rodel leihen?":      {},
		"Verleihen Sie Schlitten und Skistöcke": {},
		"Landen hier Flugzeuge?":                {},
		"":                                      {},
	} {
		word, used := answerer.Synonym(t.Context(), q)
		expect.Same(t, "the synonym in "+q, want, [2]string{word, used})
	}

	const q = "Kann man bei Ihnen Schlitten leihen?"
	expect.Same(t, "a list", "selector rodel", outcomeOf(withMeaning(t, hut).Ask(t.Context(), q)))
	hut.Synonyms = nil
	expect.Same(t, "without a list", "none", outcomeOf(withMeaning(t, hut).Ask(t.Context(), q)))
}
