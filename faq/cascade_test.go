package faq

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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

func TestChoicesAreRemembered(t *testing.T) {
	t.Parallel()
	o := &oracle{reason: contract.ReasonModelUnavailable}
	cascade := newBook(t, shop()).WithModel(o)
	cascade.Ask(t.Context(), beyond)
	o.reason, o.id = "", "price"
	for _, q := range []string{
		beyond, strings.ToUpper(beyond), strings.TrimSuffix(beyond, "?"), strings.Replace(beyond, " a", "  a", 1),
	} {
		expect.Same(t, q, "model price", outcomeOf(cascade.Ask(t.Context(), q)))
	}
	expect.Same(t, "calls of the model: the failure and one choice", 2, len(o.asked))
	o.id = "who"
	expect.Same(t, "after a reload", "model who", outcomeOf(newBook(t, shop()).WithModel(o).Ask(t.Context(), beyond)))
}

func TestEqualQuestionsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &oracle{id: "price", hold: make(chan struct{})}
		cascade := newBook(t, shop()).WithModel(o)
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				expect.Same(t, "the outcome", "model price", outcomeOf(cascade.Ask(t.Context(), beyond)))
			})
		}
		leaving, leave := context.WithCancel(t.Context())
		wait.Go(func() {
			expect.Same(t, "for the caller that left", contract.ReasonModelUnavailable, cascade.Ask(leaving, beyond).Reason)
		})
		synctest.Wait()
		leave()
		synctest.Wait()
		close(o.hold)
		wait.Wait()
		expect.Same(t, "calls of the model", 1, len(o.asked))
	})
}

func TestExpiredChoice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faq := shop()
		faq.Entries[0].Expires = time.Now().Truncate(24 * time.Hour)
		o := &oracle{id: "price"}
		cascade := newBook(t, faq).WithModel(o)
		expect.Same(t, "on the last day", "model price", outcomeOf(cascade.Ask(t.Context(), beyond)))
		time.Sleep(24 * time.Hour)
		expect.Same(t, "after it", "none", outcomeOf(cascade.Ask(t.Context(), beyond)))
		if slices.Contains(o.shown, "price") || len(o.asked) != 2 {
			t.Errorf("shown %q, asked %q", o.shown, o.asked)
		}
	})
}
