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
	for _, q := range []string{beyond, strings.ToUpper(beyond), "do i have to pay a  deposit before the first month", beyond} {
		if got := cascade.Ask(t.Context(), q); got.EntryID == nil || *got.EntryID != "price" {
			t.Errorf("Ask(%q) = %+v", q, got)
		}
	}
	if len(o.asked) != 2 {
		t.Errorf("the model was asked %q, want the failure and one choice", o.asked)
	}
	o.id = "who"
	if got := newBook(t, shop()).WithModel(o).Ask(t.Context(), beyond); *got.EntryID != "who" {
		t.Errorf("after a reload: %+v", outcomeOf(got))
	}
}

func TestEqualQuestionsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &oracle{id: "price", hold: make(chan struct{})}
		cascade := newBook(t, shop()).WithModel(o)
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				if got := cascade.Ask(t.Context(), beyond); got.Match != contract.MatchModel {
					t.Errorf("got %+v", got)
				}
			})
		}
		leaving, leave := context.WithCancel(t.Context())
		wait.Go(func() {
			if got := cascade.Ask(leaving, beyond); got.Reason != contract.ReasonModelUnavailable {
				t.Errorf("the caller that left got %+v", got)
			}
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
		if got := outcomeOf(cascade.Ask(t.Context(), beyond)); got.ID != "price" {
			t.Errorf("on the last day: %+v", got)
		}
		time.Sleep(24 * time.Hour)
		if got := outcomeOf(cascade.Ask(t.Context(), beyond)); got.ID != "" || slices.Contains(o.shown, "price") || len(o.asked) != 2 {
			t.Errorf("after it: %+v, shown %q, asked %q", got, o.shown, o.asked)
		}
	})
}
