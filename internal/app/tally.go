package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/callers"
	"frontdesk/internal/owner"
	"frontdesk/middleware"
)

// tallyInterval is how often the counts of the day are stored.
const tallyInterval = time.Minute

// tally counts what the owner's pages show of each day. Its callers never wait for the
// database; a crash loses the counts of at most tallyInterval.
type tally struct {
	store interface {
		AddDayTotals(ctx context.Context, day int64, counts map[string]int) error
	}
	log zerolog.Logger

	calls, sessions [callers.Count]atomic.Int64 // by kind: not in counts yet

	mu     sync.Mutex
	counts map[int64]map[string]int // by day and name: not stored yet
}

func (t *tally) count(name string) {
	day := owner.Today(time.Now())
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(day, name, 1)
}

func (t *tally) add(day int64, name string, n int) {
	if t.counts == nil {
		t.counts = map[int64]map[string]int{}
	}
	if t.counts[day] == nil {
		t.counts[day] = map[string]int{}
	}
	t.counts[day][name] += n
}

// Asked implements gaps.Counter.
func (t *tally) Asked(answer contract.Answer) {
	if answer.EntryID == nil {
		t.count(owner.DayUnanswered)
		if len(answer.Candidates) > 0 {
			t.count(owner.DayCandidates)
		}
	} else {
		t.count(owner.DayAnswered)
	}
}

// Request implements middleware.Observer.
func (t *tally) Request(done middleware.Finished) {
	if done.Policy != "" {
		t.count(owner.DayRefused)
	}
	if done.Caller > 0 {
		t.calls[done.Caller].Add(1)
	}
	if done.Session > 0 {
		t.sessions[done.Session].Add(1)
	}
}

// run stores the counts until ctx ends, and then what is left.
func (t *tally) run(ctx context.Context) {
	tick := time.NewTicker(tallyInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			t.flush(ctx)
		case <-ctx.Done():
			t.flush(context.WithoutCancel(ctx))
			return
		}
	}
}

// flush stores the counts. What cannot be stored is tried again with the next ones. Callers
// count for the day of the flush.
func (t *tally) flush(ctx context.Context) {
	t.mu.Lock()
	for i, name := range callers.Names {
		for prefix, counted := range map[string]*atomic.Int64{owner.DayCalls: &t.calls[i+1], owner.DaySessions: &t.sessions[i+1]} {
			if n := counted.Swap(0); n > 0 {
				t.add(owner.Today(time.Now()), prefix+name, int(n))
			}
		}
	}
	counts := t.counts
	t.counts = nil
	t.mu.Unlock()
	for day, names := range counts {
		err := t.store.AddDayTotals(ctx, day, names)
		if err == nil {
			continue
		}
		t.log.Warn().Err(err).Msg("the counts of the day cannot be stored; trying again in a minute")
		t.mu.Lock()
		for name, n := range names {
			t.add(day, name, n)
		}
		t.mu.Unlock()
	}
}

// observers pass each request on to all of them.
type observers []middleware.Observer

// Request implements middleware.Observer.
func (o observers) Request(done middleware.Finished) {
	for _, observer := range o {
		observer.Request(done)
	}
}

// counters pass each answer on to all of them.
type counters []interface{ Asked(contract.Answer) }

// Asked implements gaps.Counter.
func (c counters) Asked(answer contract.Answer) {
	for _, counter := range c {
		counter.Asked(answer)
	}
}
