package outbox

import (
	"context"
	"errors"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// How long a request waits for another one with its key that is being answered, and
// how often it looks. The other one cannot take longer.
const (
	waitTimeout = mailer.SendTimeout + recordTimeout
	waitPause   = 200 * time.Millisecond
)

// lookupTimeout bounds the search for a key, which comes before everything else.
const lookupTimeout = time.Second

var errWaited = errors.New("the delivery of another request with the same key, which this one waited for, did not succeed")

func keysSince() time.Time { return time.Now().Add(-contract.KeyLifetime) }

// Recall returns the inquiry that was stored under a key, or found false for a key
// that is new. Its mail is sent, or it can be resumed: it was not delivered, or its
// delivery was interrupted. If its mail is under way, on this instance or another,
// Recall waits for the outcome; it returns a failure as the error.
//
// The error is records.ErrKeyReused when the key was used for another request; the
// others are *contract.Error: bad_gateway when the delivery that was waited for did
// not succeed, and internal_error when the database cannot be read.
func (o *Outbox) Recall(ctx context.Context, key records.Key) (inquiry records.Inquiry, found bool, err error) {
	lookup, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	began := time.Now()
	inquiry, err = o.store.InquiryByKey(lookup, key, keysSince())
	span.Since(ctx, span.Database, began)
	switch {
	case errors.Is(err, records.ErrNotFound):
		return records.Inquiry{}, false, nil
	case errors.Is(err, records.ErrKeyReused):
		return records.Inquiry{}, false, err
	case err != nil:
		return records.Inquiry{}, false, contract.Internal(err)
	case !underWay(inquiry):
		return inquiry, true, nil
	}
	inquiry = o.await(ctx, inquiry)
	if inquiry.State != records.Sent {
		return records.Inquiry{}, false, o.refusal(inquiry, errWaited)
	}
	return inquiry, true, nil
}

// Resume sends the mail of an inquiry that was stored before, if it is admitted. It is
// Deliver without the storing, and its errors are the same. When another request does
// the same at this moment, Resume waits for it and does not ask to be admitted.
func (o *Outbox) Resume(ctx context.Context, inquiry records.Inquiry, admit records.Admit) error {
	if inquiry.State == records.Quarantined {
		return nil // its sender gets the first answer again
	}
	detached := context.WithoutCancel(ctx)
	claimed, err := o.claim(detached, inquiry.ID, admit)
	switch {
	case errors.Is(err, records.ErrSent):
		return nil
	case errors.Is(err, records.ErrLeased):
		inquiry.State = records.Pending
		if inquiry = o.await(ctx, inquiry); inquiry.State != records.Sent {
			return o.refusal(inquiry, errWaited)
		}
		return nil
	case err != nil:
		return contract.AsError(err)
	}
	return o.dispatch(detached, claimed)
}

func underWay(inquiry records.Inquiry) bool {
	return inquiry.State == records.Pending && time.Now().Before(inquiry.Lease.Until)
}

// await returns an inquiry once it is settled, or as it is when that takes too long
// or its caller has left.
func (o *Outbox) await(ctx context.Context, inquiry records.Inquiry) records.Inquiry {
	defer span.Since(ctx, span.SameKey, time.Now())
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	for inquiry.State == records.Pending && pause(ctx, waitPause) {
		// A database that is away for a moment does not end the wait.
		if now, err := o.store.Inquiry(ctx, inquiry.ID); err == nil {
			inquiry = now
		}
	}
	return inquiry
}
