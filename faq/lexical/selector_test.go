package lexical

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func everyone(int) bool { return true }

func sample(t testing.TB) []content.Entry {
	t.Helper()
	return expect.Value(content.Load(content.Sample()))(t).FAQ.Entries
}

func newSelector(entries []content.Entry, unanswered ...string) *Selector {
	return New(entries, unanswered, Shipped())
}

func (s *Selector) ask(q string) Choice { return s.Select(q, everyone, content.DefaultPrecision) }

// Parts of words find what is mistyped.
func TestMistyped(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	s := newSelector(entries)
	for q, want := range map[string]string{
		"where are you loacted":            "location",
		"do you charge a setpu fee":        "setup-fee",
		"which calenders and mailprograms": "integrations",
		"do i need a webiste":              "website",
		"how do apointment remidners work": "reminders",
		"do you handel emergancy calls":    "emergencies",
	} {
		expect.Same(t, q, want, entries[s.ask(q).Best[0]].ID)
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	got := newSelector(sample(t)).ask("How do I cancel the booking of a pilot?")
	if len(got.Best) != Candidates || got.Near == 0 || got.Near > Candidates || !(math.Abs(got.Confidence-0.5) <= 0.5) {
		t.Errorf("got %+v", got)
	}
}

func TestSmallContent(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		entries := sample(t)[:n]
		s := newSelector(entries)
		for _, q := range []string{"", "?", "what does linden desk do", "\xff"} {
			got := s.ask(q)
			if len(got.Best) > n || math.IsNaN(got.Confidence) {
				t.Errorf("%d entries, Select(%q) = %+v", n, q, got)
			}
		}
	}
}

func TestLargeContent(t *testing.T) {
	t.Parallel()
	var entries []content.Entry
	for i := range 6000 {
		entries = append(entries, content.Entry{
			ID: fmt.Sprint(i), Question: fmt.Sprintf("How do I mount the bracket%dx on wall%dy?", i, i%70), Answer: "Yes.",
		})
	}
	got := newSelector(entries).ask("mounting of the bracket4321x")
	expect.Same(t, "the first entry", 4321, got.Best[0])
}

// The words of an answer lead to an entry that has no other wording.
func TestAnswerWordsHelp(t *testing.T) {
	t.Parallel()
	entries := []content.Entry{
		{ID: "a", Question: "What is on the menu?", Answer: "Soup, bread and cheese."},
		{ID: "b", Question: "What is on the roof?", Answer: "Solar cells and a chimney."},
	}
	got := newSelector(entries).ask("Is there a chimney?")
	expect.Same(t, "the first entry", 1, got.Best[0])
}

// Entries that are not live are left out, and those that are asked for are weighed in any case.
func TestWeigh(t *testing.T) {
	t.Parallel()
	pairs, _ := newSelector(sample(t)).Weigh("zebra", func(entry int) bool { return entry != 3 }, []int{3, 5})
	isOf := func(entry int) func(Pair) bool { return func(p Pair) bool { return p.Entry == entry } }
	if slices.ContainsFunc(pairs, isOf(3)) || !slices.ContainsFunc(pairs, isOf(5)) {
		t.Errorf("got %+v, want entry 5 and not 3", pairs)
	}
}

// An entry is never sure of a question that is nearer to one that the owner wants unanswered.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	questions := []string{"Can you cancel my gym membership?", "Do you repair coffee machines?", "Do you sell tyres?"}
	s := newSelector(entries, questions...)
	for _, q := range questions {
		choice := s.Select(q, everyone, 0.5)
		if most := slices.Max(choice.Best); most >= len(entries) {
			t.Errorf("Select(%q) gives entry %d", q, most)
		}
		expect.Same(t, q+": sure", false, choice.Sure)
	}
}

func TestParseRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string][2]string{
		"no calibration":   {"texts 1\n", "{}"},
		"not JSON":         {"texts 1\n", "-"},
		"a word uncounted": {"texts 1\nhello\n", string(shippedCalibration)},
	} {
		if _, err := parse([]byte(test[0]), []byte(test[1])); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
