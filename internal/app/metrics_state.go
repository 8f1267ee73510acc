package app

import (
	"context"
	"time"

	"frontdesk/internal/backup"
	"frontdesk/internal/metrics"
	"frontdesk/internal/model"
	"frontdesk/mailer"
)

// collect is what the metrics ask of the service when they are scraped.
func (s *Service) collect(ctx context.Context) metrics.State {
	now := s.live.now()
	state := metrics.State{
		Version: s.options.Version, Revision: now.state.Revision(), Entries: now.content.FAQ.Count(),
		Loaded:       now.facts.Loaded,
		SharedLimits: s.quota.Shared(), Dropped: s.keeper.Dropped(),
	}
	if s.options.LogDropped != nil {
		state.LogDropped = s.options.LogDropped()
	}
	if s.model != nil {
		state.ModelResting = new(s.model.Resting())
		if left, _, err := s.ModelCallsLeft(ctx); err == nil {
			state.CapLeft = &left
		}
	}
	if s.config.Redis.IsSet() {
		state.Redis = new(s.quota.Stats())
	}
	if inquiries, err := s.store.UnsentInquiries(ctx); err == nil {
		state.Inquiries = inquiries
	}
	state.MeaningReady = s.waiting() == nil
	state.Backup, state.Certificates = s.Backup(), s.Certificates()
	state.Encoded, state.Busy = s.builder.reader.Counts()
	state.StoreWritable = s.storable(context.WithoutCancel(ctx)) == nil // ctx ends sooner than a slow write
	return state
}

// ModelCallsLeft is what is left of the model's calls of today (UTC), of all instances.
// Without a model the limit is 0.
func (s *Service) ModelCallsLeft(ctx context.Context) (left, limit int, err error) {
	if !s.config.Model.IsSet() {
		return 0, 0, nil
	}
	calls, err := s.calls.ModelCalls(ctx, model.Day(time.Now()))
	return max(0, s.config.ModelDailyCap.Value-calls), s.config.ModelDailyCap.Value, err
}

// Backup is what is known of the daily backups; nil if the service makes none.
func (s *Service) Backup() *backup.State {
	if s.backups == nil {
		return nil
	}
	return new(s.backups.State())
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
