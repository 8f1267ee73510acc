package lexical

import (
	"slices"
	"testing"

	"frontdesk/content"
)

func origins() []content.Entry {
	return []content.Entry{
		{Question: "Where do you come from?", Alternates: []string{"where are you from", "what country do you come from", "where were you born"}},
		{Question: "What does a visit cost?", Alternates: []string{"how much is a visit", "what is the price of a visit"}},
		{Question: "When are you open?", Alternates: []string{"what are your opening hours", "do you open on sundays"}},
	}
}

func askOrigins(t *testing.T, question string) *scratch {
	t.Helper()
	entries := origins()
	x := newIndex(entries, wordings(entries, nil), Shipped().Background, true)
	d := newScratch(x)
	x.ask(d, question, func(int) bool { return true })
	if len(d.found) == 0 || d.found[0].entry != 0 {
		t.Fatalf("%q does not lead to the first entry", question)
	}
	return d
}

func TestQuestionIsWeighedByTheUsualWordsOfTheEntry(t *testing.T) {
	t.Parallel()
	own := askOrigins(t, "where did you come from").evidence
	other := askOrigins(t, "where did granite come from").evidence
	for name, part := range map[string]int{"held": EvHeld, "typical": EvTypical} {
		if own[part] <= other[part] {
			t.Errorf("%s: %.3f for a question of the entry, %.3f for one out of scope", name, own[part], other[part])
		}
	}
}

func TestUnseenWordsShortenAQuestionAndKeepTheOrder(t *testing.T) {
	t.Parallel()
	known, unseen := askOrigins(t, "where from"), askOrigins(t, "where granite marble basalt from")
	if unseen.reader.share >= known.reader.share || known.reader.share != 1 {
		t.Errorf("shares %v without and %v with unseen words", known.reader.share, unseen.reader.share)
	}
	if unseen.found[0].machine >= known.found[0].machine {
		t.Errorf("machine says %v without and %v with unseen words", known.found[0].machine, unseen.found[0].machine)
	}
	order := func(d *scratch) (entries []int32) {
		for _, c := range d.found {
			entries = append(entries, c.entry)
		}
		return entries
	}
	if !slices.Equal(order(known), order(unseen)) {
		t.Errorf("order %v without and %v with unseen words", order(known), order(unseen))
	}
}

func TestScoreOfSomeEntriesIsThatOfAll(t *testing.T) {
	t.Parallel()
	entries := origins()
	x := newIndex(entries, wordings(entries, nil), Shipped().Background, true)
	all, some := make([]float32, len(entries)), make([]float32, 2)
	v := &x.vectors[5]
	x.machines.score(v, all)
	x.machines.scoreOf(v, []int32{2, 0}, some)
	const tolerance = 1e-5
	for at, e := range []int{2, 0} {
		if diff := all[e] - some[at]; diff > tolerance || diff < -tolerance {
			t.Errorf("entry %d: %v among all, %v among some", e, all[e], some[at])
		}
	}
}
