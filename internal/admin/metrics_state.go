package admin

import (
	"context"
	"time"

	"frontdesk/internal/backup"
	"frontdesk/internal/live"
	"frontdesk/internal/metrics"
	"frontdesk/internal/records"
)

// State is what the metrics show of the service when they are scraped.
func (a *Admin) State(ctx context.Context) metrics.State {
	now := a.Live.Now()
	state := metrics.State{
		Version: a.Version, Revision: now.Revision(), Entries: now.Content.FAQ.Count(),
		SharedLimits: a.Quota.Shared(), Dropped: a.Questions.Dropped(),
		Backup: a.Backup(), Certificates: a.Server.Certificates(),
	}
	if a.LogDropped != nil {
		state.LogDropped = a.LogDropped()
	}
	if a.Model != nil {
		state.ModelResting = new(a.Model.Resting())
		if left, _, err := a.ModelCallsLeft(ctx); err == nil {
			state.CapLeft = &left
		}
	}
	if a.Settings.Redis.IsSet() {
		state.Redis = new(a.Quota.Stats())
	}
	if inquiries, err := a.Store.UnsentInquiries(ctx); err == nil {
		state.Inquiries = inquiries
	}
	answers, _ := a.Live.State()
	state.MeaningReady = answers == live.Ready
	state.Encoded, state.Busy = a.Live.Embedder.Counts()
	state.StoreWritable = a.storable(context.WithoutCancel(ctx)) == nil // ctx ends sooner than a slow write
	return state
}

// ModelCallsLeft returns what is left of the model's calls of today (UTC), of all instances. Without a model the limit
// is 0.
func (a *Admin) ModelCallsLeft(ctx context.Context) (left, limit int, err error) {
	if a.Model == nil {
		return 0, 0, nil
	}
	calls, err := a.Calls.ModelCalls(ctx, records.DayOf(time.Now()))
	limit = a.Settings.ModelDailyCap.Value
	return max(0, limit-calls), limit, err
}

// Backup returns what is known of the daily backups; nil if the service makes none.
func (a *Admin) Backup() *backup.State {
	if a.Backups == nil {
		return nil
	}
	return new(a.Backups.State())
}
