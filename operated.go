package main

import (
	"context"
	"errors"
	"time"

	"frontdesk/internal/metrics"
	"frontdesk/internal/model"
	"frontdesk/internal/outbox"
	"frontdesk/mailer"
)

// operated is the service as its operator looks at it; it implements metrics.State.
type operated struct{ service *service }

// Content implements metrics.State.
func (o operated) Content() (revision string, entries int, since time.Time) {
	live := o.service.live.current.Load()
	return live.state.Revision(), len(live.content.FAQ.Entries), live.facts.Loaded
}

// CapLeft implements metrics.State.
func (o operated) CapLeft(ctx context.Context) (left int, known bool) {
	if !o.service.config.Model.IsSet() {
		return 0, false
	}
	calls, err := o.service.calls().ModelCalls(ctx, model.Day(time.Now()))
	return max(0, o.service.config.ModelDailyCap-calls), err == nil
}

// LimiterStore implements metrics.State.
func (o operated) LimiterStore() string {
	if o.service.quota != nil && o.service.quota.Shared() {
		return metrics.StoreRedis
	}
	return metrics.StoreMemory
}

// countedMail tells the metrics what becomes of each mail.
type countedMail struct {
	outbox.Sender
	metrics *metrics.Metrics
}

// Send implements outbox.Sender.
func (c countedMail) Send(ctx context.Context, mail mailer.Message) error {
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
