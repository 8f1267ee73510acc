package outbox

import (
	"context"
	"errors"
	"time"

	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// How long a request waits for another one whose mail is under way, and how often it looks.
// A delivery cannot take longer.
const (
	waitTimeout = mailer.SendTimeout + records.CallTimeout
	waitPause   = 200 * time.Millisecond
)

// findTimeout bounds the search for a key, which comes before everything else.
const findTimeout = time.Second

var errWaited = errors.New("an earlier request with the same key was not delivered")

// Find returns the inquiry that was stored under a key, or the zero inquiry. The error is
// records.ErrKeyReused when the key was used for another request.
func (o *Outbox) Find(ctx context.Context, key records.Key) (records.Inquiry, error) {
	defer span.Since(ctx, span.Database, time.Now())
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	found, err := o.config.Store.InquiryByKey(ctx, key, time.Now())
	if errors.Is(err, records.ErrNotFound) {
		return records.Inquiry{}, nil
	}
	return found, err
}

// Claim takes the lease of an inquiry whose mail is to be sent again. If it was sent
// meanwhile, or another request has taken the lease, claimed is false and Claim returns the
// inquiry as it is now.
func (o *Outbox) Claim(ctx context.Context, id string) (inquiry records.Inquiry, claimed bool, err error) {
	inquiry, err = o.claim(ctx, id)
	if claimed = err == nil; claimed {
		return inquiry, true, nil
	}
	if errors.Is(err, records.ErrSent) || errors.Is(err, records.ErrLeased) {
		inquiry, err = o.config.Store.Inquiry(ctx, id)
	}
	return inquiry, false, err
}

// Wait waits until the mail of an inquiry is no longer under way, on whichever instance. The
// error is bad_gateway when it was not sent, or when that takes too long.
func (o *Outbox) Wait(ctx context.Context, inquiry records.Inquiry) (records.Inquiry, error) {
	defer span.Since(ctx, span.SameKey, time.Now())
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	for inquiry.State == records.Pending && pause(ctx, waitPause) {
		// A database that is away for a moment does not end the wait.
		if now, err := o.config.Store.Inquiry(ctx, inquiry.ID); err == nil {
			inquiry = now
		}
	}
	if inquiry.State != records.Sent {
		return records.Inquiry{}, o.refusal(inquiry, errWaited)
	}
	return inquiry, nil
}
