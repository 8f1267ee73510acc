// Package pilot takes pilot requests (contract sections 2 and 4): it previews the mail
// of a dry run and sends the mail of a real send. Both are made by the same code, so a
// person can approve exactly what an agent then sends.
package pilot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/idempotency"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Outbox stores inquiries and mails them; outbox.Outbox is one, and documents its methods.
type Outbox interface {
	Find(ctx context.Context, inquiry records.Inquiry, key records.Key) (found records.Inquiry, ok bool, err error)
	Deliver(ctx context.Context, inquiry records.Inquiry, key records.Key, slot records.Slot) error
	Resume(ctx context.Context, found records.Inquiry, key records.Key, slot records.Slot) error
	Quarantine(ctx context.Context, inquiry records.Inquiry) error
}

// Requests takes pilot requests. HTTP, MCP and the forms use the same one.
type Requests struct {
	Gate    *idempotency.Gate[contract.Accepted]
	Outbox  Outbox
	Mail    Addresses
	BaseURL string         // named in the mail, so that the owner knows where it comes from
	Wording func() Wording // of the mails
	Count   func(Outcome)  // is called with what became of each request
}

// Outcome is what became of a pilot request: one of Outcomes.
type Outcome string

// Outcomes that are no code of an error. DailyLimit is a refusal because of the sends of
// a day, which is not the client's fault.
const (
	Accepted   Outcome = "accepted"
	DailyLimit Outcome = "daily_limit"
)

// Outcomes are all outcomes.
var Outcomes = []Outcome{
	Accepted, DailyLimit, Outcome(contract.RateLimited), Outcome(contract.InvalidRequest),
	Outcome(contract.BadGateway), Outcome(contract.InternalError),
}

// count counts a request by its error, which it returns, and notes its inquiry.
func (r *Requests) count(ctx context.Context, answer contract.Accepted, err error) error {
	if answer.ID != "" {
		span.NoteInquiry(ctx, answer.ID)
	}
	outcome := Accepted
	switch {
	case errors.Is(err, records.ErrDailySends):
		outcome = DailyLimit
	case err != nil:
		outcome = Outcome(contract.AsError(err).Code)
	}
	r.Count(outcome)
	return err
}

// Preview is the answer to a dry run. It sends and stores nothing and takes no
// slot of the limit.
func (r *Requests) Preview(request contract.PilotRequest) contract.Preview {
	mail := r.compose(request)
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
			Subject:  mail.Subject,
			ReplyTo:  mail.ReplyTo,
			Text:     mail.Text,
		},
		Digest: digest(mail),
	}
}

// matchPreview refuses a real send whose mail differs from the previewed one.
func matchPreview(request contract.PilotRequest, mail mailer.Message) error {
	if request.Preview == "" || request.Preview == digest(mail) {
		return nil
	}
	refusal := contract.Invalid(contract.FieldPreview, contract.FieldPreview+
		" is not the digest of the mail that this request would send")
	refusal.Hint = "Repeat the dry run, have its mail approved, and send its digest with the same fields."
	return refusal
}

// Send mails a request to the owner. A valid request takes a slot of the contact
// limit even if its delivery fails; the decision is the limit's. Errors are
// rate_limited, internal_error if the request could not be stored (nothing was sent
// then), and bad_gateway if its mail could not be delivered (the request is kept).
//
// With an Idempotency-Key a request is mailed once, however often it is sent, and a
// key that was used for another request of the same address is an invalid_request. So is a
// preview of another mail; like every rule of validation it comes before the limit.
// While failed mails are tried again, a request joins the inquiry of an equal one whose
// mail is still to be sent: that mail is tried now, and no second inquiry is stored.
func (r *Requests) Send(ctx context.Context, request contract.PilotRequest,
	key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error) {
	if err := matchPreview(request, r.compose(request)); err != nil {
		return contract.Accepted{}, limits.Decision{}, err
	}
	identity := idempotency.Request{
		Key: key, Email: request.Email,
		// Not the digest of a preview, which does not change the mail.
		Fields: []string{request.Name, request.Business, request.Email, request.Message, request.Phone, request.Segment},
	}
	answer, decision, err := r.Gate.Do(ctx, identity,
		func(ctx context.Context, key records.Key, slot *limits.Slot) (contract.Accepted, error) {
			return r.send(ctx, request, key, slot)
		})
	return answer, decision, r.count(ctx, answer, err)
}

func (r *Requests) send(ctx context.Context, request contract.PilotRequest, key records.Key,
	slot records.Slot) (contract.Accepted, error) {
	inquiry := r.inquiry(ctx, request)
	found, ok, err := r.Outbox.Find(ctx, inquiry, key)
	switch {
	case err != nil:
	case !ok:
		err = r.Outbox.Deliver(ctx, inquiry, key, slot)
	case found.State == records.Sent:
		inquiry = found
	default:
		// The stored mail was made with the settings of its time.
		inquiry = found
		mail := mailer.Message{From: found.From, To: found.To, ReplyTo: found.Email, Subject: found.Subject, Text: found.Text}
		if err = matchPreview(request, mail); err == nil {
			err = r.Outbox.Resume(ctx, found, key, slot)
		}
	}
	return accepted(inquiry, err)
}

// Quarantine stores a request that looks like spam and mails nothing; its owner can
// have it mailed later. It takes a slot of the limit as Send does. Errors are
// rate_limited and internal_error.
func (r *Requests) Quarantine(ctx context.Context, request contract.PilotRequest) (contract.Accepted, limits.Decision,
	error) {
	answer, decision, err := r.Gate.Do(ctx, idempotency.Request{},
		func(ctx context.Context, _ records.Key, slot *limits.Slot) (contract.Accepted, error) {
			inquiry := r.inquiry(ctx, request)
			err := slot.Take(ctx)
			if err == nil {
				err = r.Outbox.Quarantine(ctx, inquiry)
			}
			return accepted(inquiry, err)
		})
	return answer, decision, r.count(ctx, answer, err)
}

// accepted is the answer to a request whose mail the server accepted: always the same
// bytes for the same inquiry.
func accepted(inquiry records.Inquiry, err error) (contract.Accepted, error) {
	if err != nil {
		return contract.Accepted{}, err
	}
	return contract.Accepted{
		OK:      true,
		ID:      inquiry.ID,
		Status:  contract.StatusAccepted,
		Message: fmt.Sprintf("The request is accepted: a person reads it and answers by e-mail to %s.", inquiry.Email),
	}, nil
}

// inquiry makes the record of a request. It holds everything that its mail is made of,
// so every mail that is sent for it has the same Message-ID.
func (r *Requests) inquiry(ctx context.Context, request contract.PilotRequest) records.Inquiry {
	mail := r.compose(request)
	id := records.NewInquiryID()
	return records.Inquiry{
		ID:        id,
		RequestID: span.RequestID(ctx),
		MessageID: mailer.MessageID(id, r.Mail.From),
		Name:      request.Name,
		Business:  request.Business,
		Email:     request.Email,
		Message:   request.Message,
		Phone:     request.Phone,
		Segment:   request.Segment,
		Question:  request.Question,
		From:      mail.From,
		To:        mail.To,
		Subject:   mail.Subject,
		Text:      mail.Text,
		CreatedAt: time.Now().UTC(),
	}
}
