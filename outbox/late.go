package outbox

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"frontdesk/records"
)

// late are the inquiries whose outcome is known here and not yet in the database,
// because that could not be reached. While they are noted nothing is sent twice.
type late struct {
	mu        sync.Mutex
	inquiries []records.Inquiry
	wake      chan struct{} // holds an item when there is something new
}

// maxLate bounds them, but for those that were sent: of these there are no more than
// were on their way when the database went.
const maxLate = 1000

// lateInterval is how often they are tried again.
const lateInterval = time.Second

// conclude settles an inquiry, now or when the database can be reached again. What
// the caller hears is the mail's own outcome in any case: what it was promised has
// happened or has not.
func (o *Outbox) conclude(ctx context.Context, inquiry records.Inquiry) {
	err := o.settle(ctx, inquiry)
	if err == nil {
		return
	}
	o.event(o.log.Error(), inquiry).Str("outcome", string(inquiry.State)).Err(err).
		Msg("the outcome of a delivery could not be recorded")
	if !errors.Is(err, records.ErrLeaseLost) {
		o.settleLater(inquiry)
	}
}

func (o *Outbox) settleLater(inquiry records.Inquiry) {
	o.late.mu.Lock()
	defer o.late.mu.Unlock()
	if inquiry.State == records.Sent || len(o.late.inquiries) < maxLate {
		o.late.inquiries = append(o.late.inquiries, records.Inquiry{
			ID: inquiry.ID, State: inquiry.State, Detail: inquiry.Detail, Lease: inquiry.Lease,
		})
	}
	select {
	case o.late.wake <- struct{}{}:
	default:
	}
}

// Settle settles what could not be when its mail was sent, until ctx ends, and then
// once more. It is to outlive every Deliver.
func (o *Outbox) Settle(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			o.settleLate(context.WithoutCancel(ctx))
			return
		case <-o.late.wake:
		}
		for !o.settleLate(ctx) && pause(ctx, lateInterval) {
		}
	}
}

// settleLate reports whether nothing is left to settle. It stops at the first
// inquiry that still cannot be: the others could not either.
func (o *Outbox) settleLate(ctx context.Context) bool {
	for {
		o.late.mu.Lock()
		if len(o.late.inquiries) == 0 {
			o.late.mu.Unlock()
			return true
		}
		inquiry := o.late.inquiries[0]
		o.late.mu.Unlock()
		// A lost lease is settled too: by another, or there never was an inquiry.
		if err := o.settle(ctx, inquiry); err != nil && !errors.Is(err, records.ErrLeaseLost) {
			return false
		}
		o.late.drop(inquiry.Lease)
	}
}

// drop takes out the inquiry under a lease, wherever it stands by now: Settle and
// Recover may both have been at it.
func (l *late) drop(lease records.Lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inquiries = slices.DeleteFunc(l.inquiries, func(i records.Inquiry) bool { return i.Lease == lease })
}

// pause waits, and reports whether ctx still lives.
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
