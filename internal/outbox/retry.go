package outbox

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/payload"
	"frontdesk/internal/records"
)

// Times of the retries of a failed mail. The pause before the next one is as long as
// the inquiry is old, within these bounds, so that each is about twice the one before.
const (
	minRetryPause = time.Minute
	maxRetryPause = time.Hour
	// retryFor is the age of an inquiry after which its mail is not tried again
	// (RFC 5321 4.5.4.1: at least 4 to 5 days).
	retryFor = 5 * 24 * time.Hour
)

// nextRetry is when a mail that failed now is tried again; zero means never. Each pause
// differs by up to a quarter, so that the mails of an outage do not come all at once.
func nextRetry(created, now time.Time) time.Time {
	age := now.Sub(created)
	if age >= retryFor {
		return time.Time{}
	}
	pause := min(max(age, minRetryPause), maxRetryPause)
	return now.Add(pause*3/4 + rand.N(pause/2)).Truncate(time.Microsecond) // as records keep it
}

// Queued returns the inquiry of an equal request (same e-mail address and fields) of the
// last 24 hours whose mail is still to be sent, or found false. The error is
// internal_error.
func (o *Outbox) Queued(ctx context.Context, inquiry records.Inquiry) (queued records.Inquiry, found bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
	defer cancel()
	queued, err = o.store.QueuedInquiry(ctx, equalKey(inquiry), keysSince())
	switch {
	case errors.Is(err, records.ErrNotFound):
		return records.Inquiry{}, false, nil
	case err != nil:
		return records.Inquiry{}, false, contract.Internal(err)
	}
	return queued, true, nil
}

// Bind makes a key the key of an inquiry that is stored. The error is
// records.ErrKeyTaken when another inquiry has it, or internal_error.
func (o *Outbox) Bind(ctx context.Context, key records.Key, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	err := o.store.BindKey(ctx, key, id, keysSince())
	if err == nil || errors.Is(err, records.ErrKeyTaken) {
		return err
	}
	return contract.Internal(err)
}

// equalKey is the key that equal requests have in common. A control character keeps it
// apart from every Idempotency-Key of a caller.
func equalKey(inquiry records.Inquiry) records.Key {
	request := payload.JSON([]string{inquiry.Name, inquiry.Business, inquiry.Email, inquiry.Message, inquiry.Phone, inquiry.Segment})
	return records.NewKey(inquiry.Email, "\x00"+string(request), request)
}

func (o *Outbox) claimRetry(ctx context.Context) (records.Inquiry, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	return o.store.ClaimRetry(ctx, newLease(), time.Now())
}
