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
	err := c.Sender.Send(ctx, mail)
	c.metrics.Mailed(outcomeOf(err))
	return err
}

func outcomeOf(err error) metrics.Outcome {
	if err == nil {
		return metrics.MailSent
	}
	if failure, ok := errors.AsType[*mailer.Error](err); ok && failure.Outcome == mailer.Failed {
		return metrics.MailFailed
	}
	return metrics.MailUnknown
}
