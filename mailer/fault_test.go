package mailer

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
)

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

// Faults work on unencrypted connections, so only the server that breaks at STARTTLS offers it.
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

// A refusal is certain, whatever the stage.
func TestBrokenStage(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]mailtest.Fault{
		"cut":           {Action: mailtest.Cut},
		"endless reply": {Action: mailtest.Flood},
		"garbage":       {Action: mailtest.Babble},
		"refused":       {Action: mailtest.Refuse, Code: 554},
		"refused now":   {Action: mailtest.Refuse, Code: 451},
	} {
		for _, test := range stages {
			t.Run(name+" at "+string(test.at), func(t *testing.T) {
				t.Parallel()
				fault, outcome, message := fault, test.outcome, ""
				fault.Stage = test.at
				switch fault.Action {
				case mailtest.Refuse:
					outcome = Failed
				case mailtest.Flood:
					message = "EOF"
				}
				server, transport := breaking(t, fault)
				failure := checkError(t, transport.Send(t.Context(), sample()), outcome, test.stage, message)
				if fault.Action == mailtest.Refuse {
					// A server may quote the mail when it refuses it: that is not for the log.
					expect.Same(t, "the error has the words of the reply", test.at != mailtest.FinalDot, strings.Contains(failure.Error(), "refused by the test"))
					expect.Holds(t, "the detail", failure.Detail(), "refused by the test")
				}
				if outcome == Failed {
					expect.Same(t, "mails", 0, len(server.Messages()))
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

// Nothing that the server does after the 250 is a failure.
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
			expect.OK(t, transport.Send(t.Context(), sample()), transport.Check(t.Context(), sample()))
			expect.Same(t, "mails", 1, len(server.Messages()))
			server.WaitIdle()
		})
	}
}

// A mail is delivered at the 250. The bubble fails the test if the goroutine that quits never ends.
func TestQuitIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		left := make(chan time.Duration, 1)
		start := time.Now()
		transport := servedBy(func(server net.Conn) {
			hangsAt(server, "QUIT")
			left <- time.Since(start)
		})
		expect.OK(t, transport.Send(t.Context(), sample()))
		expect.Same(t, "time that Send takes after the 250", 0, time.Since(start))
		expect.Same(t, "the connection was closed after", quitTimeout, <-left)
	})
}

func servedBy(serve func(net.Conn)) *SMTP {
	return &SMTP{host: "mail.example.org", dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go serve(server)
		return client, nil
	}}
}

// hangsAt serves one mail up to a line that it does not answer, and returns when the client is gone.
func hangsAt(conn net.Conn, unanswered string) {
	lines := bufio.NewScanner(conn)
	reply, body := "220 ready", false
	for {
		if reply != "" {
			_, _ = io.WriteString(conn, reply+"\r\n")
		}
		if !lines.Scan() {
			return
		}
		switch line := lines.Text(); {
		case line == unanswered:
			reply = ""
		case line == ".":
			reply, body = "250 taken", false
		case body:
			reply = ""
		case line == "DATA":
			reply, body = "354 go on", true
		default:
			reply = "250 ok"
		}
	}
}

// SendTimeout bounds a send without a deadline. A server that is silent at the final dot may have taken the mail.
func TestDeadlineOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		stage   string
		outcome Outcome
		serve   func(net.Conn)
	}{
		{stageGreeting, Failed, func(net.Conn) {}},
		{stageDot, Unknown, func(conn net.Conn) { hangsAt(conn, ".") }},
	} {
		expect.Bubble(t, tt.stage, func(t *testing.T) {
			start := time.Now()
			checkError(t, servedBy(tt.serve).Send(t.Context(), sample()), tt.outcome, tt.stage, "deadline")
			expect.Same(t, "took", SendTimeout, time.Since(start))
		})
	}
}
