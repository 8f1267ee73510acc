package pilot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// sent is the outcome of a request.
type sent struct {
	accepted contract.Accepted
	decision limits.Decision
}

// sendOnce answers a request under a key (decisions, Idempotency-Key).
//
// One that comes while the same one is being answered, to the same client, waits
// here for that answer; on another instance, or for another client, it waits in
// Recall. The answer is the request's own only where it was told to nobody else: who
// was given another's has used no slot, and hears what is left.
//
// What is under way is not stopped when its caller leaves: who lost the connection
// and asks again is the one that the key is for.
func (d *Desk) sendOnce(ctx context.Context, request contract.PilotRequest, key string) (contract.Accepted, limits.Decision, error) {
	stored := keyOf(request, key)
	client := limits.ClientFrom(ctx)
	own := false
	result, err, _ := d.running.Do(client.String()+stored.Hash+stored.Fingerprint, func() (any, error) {
		own = true
		accepted, decision, err := d.answerOnce(context.WithoutCancel(ctx), request, stored)
		return sent{accepted, decision}, err
	})
	answer := result.(sent)
	if !own {
		answer.decision.Remaining = d.Limit.Remaining(ctx, client)
	}
	return answer.accepted, answer.decision, err
}

// answerOnce gives the first answer again, resumes what was not delivered, or sends
// what is new. Only the last two take a slot: they are real sends.
func (d *Desk) answerOnce(ctx context.Context, request contract.PilotRequest, key records.Key) (contract.Accepted, limits.Decision, error) {
	for {
		inquiry, found, err := d.Courier.Recall(ctx, key)
		switch {
		case err != nil:
			return contract.Accepted{}, d.untouched(ctx), err
		case found && inquiry.State == records.Sent:
			return accepted(inquiry), d.untouched(ctx), nil
		case found:
			return d.resume(ctx, request, inquiry)
		}
		accepted, decision, err := d.sendNew(ctx, request, key)
		if !errors.Is(err, records.ErrKeyTaken) {
			return accepted, decision, err
		}
		// Another instance was faster by a moment, and has the key now. The slot that
		// was taken for this request is gone.
	}
}

// resume sends the stored mail, which is of the settings at its time: what was
// approved must be that one.
func (d *Desk) resume(ctx context.Context, request contract.PilotRequest, inquiry records.Inquiry) (contract.Accepted, limits.Decision, error) {
	stored := mailer.Message{
		From: inquiry.From, To: inquiry.To, ReplyTo: inquiry.Email, Subject: inquiry.Subject, Text: inquiry.Text,
	}
	if err := matchPreview(request, stored); err != nil {
		return contract.Accepted{}, d.untouched(ctx), err
	}
	return d.take(ctx, inquiry, func() error { return d.Courier.Resume(ctx, inquiry) })
}

// untouched is the limit of a client of whom nothing was counted.
func (d *Desk) untouched(ctx context.Context) limits.Decision {
	return limits.Decision{Allowed: true, Remaining: d.Limit.Remaining(ctx, limits.ClientFrom(ctx))}
}

// keyOf is a key with the fingerprint of what is asked for: the fields as they are
// sent. The digest of a preview is none of them, because it changes nothing of the
// mail: a request and its repetition may differ in it.
func keyOf(request contract.PilotRequest, key string) records.Key {
	fields := []string{request.Name, request.Business, request.Email, request.Message, request.Phone, request.Segment}
	return records.Key{Hash: hash([]byte(key)), Fingerprint: hash(payload.JSON(fields))}
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
