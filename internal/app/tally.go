package app

import (
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/metrics"
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

	mu     sync.Mutex
	counts map[int64]map[string]int // by day and name: not stored yet
}

// count is called for each request, with the time of its end.
func (t *tally) count(at time.Time, name string) { t.add(owner.Today(at), name, 1) }

func (t *tally) add(day int64, name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[int64]map[string]int{}
	}
	if t.counts[day] == nil {
		t.counts[day] = map[string]int{}
	}
	t.counts[day][name] += n
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

// flush stores the counts. What cannot be stored is tried again with the next ones.
func (t *tally) flush(ctx context.Context) {
	t.mu.Lock()
	all := t.counts
	t.counts = nil
	t.mu.Unlock()
	for day, counts := range all {
		if err := t.store.AddDayTotals(ctx, day, counts); err != nil {
			t.log.Warn().Err(err).Msg("the counts of the day cannot be stored; trying again in a minute")
			for name, n := range counts {
				t.add(day, name, n)
			}
		}
	}
}

// counts count requests and answers for the metrics and for the owner's pages.
type counts struct {
	metrics *metrics.Metrics
	scraped bool // someone can read the metrics
	days    *tally
}

// Request implements middleware.Observer.
func (c counts) Request(done middleware.Finished) {
	if c.scraped {
		c.metrics.Request(done)
	}
	if done.Policy != "" {
		c.days.count(done.Ended, owner.DayRefused)
	}
	if done.Caller > 0 {
		c.days.count(done.Ended, owner.DayCalls+done.Caller.String())
	}
	if done.Session > 0 {
		c.days.count(done.Ended, owner.DaySessions+done.Session.String())
	}
}

// Asked implements gaps.Counter.
func (c counts) Asked(answer contract.Answer) {
	c.metrics.Asked(answer)
	if answer.EntryID != nil {
		c.days.count(time.Now(), owner.DayAnswered)
		return
	}
	c.days.count(time.Now(), owner.DayUnanswered)
	if len(answer.Candidates) > 0 {
		c.days.count(time.Now(), owner.DayCandidates)
	}
}
