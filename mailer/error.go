package mailer

import (
	"errors"
	"fmt"
	"net/textproto"
	"strings"
)

// Outcome says whether a mail whose delivery did not succeed may have arrived.
type Outcome string

// The outcomes of a delivery that returned an error.
const (
	Failed  Outcome = "failed"  // it certainly did not arrive
	Unknown Outcome = "unknown" // it may have arrived
	Sent    Outcome = "sent"    // the server took it, but refused some of its recipients
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
	stageUnset    = "set-up"
)

// Stages are all stages, in their order.
var Stages = []string{stageMessage, stageConnect, stageTLS, stageGreeting, stageHello, stageStartTLS, stageAuth,
	stageFrom, stageTo, stageData, stageContent, stageDot, stageFile, stageUnset}

// Error is a delivery that did not succeed, or not for every recipient.
type Error struct {
	Outcome Outcome
	Stage   string // where it ended: "connect", "AUTH", "final dot", …
	Err     error  // only for the owner: a server may quote the mail in its reply
}

// Error is safe to log. A server's reply cannot hold anything that a caller wrote before
// the server has the content; afterwards it can, so only its code is included.
func (e *Error) Error() string {
	reply, refused := errors.AsType[*textproto.Error](e.Err)
	if refused && e.Stage == stageDot {
		return fmt.Sprintf("mail %s at %s: reply %d", e.Outcome, e.Stage, reply.Code)
	}
	if value, ok := errors.AsType[panicked](e.Err); ok {
		return e.Detail() + "\n" + value.stack
	}
	return e.Detail()
}

// Detail is the error with the server's own words, for the owner.
func (e *Error) Detail() string {
	if e.Outcome == Sent {
		return fmt.Sprintf("mail sent, but not to everyone: %v", e.Err)
	}
	return fmt.Sprintf("mail %s at %s: %v", e.Outcome, e.Stage, e.Err)
}

// StageOf returns the stage of an error by its Detail; empty for another text.
func StageOf(detail string) string {
	for _, outcome := range []Outcome{Failed, Unknown} {
		if rest, ok := strings.CutPrefix(detail, fmt.Sprintf("mail %s at ", outcome)); ok {
			stage, _, _ := strings.Cut(rest, ":")
			return stage
		}
	}
	return ""
}

func (e *Error) Unwrap() error { return e.Err }

// ConcernsOneMail reports whether a failure says nothing about other mails: only a permanent reply to the content does.
// Mails share their addresses, so a server that refuses those refuses all of them.
func (e *Error) ConcernsOneMail() bool {
	reply, ok := errors.AsType[*textproto.Error](e.Err)
	return ok && reply.Code >= 500 && (e.Stage == stageDot || e.Stage == stageData)
}

func failed(stage string, err error) *Error {
	return &Error{Outcome: Failed, Stage: stage, Err: err}
}

func unknown(stage string, err error) *Error {
	return &Error{Outcome: Unknown, Stage: stage, Err: err}
}

// hints say what the owner can do about a delivery that failed at a stage.
var hints = map[string]string{
	stageConnect: "Check host and port in the address, and whether a firewall blocks them for this machine; mail is " +
		"submitted at port 587 (smtp://) or 465 (smtps://).",
	stageTLS: "smtps:// is TLS from the first byte, mostly at port 465, and asks for a valid certificate of that " +
		"host name; at port 587 use smtp://.",
	stageGreeting: "What listens there does not speak SMTP first: a server at port 465 wants smtps://.",
	stageHello:    "The server refuses this machine, or the domain of the sender address.",
	stageStartTLS: "The server must offer STARTTLS with a valid certificate of its host name; ?tls=none sends " +
		"unencrypted, only for your own network.",
	stageAuth: "Check user name and password; many providers need a password made for programs (an app password). @ : / " +
		"? # % are written as %40 %3A %2F %3F %23 %25.",
	stageFile: "The user that the service runs as must be able to write there, and the disk must not be full.",
	stageUnset: "Set FRONTDESK_SMTP_URL. The owner's pages can set mail up too, with SQLite and without " +
		"FRONTDESK_MAIL_TO and FRONTDESK_MAIL_FROM.",
}

// Hint says what the owner can do about the failure; it is empty for stages without one.
func (e *Error) Hint() string { return hints[e.Stage] }
