package outbox

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"frontdesk/internal/records"
)

// late are the inquiries whose outcome is known here and not yet in the database,
// because that could not be reached. While they are noted nothing is sent twice.
type late struct {
	mu        sync.Mutex
	inquiries []unsettled
	wake      chan struct{} // holds an item when there is something new
}

// unsettled is one of them.
type unsettled struct {
	records.Inquiry
	// doubtful says that nobody knows whether it is stored, or will be: a server that
	// hung may take up the statement that stores it after those that came later.
	doubtful bool
	// doubtEnds is when a doubtful one that is not there will not come any more; zero
	// while the database does not answer.
	doubtEnds time.Time
}

// doubtTime is how long a database that answers again may take for a statement that
// it was sent before.
const doubtTime = leaseTime

// maxLate bounds them, but for those that were sent: of these there are no more than
// were on their way when the database went.
const maxLate = 1000

// lateInterval is how often they are tried again.
const lateInterval = time.Second

// conclude settles an inquiry, now or when the database can be reached again, and
// returns why that is not done yet. A caller whose mail was sent hears that in any
// case.
func (o *Outbox) conclude(ctx context.Context, inquiry records.Inquiry) error {
	err := o.settle(ctx, inquiry)
	if err == nil {
		return nil
	}
	o.event(o.log.Error(), inquiry).Str("outcome", string(inquiry.State)).Err(err).
		Msg("the outcome of a delivery could not be recorded")
	if !errors.Is(err, records.ErrLeaseLost) {
		o.settleLater(unsettled{Inquiry: inquiry})
	}
	return err
}

func (o *Outbox) settleLater(u unsettled) {
	o.late.mu.Lock()
	defer o.late.mu.Unlock()
	if u.State == records.Sent || len(o.late.inquiries) < maxLate {
		u.Inquiry = records.Inquiry{ID: u.ID, State: u.State, Detail: u.Detail, Lease: u.Lease}
		o.late.inquiries = append(o.late.inquiries, u)
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
			o.notices.Wait()
			return
		case <-o.late.wake:
		}
		for o.settleLate(ctx); o.late.any() && pause(ctx, lateInterval); {
			o.settleLate(ctx)
		}
	}
}

// settleLate reports whether the database has answered for each of them. It stops at
// the first that cannot be settled: the others could not either.
func (o *Outbox) settleLate(ctx context.Context) bool {
	for _, u := range o.late.all() {
		// A lost lease is settled too: by another, or there never was an inquiry.
		err := o.settle(ctx, u.Inquiry)
		if err != nil && !errors.Is(err, records.ErrLeaseLost) {
			return false
		}
		if err == nil || !o.late.doubts(u, time.Now()) {
			o.late.drop(u.Lease)
		}
	}
	return true
}

func (l *late) all() []unsettled {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.inquiries)
}

func (l *late) any() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.inquiries) > 0
}

// doubts reports whether an inquiry that is not in the database may still come.
func (l *late) doubts(u unsettled, now time.Time) bool {
	if !u.doubtful || !u.doubtEnds.IsZero() {
		return u.doubtful && now.Before(u.doubtEnds)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := l.place(u.Lease); i >= 0 {
		l.inquiries[i].doubtEnds = now.Add(doubtTime)
	}
	return true
}

// drop takes out the inquiry under a lease, if it is still there: Settle and Recover
// may both have been at it.
func (l *late) drop(lease records.Lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := l.place(lease); i >= 0 {
		l.inquiries = slices.Delete(l.inquiries, i, i+1)
	}
}

func (l *late) place(lease records.Lease) int {
	return slices.IndexFunc(l.inquiries, func(u unsettled) bool { return u.Lease == lease })
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
