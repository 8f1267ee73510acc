package lexical

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// Questions with typing errors must still find their entry; whether it answers is
// another matter.
func TestTypos(t *testing.T) {
	t.Parallel()
	wantFirst(t, sample(t), map[string]string{
		"where are you loacted":              "location",
		"do you give my money bakc":          "refunds",
		"do you charge a setpu fee":          "setup-fee",
		"which calenders and mailprograms":   "integrations",
		"do i need a webiste":                "website",
		"is thre an mcp sever":               "mcp",
		"what hapens to my daat":             "privacy",
		"how do apointment remidners work":   "reminders",
		"can we keep our fone number":        "phone-number",
		"do you give leagl or medcal advise": "advice",
		"how does invoce folowup work":       "invoices",
		"do you handel emergancy calls":      "emergencies",
		"refnud?":                            "refunds",
		"any refnuds":                        "refunds",
		"canecl":                             "cancel",
		"do you giev refnuds":                "refunds",
		"setpu fee":                          "setup-fee",
		"apointment remidners":               "reminders",
		"calender integratoins":              "integrations",
	})
}

// wantFirst has the selector of the entries put the right one first for each question.
func wantFirst(t *testing.T, entries []content.Entry, wants map[string]string) {
	t.Helper()
	s := newSelector(t, entries)
	for q, want := range wants {
		choice := s.Select(q, everyone)
		if len(choice.Best) == 0 || entries[choice.Best[0]].ID != want {
			t.Errorf("Select(%q) does not put %q first", q, want)
		}
	}
}

func TestSelectorsOfTheSameContentAgree(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	one, other := withUnanswered(t, unanswered), withUnanswered(t, unanswered)
	for i, e := range entries {
		for _, q := range []string{e.Question, "please, " + e.Question, e.ID + " weather", e.Answer, unanswered[i%len(unanswered)]} {
			if diff := cmp.Diff(one.Select(q, everyone), other.Select(q, everyone)); diff != "" {
				t.Fatalf("Select(%q) differs:\n%s", q, diff)
			}
		}
	}
}

func TestOnlyLiveEntries(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	s := newSelector(t, entries)
	first := s.Select(entries[3].Question+" now", everyone).Best[0]
	for _, entry := range s.Select(entries[3].Question+" now", func(e int) bool { return e != first }).Best {
		if entry == first {
			t.Error("an entry that is not live is among the best")
		}
	}
	if got := s.Select("anything", func(int) bool { return false }); len(got.Best) > 0 || got.Sure {
		t.Errorf("with no live entry: %+v", got)
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	got := newSelector(t, sample(t)).Select("How do I cancel the booking of a pilot?", everyone)
	if len(got.Best) != Candidates || got.Near == 0 || got.Near > len(got.Best) || got.Sureness < 0 || got.Sureness > 1 {
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

func TestPrecisionMovesTheThreshold(t *testing.T) {
	t.Parallel()
	entries := sample(t)
	last := 0.0
	for _, precision := range []float64{0.5, 0.8, 0.9, 0.95, 0.99} {
		s := New(entries, Options{Precision: precision, Knowledge: Shipped()})
		if s.threshold < last {
			t.Errorf("precision %v lowers the threshold from %v to %v", precision, last, s.threshold)
		}
		last = s.threshold
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

// BenchmarkSample is the start of a service with the embedded sample.
func BenchmarkSample(b *testing.B) {
	entries := sample(b)
	know := Shipped()
	for _, n := range []int{25, len(entries)} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				New(entries[:n], Options{Precision: 0.95, Knowledge: know})
			}
		})
	}
}
