package mailer

import (
	"bufio"
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
)

// A mail is delivered at the 250, and a server that is slow to answer QUIT does not delay the caller. The bubble fails
// the test if the goroutine that quits never ends.
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

// hangsAt serves one mail on a connection up to a line that it does not answer, and returns when the client closes the
// connection.
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

// SendTimeout bounds a send whose caller has no deadline. A server that is silent at the final dot may have taken the
// mail. The bubble fails the test if a goroutine is left behind.
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
