// Package outbox gets an inquiry to the owner in three steps: store it, send its
// mail, settle how that ended. The order is the promise of the decisions
// ("Storage"): what was answered with 200 has been stored and taken by the mail
// server, and what was not delivered is still there for the owner to see.
//
// The log of this package tells an inquiry by its id and Message-ID alone; nothing
// that a caller wrote is in it.
package outbox

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/mailer"
	"frontdesk/records"
)

// Store keeps inquiries; records.Store is one.
type Store interface {
	AddInquiry(ctx context.Context, inquiry records.Inquiry) error
	SettleInquiry(ctx context.Context, id string, state records.State, detail string) error
}

// Sender delivers a mail, or returns an error that tells through *mailer.Error
// whether it may have arrived; mailer.Transport is one.
type Sender interface {
	Send(ctx context.Context, mail mailer.Message) error
}

// Config is what an outbox works with.
type Config struct {
	Store   Store
	Sender  Sender
	Timeout time.Duration // of a whole send; zero means mailer.SendTimeout
	Log     zerolog.Logger
}

// recordTimeout bounds each of the two writes. Together with a send they stay
// below the 20 s that a stopping service gives what is in flight.
const recordTimeout = 2 * time.Second

// Outbox delivers inquiries. Its methods may be called by many at once.
type Outbox struct {
	store   Store
	sender  Sender
	timeout time.Duration
	log     zerolog.Logger
}

// New makes an outbox.
func New(config Config) *Outbox {
	return &Outbox{
		store:   config.Store,
		sender:  config.Sender,
		timeout: cmp.Or(config.Timeout, mailer.SendTimeout),
		log:     config.Log,
	}
}

// Deliver stores the inquiry, sends its mail and settles it. Nil means that the
// mail server has taken the mail. The errors are *contract.Error: internal_error
// when the inquiry could not be stored, and then nothing was sent; bad_gateway when
// its mail failed or nobody knows, and then the inquiry is kept. There is no second
// try: after an unknown outcome it could mail an inquiry twice.
//
// A caller that leaves does not stop it. Whether it left before or after the 250
// could not be told from here, and a delivery cut in the middle is the worst of both.
func (o *Outbox) Deliver(ctx context.Context, inquiry records.Inquiry, mail mailer.Message) error {
	ctx = context.WithoutCancel(ctx)
	inquiry.State = records.Pending
	if err := o.add(ctx, inquiry); err != nil {
		return contract.Internal(err)
	}
	sendErr := o.send(ctx, mail)
	state, detail := outcome(sendErr)
	o.report(inquiry, state, sendErr)
	if err := o.settle(ctx, inquiry.ID, state, detail); err != nil {
		// The mail's own outcome stands: what the caller was promised has happened
		// or has not. The record stays pending and is found so after a restart.
		o.event(o.log.Error(), inquiry).Str("outcome", string(state)).Err(err).
			Msg("the outcome of a delivery could not be recorded")
	}
	if sendErr != nil {
		return refusal(state, sendErr)
	}
	return nil
}

func (o *Outbox) add(ctx context.Context, inquiry records.Inquiry) error {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	return o.store.AddInquiry(ctx, inquiry)
}

func (o *Outbox) send(ctx context.Context, mail mailer.Message) error {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	return o.sender.Send(ctx, mail)
}

func (o *Outbox) settle(ctx context.Context, id string, state records.State, detail string) error {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	return o.store.SettleInquiry(ctx, id, state, detail)
}

// outcome is the state that a send leaves, with what the owner is told of it. An
// error that does not say what is known leaves everything possible.
func outcome(err error) (records.State, string) {
	if err == nil {
		return records.Sent, ""
	}
	failure, ok := errors.AsType[*mailer.Error](err)
	switch {
	case !ok:
		return records.Unknown, err.Error()
	case failure.Outcome == mailer.Failed:
		return records.Failed, failure.Detail()
	default:
		return records.Unknown, failure.Detail()
	}
}

// report writes the line of a delivery. One that went well is for debugging alone:
// the request has its own line.
func (o *Outbox) report(inquiry records.Inquiry, state records.State, err error) {
	level := zerolog.DebugLevel
	if err != nil {
		level = zerolog.ErrorLevel
	}
	o.event(o.log.WithLevel(level), inquiry).Str("outcome", string(state)).Err(err).Msg("delivery of an inquiry")
}

func (o *Outbox) event(event *zerolog.Event, inquiry records.Inquiry) *zerolog.Event {
	return event.Str("inquiry", inquiry.ID).Str("message_id", inquiry.MessageID)
}

// refusal is what the caller hears of a mail that was not delivered.
func refusal(state records.State, cause error) *contract.Error {
	detail := "The request is stored, but its e-mail could not be delivered: nothing is lost, and a person at the service can still read it."
	if state == records.Unknown {
		detail = "The request is stored, but the mail server did not confirm its e-mail, which may have arrived: nothing is lost, and a person at the service can still read it."
	}
	return &contract.Error{Code: contract.BadGateway, Detail: detail, Cause: cause}
}
