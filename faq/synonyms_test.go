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
			{ID: "rodel", Question: "Verleihen Sie Rodel?", Answer: "Ja, Rodel und Helme.",
				Alternates: []string{"Kann man bei Ihnen Rodel leihen?"}},
			{ID: "member", Question: "Zahlen Alpenvereinsmitglieder weniger?",
				Answer: "Ja, Mitglieder des Alpenvereins zahlen die Hälfte."},
			{ID: "price", Question: "What is C$ 5?", Answer: "The fee."},
			{ID: "parking", Question: "駐車場はありますか？", Answer: "はい。"},
		},
		Synonyms: [][]string{
			{"Schlitten", "Rodel", "Bob"}, {"AV-Mitglied", "AV", "Alpenvereinsmitglieder"}, {"dollars", "C$ 5"},
			{"parrot", "macaw"}, {"Helme", "Rodel"}, {"駐車場", "パーキング"},
		},
	}
	s := newSynonyms(hut)
	for _, row := range [][2]string{
		{"Haben Sie Schlitten?", "Haben Sie Rodel?"},
		{"schlitten, BOB", "Rodel, Rodel"},
		{"Schlittenhunde", "Schlittenhunde"},
		{"Bin AV-Mitglied, und Sie?", "Bin Alpenvereinsmitglieder, und Sie?"},
		{"Gibt es Helme?", "Gibt es Helme?"},
		{"How many dollars?", "How many C$ 5?"},
		{"A parrot?", "A parrot?"},
		{"有料パーキングはありますか？", "有料駐車場はありますか？"}, {"パーキングエリア", "パーキングエリア"},
		{"Schlitten Schlitten Schlitten", "Rodel Rodel Rodel"},
		{"", ""},
	} {
		expect.Same(t, row[0], row[1], s.replace(row[0]))
	}
	expect.Same(t, "without a list", "Schlitten", newSynonyms(content.FAQ{}).replace("Schlitten"))

	answerer := withMeaning(t, content.FAQ{Fallback: "-", Entries: hut.Entries[:2]})
	const q = "Kann man bei Ihnen Schlitten leihen?"
	for _, row := range [][3]string{ // a question, its word, and that of the desk
		{q, "Schlitten", "Rodel"}, {"Kann man bei Ihnen Rodel leihen?"}, {"Verleihen Sie Schlitten und Skistöcke"},
		{"Landen hier Flugzeuge?"}, {},
	} {
		word, used := answerer.Synonym(t.Context(), row[0])
		expect.Same(t, "the synonym", row, [3]string{row[0], word, used})
	}

	expect.Same(t, "a list", "selector rodel", outcomeOf(withMeaning(t, hut).Ask(t.Context(), q)))
	hut.Synonyms = nil
	expect.Same(t, "without a list", "none", outcomeOf(withMeaning(t, hut).Ask(t.Context(), q)))
}
