package outbox

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"frontdesk/internal/records"
	"frontdesk/internal/span"
)

// unsettledList holds the inquiries whose outcome is known but not in the database, because
// the database could not be reached. While one is on the list it is not sent again.
type unsettledList struct {
	mu        sync.Mutex
	inquiries map[records.Lease]unsettled
	wake      chan struct{} // holds an item when there is something new
}

// unsettled is one inquiry of the list.
type unsettled struct {
	records.Inquiry
	// doubtful says that it is unknown whether the inquiry is stored, or will be: a
	// server that hung may execute the statement that stores it after later ones.
	doubtful bool
	// doubtEnds is when a doubtful inquiry that is not in the database will not be
	// stored any more; zero while the database does not answer.
	doubtEnds time.Time
}

// doubtTime is how long a database that answers again may take to execute a statement
// that it received before.
const doubtTime = leaseTime

// maxUnsettled bounds the list. Sent inquiries are added beyond it: there are no more of
// them than were being sent when the database failed.
const maxUnsettled = 1000

// settleInterval is how often the inquiries of the list are tried again.
const settleInterval = time.Second

// settleOrDefer settles an inquiry together with its notifications, or puts it on the
// list until the database can be reached, and returns why it is not settled. A caller
// whose mail was sent gets a success in any case.
func (o *Outbox) settleOrDefer(ctx context.Context, inquiry records.Inquiry) error {
	if o.config.Notifier != nil {
		inquiry.Notifications = o.config.Notifier.Settled(inquiry)
	}
	err := o.settle(ctx, inquiry)
	if err == nil {
		o.wakeNotifier(inquiry)
		return nil
	}
	o.config.Events.Add(span.OutcomeNotStored, inquiry.ID)
	o.event(o.config.Log.Error(), inquiry).Str("outcome", string(inquiry.State)).Err(err).
		Msg("the outcome of a delivery could not be recorded")
	if !errors.Is(err, records.ErrLeaseLost) {
		o.settleLater(unsettled{Inquiry: inquiry})
	}
	return err
}

// wakeNotifier reports that the notifications of an inquiry, if it has any, are stored.
func (o *Outbox) wakeNotifier(inquiry records.Inquiry) {
	if len(inquiry.Notifications) > 0 {
		o.config.Notifier.Wake()
	}
}

func (o *Outbox) settleLater(u unsettled) {
	o.unsettled.mu.Lock()
	defer o.unsettled.mu.Unlock()
	if u.State == records.Sent || len(o.unsettled.inquiries) < maxUnsettled {
		u.Inquiry = records.Inquiry{
			ID: u.ID, State: u.State, Detail: u.Detail, RetryAt: u.RetryAt, Lease: u.Lease, Notifications: u.Notifications,
		}
		o.unsettled.inquiries[u.Lease] = u
	}
	select {
	case o.unsettled.wake <- struct{}{}:
	default:
	}
}

// Settle settles the inquiries that could not be settled when their mail was sent, until
// ctx ends, and then once more. It must run until every Deliver has returned.
func (o *Outbox) Settle(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			o.settleList(context.WithoutCancel(ctx))
			o.notices.Wait()
			return
		case <-o.unsettled.wake:
		}
		for o.settleList(ctx); len(o.unsettled.all()) > 0 && pause(ctx, settleInterval); {
			o.settleList(ctx)
		}
	}
}

// settleList tries to settle every inquiry of the list and reports whether the database
// answered for each of them. It stops at the first that cannot be settled, because the
// others could not either.
func (o *Outbox) settleList(ctx context.Context) bool {
	for _, u := range o.unsettled.all() {
		// With a lost lease, another attempt has settled the inquiry, or it was never stored.
		err := o.settle(ctx, u.Inquiry)
		if err != nil && !errors.Is(err, records.ErrLeaseLost) {
			return false
		}
		if err == nil {
			o.wakeNotifier(u.Inquiry)
		}
		o.unsettled.answered(u.Lease, err == nil, time.Now())
	}
	return true
}

func (l *unsettledList) all() []unsettled {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.inquiries))
}

// answered removes the inquiry with a lease, if it is still on the list, when the database has
// settled it, or does not have it and will not store it any more.
func (l *unsettledList) answered(lease records.Lease, settled bool, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u, listed := l.inquiries[lease]
	switch {
	case !listed: // Settle and Recover both had it
	case settled || !u.doubtful || !u.doubtEnds.IsZero() && !now.Before(u.doubtEnds):
		delete(l.inquiries, lease)
	case u.doubtEnds.IsZero():
		u.doubtEnds = now.Add(doubtTime)
		l.inquiries[lease] = u
	}
}

// pause waits and reports whether ctx is still valid.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
