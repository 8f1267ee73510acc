package lexical

import (
	"fmt"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func everyone(int) bool { return true }

func sample(t testing.TB) []content.Entry {
	t.Helper()
	loaded := expect.Value(content.Load(content.Sample()))(t)
	return loaded.FAQ.Entries
}

func newSelector(t testing.TB, entries []content.Entry) *Selector {
	t.Helper()
	return New(entries, Options{Precision: 0.95, Knowledge: Shipped()})
}

func TestTypos(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	s := newSelector(t, entries)
	for q, want := range map[string]string{
		"where are you loacted":            "location",
		"do you give my money bakc":        "refunds",
		"do you charge a setpu fee":        "setup-fee",
		"which calenders and mailprograms": "integrations",
		"do i need a webiste":              "website",
		"how do apointment remidners work": "reminders",
		"do you handel emergancy calls":    "emergencies",
		"refnud?":                          "refunds",
		"canecl":                           "cancel",
	} {
		choice := s.Select(q, everyone)
		if len(choice.Best) == 0 || entries[choice.Best[0]].ID != want {
			t.Errorf("Select(%q) does not put %q first", q, want)
		}
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	got := newSelector(t, sample(t)).Select("How do I cancel the booking of a pilot?", everyone)
	if len(got.Best) != Candidates || got.Near == 0 || got.Near > len(got.Best) || got.Confidence < 0 || got.Confidence > 1 {
		t.Errorf("got %+v", got)
	}
}

// Content of any size must be answered, also where nothing can be trained on it.
func TestSmallContent(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		entries := sample(t)[:n]
		s := newSelector(t, entries)
		for _, q := range []string{"", "?", "what does linden desk do", "\xff"} {
			if got := s.Select(q, everyone); len(got.Best) > n {
				t.Errorf("%d entries, Select(%q) = %+v", n, q, got)
			}
		}
	}
}

// Beyond what is trained, entries are found by their words only.
func TestLargeContent(t *testing.T) {
	t.Parallel()
	var entries []content.Entry
	for i := range 6000 {
		entries = append(entries, content.Entry{
			ID: fmt.Sprint(i), Question: fmt.Sprintf("How do I mount the bracket%dx on wall%dy?", i, i%70), Answer: "Yes.",
		})
	}
	s := newSelector(t, entries)
	if s.index.machines != nil {
		t.Fatal("content of this size was trained")
	}
	if got := s.Select("mounting of the bracket4321x", everyone); got.Best[0] != 4321 {
		t.Errorf("got entry %d", got.Best[0])
	}
}
