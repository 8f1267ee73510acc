package mailer

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/mailer/mailtest"
)

// stages are those before delivery, with what the transport calls them and what
// is known when one of them breaks without a reply.
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

// breaking is a server that breaks at one stage. Faults work on unencrypted
// connections, so only the one at STARTTLS meets a server that offers it.
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

// shortly is a deadline that a working conversation on one machine keeps and a
// test can wait for.
func shortly(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

func TestHangIsCut(t *testing.T) {
	t.Parallel()
	for _, test := range stages {
		t.Run(string(test.at), func(t *testing.T) {
			t.Parallel()
			server, transport := breaking(t, mailtest.Fault{Stage: test.at, Action: mailtest.Hang})
			err := transport.Send(shortly(t), sample())
			checkError(t, err, test.outcome, test.stage, context.DeadlineExceeded.Error())
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error = %v, want the deadline as its cause", err)
			}
			server.WaitIdle()
		})
	}
}

func TestCutConnection(t *testing.T) {
	t.Parallel()
	for _, test := range stages {
		t.Run(string(test.at), func(t *testing.T) {
			t.Parallel()
			server, transport := breaking(t, mailtest.Fault{Stage: test.at, Action: mailtest.Cut})
			checkError(t, transport.Send(t.Context(), sample()), test.outcome, test.stage, "")
			server.WaitIdle()
		})
	}
}

func TestGarbageReply(t *testing.T) {
	t.Parallel()
	for _, test := range stages {
		t.Run(string(test.at), func(t *testing.T) {
			t.Parallel()
			_, transport := breaking(t, mailtest.Fault{Stage: test.at, Action: mailtest.Babble})
			checkError(t, transport.Send(shortly(t), sample()), test.outcome, test.stage, "")
		})
	}
}

func TestRefusalIsCertain(t *testing.T) {
	t.Parallel()
	for _, test := range stages {
		for _, code := range []int{451, 554} {
			fault := mailtest.Fault{Stage: test.at, Action: mailtest.Refuse, Code: code}
			t.Run(string(test.at), func(t *testing.T) {
				t.Parallel()
				server, transport := breaking(t, fault)
				err := transport.Send(shortly(t), sample())
				checkError(t, err, Failed, test.stage, "")
				if mails := server.Messages(); len(mails) != 0 {
					t.Errorf("%d mails arrived", len(mails))
				}
			})
		}
	}
}

// TestDeliveredIsDelivered: after the 250 nothing the server does is a failure.
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
			if err := transport.Send(t.Context(), sample()); err != nil {
				t.Fatal(err)
			}
			if mails := server.Messages(); len(mails) != 1 {
				t.Errorf("%d mails arrived, want 1", len(mails))
			}
			server.WaitIdle()
		})
	}
}

// TestFarewellIsNotWaitedFor: a mail is known to be delivered at the 250, and a
// server that is slow to say goodbye delays nobody. The bubble fails the test when
// the farewell goes on for ever.
func TestFarewellIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		left := make(chan time.Duration, 1)
		start := time.Now()
		transport := &SMTP{host: "mail.example.org", port: portSubmission}
		transport.dial = func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go func() {
				quitHangs(server)
				left <- time.Since(start)
			}()
			return client, nil
		}
		if err := transport.Send(t.Context(), sample()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("Send returned %v after the 250", took)
		}
		if took := <-left; took != quitTimeout {
			t.Errorf("the connection was closed after %v, want %v", took, quitTimeout)
		}
	})
}

// quitHangs serves one mail on a connection, does not answer QUIT and returns when
// the client closes the connection.
func quitHangs(conn net.Conn) {
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
		case line == ".":
			reply, body = "250 taken", false
		case body || line == "QUIT":
			reply = ""
		case line == "DATA":
			reply, body = "354 go on", true
		default:
			reply = "250 ok"
		}
	}
}

// TestUnknownIsStored shows why the outcome is Unknown: the mail is there.
func TestUnknownIsStored(t *testing.T) {
	t.Parallel()
	server, transport := breaking(t, mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut})
	checkError(t, transport.Send(t.Context(), sample()), Unknown, stageDot, "unknown")
	server.Wait(1)
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

// TestDeadlineWithoutHelp: SendTimeout holds without a deadline of the caller, for
// a server that says nothing and for one that never stops talking. The bubble
// fails the test when a goroutine is left behind.
func TestDeadlineWithoutHelp(t *testing.T) {
	t.Parallel()
	for name, speak := range map[string]func(io.Writer){
		"silent": func(io.Writer) {},
		"slow": func(w io.Writer) {
			for {
				if _, err := io.WriteString(w, "220-"+strings.Repeat("x", 40)+"\r\n"); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				done := make(chan struct{})
				transport := &SMTP{host: "mail.example.org", port: portSubmission}
				transport.dial = func(context.Context, string, string) (net.Conn, error) {
					client, server := net.Pipe()
					go func() {
						defer close(done)
						speak(server)
					}()
					return client, nil
				}
				start := time.Now()
				checkError(t, transport.Send(t.Context(), sample()), Failed, stageGreeting, "deadline")
				if took := time.Since(start); took != SendTimeout {
					t.Errorf("took %v, want %v", took, SendTimeout)
				}
				<-done
			})
		})
	}
}
