package mailer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

const stageOwn = "desk.Mail" // of failures that are not the sender's own errors

// ownGrace is extra time after SendTimeout for the sender to report its outcome.
const ownGrace = time.Second

// own is a Sender of another program, which may do anything.
type own struct{ sender Sender }

// panicked is what a sender panicked with; the stack is only for the log.
type panicked struct {
	value any
	stack string
}

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// Own returns the Transport of a sender that is not ours (desk.Mail). Whatever the sender does, Send returns, and an
// *Error has one of the outcomes.
func Own(sender Sender) Transport { return own{sender} }

// Send has an unknown outcome when the sender panics or does not return in time: it may still send the mail.
func (o own) Send(ctx context.Context, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		defer func() {
			if value := recover(); value != nil {
				ended <- unknown(stageOwn, panicked{value, string(debug.Stack())})
			}
		}()
		err := o.sender.Send(ctx, m)
		failure, ok := errors.AsType[*Error](err)
		switch {
		case ok && failure == nil:
			err = unknown(stageOwn, errors.New("the error is a nil *mailer.Error"))
		case ok && failure.Outcome != Failed && failure.Outcome != Sent:
			err = unknown(failure.Stage, failure.Err)
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		return err
	case <-time.After(SendTimeout + ownGrace):
		return unknown(stageOwn, errors.New("the sender did not return in time"))
	}
}

// Check implements Transport.
func (own) Check(context.Context, Message) error { return nil }

// String implements Transport.
func (own) String() string { return "the sender of desk.Mail" }
