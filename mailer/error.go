package mailer

import (
	"errors"
	"fmt"
	"net/textproto"
)

// Outcome says what is known about a mail whose delivery did not succeed.
type Outcome string

// The outcomes of a delivery that returned an error.
const (
	Failed  Outcome = "failed"  // it certainly did not arrive
	Unknown Outcome = "unknown" // it may have arrived: no reply came after the whole mail was sent
)

// The stages of a delivery, as [Error.Stage] names them.
const (
	stageMessage  = "message"
	stageConnect  = "connect"
	stageTLS      = "TLS"
	stageGreeting = "greeting"
	stageHello    = "EHLO"
	stageStartTLS = "STARTTLS"
	stageAuth     = "AUTH"
	stageFrom     = "MAIL"
	stageTo       = "RCPT"
	stageData     = "DATA"
	stageContent  = "content"
	stageDot      = "final dot"
	stageFile     = "file"
)

// Stages are all stages, in their order.
var Stages = []string{stageMessage, stageConnect, stageTLS, stageGreeting, stageHello, stageStartTLS, stageAuth,
	stageFrom, stageTo, stageData, stageContent, stageDot, stageFile}

// Error is a delivery that did not succeed.
type Error struct {
	Outcome Outcome
	Stage   string // how far it came: "connect", "AUTH", "final dot", …
	Err     error  // for the owner alone: a server may quote the mail in its reply
}

// Error is safe to log. What a server says before it has the content cannot hold
// anything a caller wrote; what it says afterwards can, so then only its code is given.
func (e *Error) Error() string {
	reply, refused := errors.AsType[*textproto.Error](e.Err)
	if refused && e.Stage == stageDot {
		return fmt.Sprintf("mail %s at %s: reply %d", e.Outcome, e.Stage, reply.Code)
	}
	return e.Detail()
}

// Detail is the whole story, with the server's own words, for the owner to read.
func (e *Error) Detail() string {
	return fmt.Sprintf("mail %s at %s: %v", e.Outcome, e.Stage, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

func failed(stage string, err error) *Error {
	return &Error{Outcome: Failed, Stage: stage, Err: err}
}
