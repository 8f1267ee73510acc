package app

import (
	"context"
	"errors"
	"time"

	"frontdesk/faq/meaning"
	"frontdesk/internal/config"
	"frontdesk/internal/gaps"
	"frontdesk/internal/metrics"
	"frontdesk/internal/model"
	"frontdesk/internal/outbox"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// metricsState is what the metrics ask of the service when they are scraped; it
// implements metrics.State.
type metricsState struct {
	live   *live
	reader *meaning.Reader // nil without an encoder
	config config.Service
	calls  quota.CallCounter
	quota  *quota.Store // nil without Redis
	keeper *gaps.Keeper
	store  *records.Store
}

// Content implements metrics.State.
func (m metricsState) Content() (revision string, entries int, since time.Time) {
	now := m.live.current.Load()
	return now.state.Revision(), len(now.content.FAQ.Entries), now.facts.Loaded
}

// CapLeft implements metrics.State.
func (m metricsState) CapLeft(ctx context.Context) (left int, known bool) {
	if !m.config.Model.IsSet() {
		return 0, false
	}
	calls, err := m.calls.ModelCalls(ctx, model.Day(time.Now()))
	return max(0, m.config.ModelDailyCap-calls), err == nil
}

// ModelResting implements metrics.State.
func (m metricsState) ModelResting() (resting, known bool) {
	chooser, known := m.live.model.(*model.Chooser)
	return known && chooser.Resting(), known
}

// Redis implements metrics.State.
func (m metricsState) Redis() (stats quota.Stats, known bool) {
	if m.quota == nil {
		return quota.Stats{}, false
	}
	return m.quota.Stats(), true
}

// Inquiries implements metrics.State.
func (m metricsState) Inquiries(ctx context.Context) (map[records.State]int, error) {
	return m.store.CountUndelivered(ctx)
}

// LimiterStore implements metrics.State.
func (m metricsState) LimiterStore() string {
	if m.quota != nil && m.quota.Shared() {
		return metrics.StoreRedis
	}
	return metrics.StoreMemory
}

// Dropped implements metrics.State.
func (m metricsState) Dropped() int64 { return m.keeper.Dropped() }

// Encodings implements metrics.State.
func (m metricsState) Encodings() (encoded, busy uint64) {
	if m.reader == nil {
		return 0, 0
	}
	return m.reader.Counts()
}

// meteredSender counts the outcome of each mail.
type meteredSender struct {
	outbox.Sender
	metrics *metrics.Metrics
}

// Send implements outbox.Sender.
func (c meteredSender) Send(ctx context.Context, mail mailer.Message) error {
	began := time.Now()
	err := c.Sender.Send(ctx, mail)
	outcome, stage := outcomeOf(err)
	c.metrics.Mailed(outcome, stage, time.Since(began))
	return err
}

// outcomeOf returns what came of a mail, and the stage that it reached if it was not
// sent.
func outcomeOf(err error) (outcome metrics.Outcome, stage string) {
	failure, ok := errors.AsType[*mailer.Error](err)
	switch {
	case err == nil:
		return metrics.MailSent, ""
	case !ok:
		return metrics.MailUnknown, ""
	case failure.Outcome == mailer.Failed:
		return metrics.MailFailed, failure.Stage
	default:
		return metrics.MailUnknown, failure.Stage
	}
}
