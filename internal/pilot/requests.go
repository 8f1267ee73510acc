// Package pilot takes the requests that are stored: pilot requests and trials (contract
// sections 2 and 4). A dry run previews one; both are made by the same code, so a person
// can approve exactly what an agent then sends.
//
// A request with an Idempotency-Key is carried out once, however often it is sent: the row
// in the database decides. [Requests.Send] and [Trials.Start] show the steps.
package pilot

import (
	"context"
	"errors"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/outbox"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Requests takes pilot requests. HTTP, MCP and the forms use the same one.
type Requests struct {
	Limits
	Outbox *outbox.Outbox
	// Mail returns the account whose addresses a mail has. Both are the owner's: nothing that a client writes becomes
	// an envelope address.
	Mail    func() mailer.Account
	BaseURL string         // named in the mail, so that the owner knows where it comes from
	Wording func() Wording // of the mails
	Count   func(Outcome)  // is called with what became of each request
}

// Outcome is what became of a pilot request: one of Outcomes.
type Outcome string

// Outcomes that are not error codes. DailyLimit means that the service has reached its
// daily number of sends, which is not the client's fault.
const (
	Accepted   Outcome = "accepted"
	DailyLimit Outcome = "daily_limit"
)

// Outcomes are all outcomes.
var Outcomes = []Outcome{
	Accepted, DailyLimit, Outcome(contract.RateLimited), Outcome(contract.InvalidRequest),
	Outcome(contract.BadGateway), Outcome(contract.InternalError),
}

// Preview is the answer to a dry run. It sends and stores nothing and takes no
// slot of the limit.
func (r *Requests) Preview(request contract.PilotRequest) contract.Preview {
	inquiry := r.inquiry(context.Background(), request)
	return contract.Preview{
		OK:     true,
		DryRun: true,
		WouldSend: contract.WouldSend{
			Name:     request.Name,
			Business: request.Business,
			Email:    request.Email,
			Message:  request.Message,
			Phone:    request.Phone,
			Segment:  request.Segment,
			Subject:  inquiry.Subject,
			ReplyTo:  inquiry.Email,
			Text:     inquiry.Text,
		},
		Digest: digest(inquiry),
	}
}

// matchPreview refuses a real send whose mail, as it would be made now, differs from the previewed one.
func matchPreview(preview string, inquiry records.Inquiry) error {
	if preview == "" || preview == digest(inquiry) {
		return nil
	}
	refusal := contract.Invalid(contract.FieldPreview, contract.FieldPreview+
		" is not the digest of the mail that this request would send")
	refusal.Hint = "Repeat the dry run, have its mail approved, and send its digest with the same fields."
	return refusal
}

// Send mails a request to the owner, and goes on when its caller leaves. The decision is
// the limit's. Errors are rate_limited; internal_error if the request could not be stored,
// and then nothing was sent; bad_gateway if its mail could not be delivered, and then the
// request is kept; and invalid_request for a preview of another mail, or for a key that was
// used for another request of the same address.
func (r *Requests) Send(ctx context.Context, request contract.PilotRequest,
	key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error) {
	ctx = context.WithoutCancel(ctx)
	inquiry := r.inquiry(ctx, request)
	sent, decision, err := r.send(ctx, inquiry, request.Preview,
		records.NewKey(request.Email, key.Value, inquiry.Fingerprint()))
	if errors.Is(err, records.ErrKeyReused) {
		decision, err = r.refuseReuse(ctx, key)
	}
	return r.answer(ctx, sent, decision, err)
}

// send takes the steps of a request that is stored. A request whose key was used before, or
// which is equal to one whose mail is still to be sent, goes on with the inquiry of that one:
// of all of them there is one mail.
func (r *Requests) send(ctx context.Context, inquiry records.Inquiry, preview string,
	key records.Key) (records.Inquiry, limits.Decision, error) {
	found, err := r.Outbox.Find(ctx, key)
	for {
		// 1. A mail that is sent or under way needs no slot.
		joins := found.Joinable(r.Outbox.Now())
		if err == nil && !joins {
			err = matchPreview(preview, inquiry)
		}
		if err != nil || joins {
			return r.join(ctx, found, preview, err)
		}

		// 2. Take a slot, before anything is stored.
		slot := r.Slots.Take(ctx)
		if !slot.Allowed {
			// Another request with the key may have the last slot, and store the key in a moment.
			if key != (records.Key{}) && lookAgain(ctx, func(ctx context.Context) bool {
				found, err = r.Outbox.Find(ctx, key)
				return errors.Is(err, records.ErrKeyReused) || found.Joinable(r.Outbox.Now())
			}) {
				return r.join(ctx, found, preview, err)
			}
			return found, slot.Decision, slot.Refusal()
		}

		// 3. Store the inquiry, or take the lease of the one that is stored.
		mine := false
		if found.ID == "" {
			found, mine, err = r.Outbox.Add(ctx, inquiry, key)
		} else {
			var mail records.Mail
			if mail.From, mail.To = r.Mail().Addresses(); preview != "" { // the approved mail, even if the stored one differs
				mail = records.Mail{From: inquiry.From, To: inquiry.To, Subject: inquiry.Subject, Text: inquiry.Text}
			}
			found, mine, err = r.Outbox.Claim(ctx, found.ID, mail)
		}
		if err != nil && !errors.Is(err, records.ErrKeyReused) {
			return found, slot.Decision, err
		}

		// 4. Send its mail.
		if mine {
			return found, slot.Decision, r.Outbox.Send(ctx, found)
		}
		slot.GiveBack(ctx)
	}
}

// join waits for the mail of an inquiry that another request sends, unless a preview is of another mail. It takes no
// slot.
func (r *Requests) join(ctx context.Context, found records.Inquiry, preview string, err error) (records.Inquiry,
	limits.Decision, error) {
	if err == nil && found.State == records.Pending {
		if err = matchPreview(preview, found); err != nil {
			contract.AsError(err).Hint = "Another mail of this request is being sent. Send the request again in a minute."
		}
	}
	if err == nil {
		found, err = r.Outbox.Wait(ctx, found)
	}
	return found, r.Slots.Peek(ctx), err
}

// Quarantine stores a request that looks like spam and mails nothing; its owner can
// have it mailed later. It takes a slot of the limit as Send does. Errors are rate_limited,
// internal_error, and invalid_request for a key that was used for another such request of the
// same address. Send does not find its keys: it would mail the request without counting it
// against the limit of the day.
func (r *Requests) Quarantine(ctx context.Context, request contract.PilotRequest,
	key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error) {
	ctx = context.WithoutCancel(ctx)
	inquiry, value := r.inquiry(ctx, request), key.Value
	if value != "" {
		value = "\x00" + value // which no key of a client begins with
	}
	own := records.NewKey(request.Email, value, inquiry.Fingerprint())
	found, err := r.Outbox.Find(ctx, own)
	decision := r.Slots.Peek(ctx)
	if err == nil && found.ID == "" {
		slot := r.Slots.Take(ctx)
		decision = slot.Decision
		switch {
		case slot.Allowed:
			found, err = r.Outbox.Quarantine(ctx, inquiry, own)
			if found.ID != inquiry.ID && (err == nil || errors.Is(err, records.ErrKeyReused)) { // another had the key first
				slot.GiveBack(ctx)
				decision = slot.Decision
			}
		case value == "" || !lookAgain(ctx, func(ctx context.Context) bool { // as in send
			found, err = r.Outbox.Find(ctx, own)
			return errors.Is(err, records.ErrKeyReused) || found.ID != ""
		}):
			err = slot.Refusal()
		}
	}
	if errors.Is(err, records.ErrKeyReused) {
		decision, err = r.refuseReuse(ctx, key)
	}
	return r.answer(ctx, found, decision, err)
}

// answer counts a request by its error. Without one it notes the inquiry and returns the answer, which always has the
// same bytes for the same inquiry.
func (r *Requests) answer(ctx context.Context, inquiry records.Inquiry, decision limits.Decision,
	err error) (contract.Accepted, limits.Decision, error) {
	if err != nil {
		outcome := Outcome(contract.AsError(err).Code)
		if errors.Is(err, records.ErrDailySends) {
			outcome, decision.Remaining = DailyLimit, 0 // as with every 429
		}
		r.Count(outcome)
		return contract.Accepted{}, decision, err
	}
	r.Count(Accepted)
	span.NoteInquiry(ctx, inquiry.ID)
	return contract.Accepted{
		OK:      true,
		ID:      inquiry.ID,
		Status:  contract.StatusAccepted,
		Message: "The request is accepted: a person reads it and answers by e-mail to " + inquiry.Email + ".",
	}, decision, nil
}

// digest identifies the mail of an inquiry by everything that its reader sees.
func digest(i records.Inquiry) string {
	return records.Fingerprint(i.From, i.To, i.Email, i.Subject, i.Text)
}

// inquiry makes the record of a request. It holds everything that its mail is made of,
// so every mail that is sent for it has the same Message-ID.
func (r *Requests) inquiry(ctx context.Context, request contract.PilotRequest) records.Inquiry {
	subject, text := r.compose(request)
	id, account := records.NewInquiryID(), r.Mail()
	return records.Inquiry{
		ID:        id,
		RequestID: span.RequestID(ctx),
		MessageID: mailer.MessageID(id, account.From),
		Name:      request.Name,
		Business:  request.Business,
		Email:     request.Email,
		Message:   request.Message,
		Phone:     request.Phone,
		Segment:   request.Segment,
		Question:  request.Question,
		From:      account.From,
		To:        account.To,
		Subject:   subject,
		Text:      text,
		CreatedAt: time.Now().UTC(),
	}
}
