package outbox

import (
	"context"
	"errors"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/payload"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// How long a request waits for another one with its key that is being answered, and
// how often it looks. The other one cannot take longer.
const (
	waitTimeout = mailer.SendTimeout + records.CallTimeout
	waitPause   = 200 * time.Millisecond
)

// lookupTimeout bounds the search for an earlier request, which comes before everything
// else.
const lookupTimeout = time.Second

var errWaited = errors.New("the delivery of another request with the same key, which this one waited for, did not " +
	"succeed")

// Find returns the inquiry that was stored under a key or, with [Config.Retry], the
// inquiry of an equal request (same e-mail address and fields) of the last 24 hours that is
// [records.Inquiry.Queued]; it has its Equal set. The mail is sent, or it can be resumed:
// it was not delivered, or its delivery was interrupted. If the mail of the key's inquiry
// is under way, on this instance or another, Find waits for the outcome; it returns a
// failure as the error.
//
// The error is records.ErrKeyReused when the key was used for another request; the
// others are *contract.Error: bad_gateway when the delivery that was waited for did
// not succeed, and internal_error when the database cannot be read.
func (o *Outbox) Find(ctx context.Context, inquiry records.Inquiry, key records.Key) (found records.Inquiry, ok bool,
	err error) {
	found, err = o.lookup(ctx, inquiry, key)
	switch {
	case errors.Is(err, records.ErrNotFound):
		return records.Inquiry{}, false, nil
	case errors.Is(err, records.ErrKeyReused):
		return records.Inquiry{}, false, err
	case err != nil:
		return records.Inquiry{}, false, contract.Internal(err)
	case found.Equal == (records.Key{}) && found.State == records.Pending && time.Now().Before(found.Lease.Until):
		found, err = o.await(ctx, found)
	}
	return found, err == nil, err
}

func (o *Outbox) lookup(ctx context.Context, inquiry records.Inquiry, key records.Key) (found records.Inquiry,
	err error) {
	defer span.Since(ctx, span.Database, time.Now())
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	err = records.ErrNotFound
	if key != (records.Key{}) {
		found, err = o.config.Store.InquiryByKey(ctx, key, time.Now())
	}
	if o.config.Retry && errors.Is(err, records.ErrNotFound) {
		equal := equalKey(inquiry)
		found, err = o.config.Store.InquiryByKey(ctx, equal, time.Now())
		if err == nil && !found.Queued(time.Now()) {
			err = records.ErrNotFound
		}
		found.Equal = equal
	}
	return found, err
}

// equalKey is the key that equal requests have in common. A control character keeps it
// apart from every Idempotency-Key of a caller.
func equalKey(inquiry records.Inquiry) records.Key {
	request := payload.JSON([]string{inquiry.Name, inquiry.Business, inquiry.Email, inquiry.Message, inquiry.Phone,
		inquiry.Segment})
	return records.NewKey(inquiry.Email, "\x00"+string(request), request)
}

// Resume sends the mail of an inquiry that Find found, and makes the key one of its keys.
// It is Deliver without the storing, and its errors are the same. When another request
// does the same at this moment, Resume waits for it and takes no slot.
func (o *Outbox) Resume(ctx context.Context, found records.Inquiry, key records.Key, slot records.Slot) error {
	if found.Equal != (records.Key{}) && key != (records.Key{}) {
		err := o.config.Store.BindKey(ctx, key, found.ID)
		if errors.Is(err, records.ErrKeyTaken) {
			return err
		}
		if err != nil {
			return contract.Internal(err)
		}
	}
	claimed, err := o.claim(ctx, found.ID, slot)
	switch {
	case errors.Is(err, records.ErrSent):
		return nil
	case errors.Is(err, records.ErrLeased):
		found.State = records.Pending
		_, err = o.await(ctx, found)
		return err
	case err != nil:
		return contract.AsError(err)
	}
	return o.dispatch(ctx, claimed)
}

// await waits until the mail of an inquiry is sent. The error is bad_gateway when it was
// not, or when that takes too long.
func (o *Outbox) await(ctx context.Context, inquiry records.Inquiry) (records.Inquiry, error) {
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
