package mailer

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
)

// stages are those before delivery, with their names in the transport and the outcome
// when one of them breaks without a reply.
var stages = []struct {
	at      mailtest.Stage
	stage   string
	outcome Outcome
}{
	{mailtest.Greeting, stageGreeting, Failed},
	{mailtest.Hello, stageHello, Failed},
	{mailtest.STARTTLS, stageStartTLS, Failed},
	{mailtest.Auth, stageAuth, Failed},
	{mailtest.From, stageFrom, Failed},
	{mailtest.To, stageTo, Failed},
	{mailtest.Data, stageData, Failed},
	{mailtest.FinalDot, stageDot, Unknown},
}

// beforeMail is how many of the stages a check passes too.
const beforeMail = 4

// breaking starts a server that breaks at one stage. Faults work on unencrypted
// connections, so only the server that breaks at STARTTLS offers it.
func breaking(t *testing.T, fault mailtest.Fault) (*mailtest.Server, *SMTP) {
	t.Helper()
	options := mailtest.Options{User: "desk", Password: "secret"}
	if fault.Stage == mailtest.STARTTLS {
		options.Security = mailtest.StartTLS
	}
	server := mailtest.Listen(t, options)
	server.SetFault(fault)
	return server, connect(t, server, "")
}

// hanging connects to a server that never replies again at one stage. The context ends as
// at a deadline, half a second after the server has come there: however slow the stages
// before it are, and late enough for a client whose connection is not yet made for it.
func hanging(t *testing.T, at mailtest.Stage) (context.Context, *mailtest.Server, *SMTP) {
	t.Helper()
	ctx, end := context.WithCancelCause(t.Context())
	server, transport := breaking(t, mailtest.Fault{Stage: at, Action: mailtest.Hang,
		Begun: func() { time.AfterFunc(500*time.Millisecond, func() { end(context.DeadlineExceeded) }) }})
	return ctx, server, transport
}

// TestHangIsCut ends a mail, and a check where the stage is before the mail, at a deadline.
func TestHangIsCut(t *testing.T) {
	t.Parallel()
	for i, test := range stages {
		t.Run(string(test.at), func(t *testing.T) {
			t.Parallel()
			ctx, server, transport := hanging(t, test.at)
			err := transport.Send(ctx, sample())
			checkError(t, err, test.outcome, test.stage, context.DeadlineExceeded.Error())
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error = %v, want the deadline as its cause", err)
			}
			server.WaitIdle()
			if i < beforeMail {
				ctx, server, transport = hanging(t, test.at)
				expect.Error(t, "check", transport.Check(ctx, checkedFrom), context.DeadlineExceeded)
				server.WaitIdle()
			}
		})
	}
}

// TestBrokenStage breaks each stage in each way. A refusal is certain, whatever the stage.
func TestBrokenStage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fault   mailtest.Fault
		message string
	}{
		"cut":           {mailtest.Fault{Action: mailtest.Cut}, ""},
		"endless reply": {mailtest.Fault{Action: mailtest.Flood}, errReplies.Error()},
		"garbage":       {mailtest.Fault{Action: mailtest.Babble}, ""},
		"refused":       {mailtest.Fault{Action: mailtest.Refuse, Code: 554}, ""},
		"refused now":   {mailtest.Fault{Action: mailtest.Refuse, Code: 451}, ""},
	} {
		for _, test := range stages {
			t.Run(name+" at "+string(test.at), func(t *testing.T) {
				t.Parallel()
				fault, outcome := tt.fault, test.outcome
				fault.Stage = test.at
				if fault.Action == mailtest.Refuse {
					outcome = Failed
				}
				server, transport := breaking(t, fault)
				checkError(t, transport.Send(t.Context(), sample()), outcome, test.stage, tt.message)
				if mails := server.Messages(); len(mails) != 0 && outcome == Failed {
					t.Errorf("%d mails arrived", len(mails))
				}
				if fault.Action == mailtest.Cut && outcome == Unknown {
					server.Wait(1) // why the outcome is unknown: the mail is there
				}
				if fault.Action == mailtest.Cut || fault.Action == mailtest.Flood {
					server.WaitIdle()
				}
			})
		}
	}
}

// TestDeliveredIsDelivered: nothing that the server does after the 250 is a failure.
func TestDeliveredIsDelivered(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]mailtest.Fault{
		"QUIT hangs":            {Stage: mailtest.Quit, Action: mailtest.Hang},
		"QUIT refused":          {Stage: mailtest.Quit, Action: mailtest.Refuse, Code: 421},
		"cut after the 250":     {Stage: mailtest.Quit, Action: mailtest.Cut},
		"garbage after the 250": {Stage: mailtest.Quit, Action: mailtest.Babble},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, transport := breaking(t, fault)
			expect.OK(t, transport.Send(t.Context(), sample()), transport.Check(t.Context(), checkedFrom))
			expect.Same(t, "mails", 1, len(server.Messages()))
			server.WaitIdle()
		})
	}
}

// TestErrorKeepsTheMailOutOfTheLog: a server may quote the mail when it refuses it.
func TestErrorKeepsTheMailOutOfTheLog(t *testing.T) {
	t.Parallel()
	_, transport := breaking(t, mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Refuse})
	err := transport.Send(t.Context(), sample())
	failure, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("error = %v", err)
	}
	const words = "refused by the test"
	if strings.Contains(failure.Error(), words) || !strings.Contains(failure.Error(), "554") {
		t.Errorf("for the log: %s", failure.Error())
	}
	if !strings.Contains(failure.Detail(), words) {
		t.Errorf("for the owner: %s", failure.Detail())
	}
}
