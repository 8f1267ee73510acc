package faq

import (
	"fmt"
	"slices"
	"testing"

	"frontdesk/contract"
	"frontdesk/faq/lexical"
	"frontdesk/internal/expect"
)

func TestModel(t *testing.T) {
	t.Parallel()
	shopIDs := []string{"price", "hours", "cancel", "who", "jp"}
	for _, test := range []struct {
		name, q string
		oracle  *oracle
		want    string
		reason  contract.Reason
		asked   int
	}{
		{"an approved wording", "What does it cost?", &oracle{id: "hours"}, "exact price", contract.ReasonMatched, 0},
		{"a sure selector", "How can I cancel the subscription?", &oracle{}, "selector cancel", contract.ReasonMatched, 0},
		{"a choice", beyond, &oracle{id: "price"}, "model price", contract.ReasonMatched, 1},
		{"no subject in common", "Xyzzy plugh frobnicate?", &oracle{id: "who"}, "model who", contract.ReasonMatched, 1},
		{"none", beyond, &oracle{}, "none", contract.ReasonNoMatch, 1},
		{"a cap", beyond, &oracle{reason: contract.ReasonRateLimitedGlobal}, "none", contract.ReasonRateLimitedGlobal, 1},
		{"a failure", beyond, &oracle{reason: contract.ReasonModelUnavailable}, "none", contract.ReasonModelUnavailable, 1},
		{"no word to ask about", "?!", &oracle{id: "price"}, "none", contract.ReasonNoMatch, 0},
	} {
		answerer := newBook(t, shop())
		got := answerer.WithModel(test.oracle).Ask(t.Context(), test.q)
		expect.Same(t, test.name, []any{test.want, test.reason}, []any{outcomeOf(got), got.Reason})
		if len(test.oracle.asked) != test.asked || test.asked > 0 && !slices.Equal(test.oracle.shown, shopIDs) {
			t.Errorf("%s: the model was asked %q and shown %q", test.name, test.oracle.asked, test.oracle.shown)
		}
		byBook := answerer.Ask(t.Context(), test.q)
		if byBook.Reason = got.Reason; got.EntryID == nil {
			expect.Same(t, test.name+": the fallback", byBook, got)
		}
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 1: 1, 40: 40, 41: 20, 500: 20} {
		faq := large(n, 1)
		o := &oracle{id: fmt.Sprint("e", n-1)}
		var best []int
		for entry := n - 1; entry >= max(0, n-lexical.Candidates); entry-- { // the selector names the last entries first
			best = append(best, entry)
		}
		answerer := newBook(t, faq)
		choosable := answerer.choosable(best, func(int) bool { return true })
		got := answerer.WithModel(o).ask(t.Context(), beyond, beyond, choosable)
		if len(o.shown) != want || want > 0 && (got.entry != n-1 || !slices.Contains(o.shown, o.id)) {
			t.Errorf("%d of %d entries shown, want %d; the choice is %+v", len(o.shown), n, want, got)
		}
		expect.Same(t, "entries if the selector names none", want,
			len(answerer.choosable(nil, func(int) bool { return true })))
	}
}
