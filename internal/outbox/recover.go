package outbox

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/records"
)

// recoveryInterval is about how often Recover looks. Each pause differs from it by
// up to a quarter, so that many instances do not look at once.
const recoveryInterval = 30 * time.Second

// resendTries is how often Resend tries again to note what came of a mail: nobody
// does after it.
const resendTries = 5

// Recover sends what was interrupted, at once and then every half minute, until ctx
// ends; the delivery that it is at then is finished. What failed, or may have
// arrived, is never sent by it: that is for the owner or the caller to ask for.
func (o *Outbox) Recover(ctx context.Context) {
	reached := true
	for {
		err := o.recoverAll(ctx)
		if err != nil && reached && ctx.Err() == nil {
			o.log.Error().Err(err).Msg("whether deliveries were interrupted cannot be read; trying on")
		}
		reached = err == nil
		if !pause(ctx, recoveryInterval*3/4+rand.N(recoveryInterval/2)) {
			return
		}
	}
}

// recoverAll takes up one inquiry after the other: a lease must not run out while
// others are sent.
func (o *Outbox) recoverAll(ctx context.Context) error {
	defer func() { o.looked = time.Now() }()
	for ctx.Err() == nil {
		if !o.settleLate(ctx) {
			return nil // else it could send what is sent, and only not noted yet
		}
		inquiry, err := o.claimInterrupted(ctx)
		if errors.Is(err, records.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		finish := context.WithoutCancel(ctx)
		inquiry, sendErr := o.send(finish, inquiry)
		o.report(inquiry, zerolog.InfoLevel, sendErr)
		_ = o.conclude(finish, inquiry) // which logs its error
	}
	return nil
}

// claimInterrupted does not stop in the middle either: it could have a lease then
// without knowing.
func (o *Outbox) claimInterrupted(ctx context.Context) (records.Inquiry, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	now := time.Now()
	return o.store.ClaimInterrupted(ctx, newLease(), notSetForward(o.looked, now, now.Sub(o.looked)))
}

// notSetForward is the time by a clock that nobody has set forward since an earlier
// look at it. One that is, or a machine that wakes up, would end all leases, those
// of deliveries too that go on. They are over at the next look, which is later by more
// than a delivery takes.
func notSetForward(looked, now time.Time, passed time.Duration) time.Time {
	looked, now = looked.Round(0), now.Round(0) // as the wall clock has it
	if steady := looked.Add(passed); steady.Before(now) {
		return steady
	}
	return now
}

// Resend sends the mail of an inquiry again, as its owner asks, and returns it as
// that left it: whether it was sent stands in its State. Inquiries that failed, may
// have arrived, or were interrupted can be sent. The errors are records.ErrNotFound,
// records.ErrSent, records.ErrLeased, and those of the database.
func (o *Outbox) Resend(ctx context.Context, id string) (records.Inquiry, error) {
	ctx = context.WithoutCancel(ctx) // a person who presses Ctrl-C must not leave it half done
	inquiry, err := o.claim(ctx, id, nil)
	if err != nil {
		return records.Inquiry{}, err
	}
	inquiry, _ = o.send(ctx, inquiry)
	err = o.settle(ctx, inquiry)
	for range resendTries {
		if err == nil || errors.Is(err, records.ErrLeaseLost) || !pause(ctx, lateInterval) {
			break
		}
		err = o.settle(ctx, inquiry)
	}
	return inquiry, err
}

func (o *Outbox) claim(ctx context.Context, id string, admit records.Admit) (records.Inquiry, error) {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	return o.store.ClaimInquiry(ctx, id, newLease(), time.Now(), admit)
}
