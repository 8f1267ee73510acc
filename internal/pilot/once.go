package pilot

import (
	"context"
	"errors"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// sendOnce answers a request under a key (decisions, Idempotency-Key).
//
// A request that arrives while the same one is being answered for the same client
// waits here for that answer; on another instance, or for another client, it waits in
// the database while the first is admitted, and then in Recall. So only the request
// that was answered itself is asked for a slot, and the others cannot be refused for
// want of one; they report what is left of the limit.
//
// A request goes on when its caller leaves: the key exists for callers that lost the
// connection and ask again.
func (d *Desk) sendOnce(ctx context.Context, request contract.PilotRequest, key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error) {
	stored := storedKey(request, key)
	accepted, decision, err := d.once.Do(ctx, d.Limit, stored.Request(), func() (contract.Accepted, limits.Decision, error) {
		return d.answerOnce(context.WithoutCancel(ctx), request, stored)
	})
	if errors.Is(err, records.ErrKeyReused) {
		decision, err = d.Limit.RefuseReuse(ctx, d.KeyReuse, key)
	}
	return accepted, decision, err
}

// answerOnce returns the first answer again, resumes an inquiry that was not delivered,
// or sends a new one. Only the last two take a slot, because they are real sends.
func (d *Desk) answerOnce(ctx context.Context, request contract.PilotRequest, key records.Key) (contract.Accepted, limits.Decision, error) {
	for {
		inquiry, found, err := d.Courier.Recall(ctx, key)
		switch {
		case err != nil:
			return contract.Accepted{}, d.untouched(ctx), err
		case found && inquiry.State == records.Sent:
			return accepted(inquiry), d.untouched(ctx), nil
		case found:
			return d.resume(ctx, request, inquiry, records.Key{})
		}
		accepted, decision, err := d.sendNew(ctx, request, key)
		if !errors.Is(err, records.ErrKeyTaken) && !errors.Is(err, records.ErrQueued) {
			return accepted, decision, err
		}
		// Another instance, or a request of another client, stored the key or an equal
		// request a moment earlier.
	}
}

// resume sends the stored mail, which was made with the settings of its time: a
// preview must match that mail. The key, unless it is zero, becomes one of the inquiry.
func (d *Desk) resume(ctx context.Context, request contract.PilotRequest, inquiry records.Inquiry, key records.Key) (contract.Accepted, limits.Decision, error) {
	stored := mailer.Message{
		From: inquiry.From, To: inquiry.To, ReplyTo: inquiry.Email, Subject: inquiry.Subject, Text: inquiry.Text,
	}
	if err := matchPreview(request, stored); err != nil {
		return contract.Accepted{}, d.untouched(ctx), err
	}
	if key != (records.Key{}) {
		if err := d.Joiner.Bind(ctx, key, inquiry.ID); err != nil {
			return contract.Accepted{}, d.untouched(ctx), err
		}
	}
	return d.deliver(ctx, inquiry, func(admit records.Admit) error { return d.Courier.Resume(ctx, inquiry, admit) })
}

// untouched is the decision for a client that used no slot.
func (d *Desk) untouched(ctx context.Context) limits.Decision {
	return limits.Decision{Allowed: true, Remaining: d.Limit.Remaining(ctx, limits.ClientFrom(ctx))}
}

// storedKey is a key together with the fields of its request as they are sent. The
// digest of a preview is not one of them: it does not change the mail, so a request and
// its repetition may differ in it.
func storedKey(request contract.PilotRequest, key contract.IdempotencyKey) records.Key {
	fields := []string{request.Name, request.Business, request.Email, request.Message, request.Phone, request.Segment}
	return records.NewKey(request.Email, key.Value, payload.JSON(fields))
}
