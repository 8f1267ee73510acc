package app

import (
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/metrics"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
	"frontdesk/internal/server"
	"frontdesk/internal/span"
	"frontdesk/mailer"
	"frontdesk/middleware"
)

// tallyInterval is how often the counts of the day are stored.
const tallyInterval = time.Minute

// counts count requests and answers: for the metrics, and of each day for the owner's pages.
// Its callers never wait for the database; a crash loses the counts of at most tallyInterval.
type counts struct {
	metrics *metrics.Metrics
	scraped bool // someone can read the metrics
	store   *records.Store
	zone    func() *time.Location // of the business, by whose clock days begin
	events  *span.Events
	log     zerolog.Logger

	mu   sync.Mutex
	days map[int64]map[string]int // by day and name: not stored yet
}

func (c *counts) count(at time.Time, name string) { c.add(records.DayIn(at, c.zone()), name, 1) }

func (c *counts) add(day int64, name string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.days == nil {
		c.days = map[int64]map[string]int{}
	}
	if c.days[day] == nil {
		c.days[day] = map[string]int{}
	}
	c.days[day][name] += n
}

// run stores the counts until ctx ends, and then what is left.
func (c *counts) run(ctx context.Context) {
	server.Every(ctx, tallyInterval, func() { c.flush(ctx) })
	c.flush(context.WithoutCancel(ctx))
}

// flush stores the counts. What cannot be stored is tried again with the next ones.
func (c *counts) flush(ctx context.Context) {
	c.mu.Lock()
	all := c.days
	c.days = nil
	c.mu.Unlock()
	for day, counts := range all {
		if err := c.store.AddDayTotals(ctx, day, counts); err != nil {
			c.events.Add(span.CountsNotStored, "")
			c.log.Warn().Err(err).Msg("the counts of the day cannot be stored; trying again in a minute")
			for name, n := range counts {
				c.add(day, name, n)
			}
		}
	}
}

// request counts a request that is done.
func (c *counts) request(done middleware.Finished) {
	if done.Failed {
		c.events.Add(span.RequestFailed, done.Route)
	}
	if c.scraped {
		c.metrics.Request(done)
	}
	if done.Policy != "" {
		c.count(done.Ended, owner.DayRefused)
	}
	if done.Client != "" {
		c.count(done.Ended, owner.DayCalls+string(done.Client))
	}
	if done.Session != "" {
		c.count(done.Ended, owner.DaySessions+string(done.Session))
	}
}

// asked counts an answer by how it was found.
func (c *counts) asked(answer contract.Answer) {
	c.metrics.Asked(answer)
	if answer.EntryID != nil {
		c.count(time.Now(), owner.DayAnswered)
		return
	}
	c.count(time.Now(), owner.DayUnanswered)
	if len(answer.Candidates) > 0 {
		c.count(time.Now(), owner.DayCandidates)
	}
}

// meteredSender counts the outcome of each mail.
type meteredSender struct {
	mailer.Sender
	metrics *metrics.Metrics
}

func (c meteredSender) Send(ctx context.Context, mail mailer.Message) error {
	began := time.Now()
	err := c.Sender.Send(ctx, mail)
	c.metrics.Mailed(err, time.Since(began))
	return err
}
