package pilot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// Courier stores inquiries and mails them; outbox.Outbox is one. A nil error means
// that the mail server has accepted the mail.
type Courier interface {
	// Deliver stores and mails an inquiry, under its key when it has one, if it is
	// admitted. It does neither, and does not ask admit, when another inquiry has the key
	// (records.ErrKeyTaken) or the mail of an equal request is still to be sent
	// (records.ErrQueued).
	Deliver(ctx context.Context, inquiry records.Inquiry, key records.Key, admit records.Admit) error
	// Recall finds the inquiry that has a key: its mail is sent, or can be resumed. It
	// waits for a mail that is under way. The error is records.ErrKeyReused when the key
	// was used for another request.
	Recall(ctx context.Context, key records.Key) (inquiry records.Inquiry, found bool, err error)
	// Resume mails an inquiry that was found, if it is admitted. It does not ask admit
	// when another request mails the inquiry at this moment, or has done so.
	Resume(ctx context.Context, inquiry records.Inquiry, admit records.Admit) error
}

// Joiner finds inquiries that equal requests join; outbox.Outbox is one.
type Joiner interface {
	// Queued finds the inquiry of an equal request whose mail is still to be sent.
	Queued(ctx context.Context, inquiry records.Inquiry) (queued records.Inquiry, found bool, err error)
	// Bind makes a key the key of an inquiry that is stored. The error is
	// records.ErrKeyTaken when another inquiry has it.
	Bind(ctx context.Context, key records.Key, id string) error
}

// Quarantiner stores an inquiry that looks like spam, under its key when it has one,
// and does not mail it; outbox.Outbox is one.
type Quarantiner interface {
	Quarantine(ctx context.Context, inquiry records.Inquiry, key records.Key) error
}

// Desk takes pilot requests. HTTP, MCP and the forms use the same one.
type Desk struct {
	Mail    Addresses
	BaseURL string // named in the mail, so that the owner knows where it comes from
	Limit   *limits.Limiter
	// KeyReuse counts the refusals of used keys that take no slot of Limit.
	KeyReuse *limits.Limiter
	Courier  Courier
	Joiner   Joiner        // nil unless failed mails are tried again: no request joins another
	Letter   func() Letter // the words of the mails; nil for English
	Spam     Quarantiner

	once limits.Once[contract.Accepted] // for requests under a key
}

// Preview is the answer to a dry run. It sends and stores nothing and takes no
// slot of the limit.
func (d *Desk) Preview(request contract.PilotRequest) contract.Preview {
	mail := d.compose(request)
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

// CheckPreview refuses a real send whose mail differs from the previewed one. Like
// every rule of validation it comes before the limit.
func (d *Desk) CheckPreview(request contract.PilotRequest) error {
	return matchPreview(request, d.compose(request))
}

func matchPreview(request contract.PilotRequest, mail mailer.Message) error {
	if request.Preview == "" || request.Preview == digest(mail) {
		return nil
	}
	refusal := contract.Invalid(contract.FieldPreview, contract.FieldPreview+" is not the digest of the mail that this request would send")
	refusal.Hint = "Repeat the dry run, have its mail approved, and send its digest with the same fields."
	return refusal
}

// Send mails a request to the owner. A valid request takes a slot of the contact
// limit even if its delivery fails; the decision is the limit's. Errors are
// rate_limited, internal_error if the request could not be stored (nothing was sent
// then), and bad_gateway if its mail could not be delivered (the request is kept).
//
// With an Idempotency-Key a request is mailed once, however often it is sent, and a
// key that was used for another request of the same address is an invalid_request.
// While failed mails are tried again, a request joins the inquiry of an equal one whose
// mail is still to be sent: that mail is tried now, and no second inquiry is stored.
func (d *Desk) Send(ctx context.Context, request contract.PilotRequest, key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error) {
	if key.Value == "" {
		for {
			accepted, decision, err := d.sendNew(ctx, request, records.Key{})
			if !errors.Is(err, records.ErrQueued) {
				return accepted, decision, err
			}
			// An equal request was stored a moment earlier.
		}
	}
	return d.sendOnce(ctx, request, key)
}

// Quarantine stores a request that looks like spam and mails nothing; its owner can
// have it mailed later. It takes a slot of the limit as Send does. Errors are
// rate_limited and internal_error.
func (d *Desk) Quarantine(ctx context.Context, request contract.PilotRequest) (contract.Accepted, limits.Decision, error) {
	inquiry := d.inquiry(request)
	return d.deliver(ctx, inquiry, func(admit records.Admit) error {
		if err := admit(); err != nil {
			return err
		}
		return d.Spam.Quarantine(ctx, inquiry, records.Key{})
	})
}

// sendNew joins the inquiry of an equal request whose mail is still to be sent, or
// stores and mails a new one.
func (d *Desk) sendNew(ctx context.Context, request contract.PilotRequest, key records.Key) (contract.Accepted, limits.Decision, error) {
	inquiry := d.inquiry(request)
	if d.Joiner != nil {
		queued, found, err := d.Joiner.Queued(ctx, inquiry)
		switch {
		case err != nil:
			return contract.Accepted{}, d.untouched(ctx), err
		case found:
			return d.resume(ctx, request, queued, key)
		}
	}
	return d.deliver(ctx, inquiry, func(admit records.Admit) error { return d.Courier.Deliver(ctx, inquiry, key, admit) })
}

// deliver runs a delivery. To be admitted, it takes a slot of the limit; one that
// another request turns out to make already takes none.
func (d *Desk) deliver(ctx context.Context, inquiry records.Inquiry, deliver func(records.Admit) error) (contract.Accepted, limits.Decision, error) {
	var decision limits.Decision
	err := deliver(func() error {
		decision = d.Limit.Take(ctx, limits.ClientFrom(ctx))
		if !decision.Allowed {
			return d.Limit.Policy().Exceeded(decision.RetryAfter)
		}
		return nil
	})
	if decision == (limits.Decision{}) { // neither allowed nor refused
		decision = d.untouched(ctx)
	}
	if err != nil {
		return contract.Accepted{}, decision, err
	}
	return accepted(inquiry), decision, nil
}

// accepted is the answer to a request whose mail the server accepted: always the same
// bytes for the same inquiry.
func accepted(inquiry records.Inquiry) contract.Accepted {
	return contract.Accepted{
		OK:      true,
		ID:      inquiry.ID,
		Status:  contract.StatusAccepted,
		Message: fmt.Sprintf("The request is accepted: a person reads it and answers by e-mail to %s.", inquiry.Email),
	}
}

// inquiry makes the record of a request. It holds everything that its mail is made of,
// so every mail that is sent for it has the same Message-ID.
func (d *Desk) inquiry(request contract.PilotRequest) records.Inquiry {
	mail := d.compose(request)
	id := records.NewInquiryID()
	return records.Inquiry{
		ID:        id,
		MessageID: mailer.MessageID(id, d.Mail.From),
		Name:      request.Name,
		Business:  request.Business,
		Email:     request.Email,
		Message:   request.Message,
		Phone:     request.Phone,
		Segment:   request.Segment,
		From:      mail.From,
		To:        mail.To,
		Subject:   mail.Subject,
		Text:      mail.Text,
		CreatedAt: time.Now().UTC(),
	}
}
