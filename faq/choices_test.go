package faq

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

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
