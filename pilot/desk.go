package pilot

import (
	"context"
	"fmt"
	"time"

	"frontdesk/contract"
	"frontdesk/limits"
	"frontdesk/mailer"
	"frontdesk/records"
)

// Courier stores an inquiry and mails it. A nil error means that the mail server
// has taken the mail.
type Courier interface {
	Deliver(ctx context.Context, inquiry records.Inquiry, mail mailer.Message) error
}

// Desk takes pilot requests. All faces of the service use the same one.
type Desk struct {
	Mail    Addresses
	BaseURL string // named in the mail, so that the owner knows where it comes from
	Limit   *limits.Limiter
	Courier Courier
}

// Preview is the answer to a dry run. It sends and stores nothing and takes no
// slot of the limit.
func (d *Desk) Preview(request contract.PilotRequest) contract.Preview {
	mail := compose(request, d.Mail, d.BaseURL)
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

// CheckPreview refuses a real send whose mail is not the one that was previewed.
// It comes before the limit, like every other rule of validation.
func (d *Desk) CheckPreview(request contract.PilotRequest) error {
	if request.Preview == "" || request.Preview == digest(compose(request, d.Mail, d.BaseURL)) {
		return nil
	}
	refusal := contract.Invalid(contract.FieldPreview, contract.FieldPreview+" is not the digest of the mail that this request would send")
	refusal.Hint = "Repeat the dry run, have its mail approved, and send its digest with the same fields."
	return refusal
}

// Send mails a request to the owner. A valid request takes a slot of the contact
// limit also when its delivery then fails; the decision is the limit's. Errors
// are rate_limited, internal_error when the request could not be stored (nothing
// was sent then), and bad_gateway when its mail could not be delivered (the
// request is kept).
func (d *Desk) Send(ctx context.Context, request contract.PilotRequest) (contract.Accepted, limits.Decision, error) {
	decision := d.Limit.Take(ctx, limits.ClientFrom(ctx))
	if !decision.Allowed {
		return contract.Accepted{}, decision, d.Limit.Policy().Exceeded(decision.RetryAfter)
	}
	inquiry, mail := d.inquiry(request)
	if err := d.Courier.Deliver(ctx, inquiry, mail); err != nil {
		return contract.Accepted{}, decision, err
	}
	return contract.Accepted{
		OK:      true,
		ID:      inquiry.ID,
		Status:  contract.StatusAccepted,
		Message: fmt.Sprintf("The request is accepted: a person reads it and answers by e-mail to %s.", request.Email),
	}, decision, nil
}

// inquiry makes the record of a request and its mail, which share one identity:
// whatever is sent for this record bears the same Message-ID.
func (d *Desk) inquiry(request contract.PilotRequest) (records.Inquiry, mailer.Message) {
	now := time.Now().UTC()
	mail := compose(request, d.Mail, d.BaseURL)
	id := records.NewInquiryID()
	mail.ID = mailer.MessageID(id, d.Mail.From)
	mail.Date = now
	return records.Inquiry{
		ID:        id,
		MessageID: mail.ID,
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
		CreatedAt: now,
	}, mail
}
