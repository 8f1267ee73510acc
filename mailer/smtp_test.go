package mailer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
)

var (
	plain    mailtest.Options
	startTLS = mailtest.Options{Security: mailtest.StartTLS}
	overTLS  = mailtest.Options{Security: mailtest.Implicit}
)

func connect(t *testing.T, server *mailtest.Server, query string) *SMTP {
	t.Helper()
	smtp := expect.Value(Parse(server.URL()+query, t.TempDir()))(t).(*SMTP)
	smtp.roots = server.Roots()
	return smtp
}

func TestSend(t *testing.T) {
	t.Parallel()
	login := mailtest.Options{User: "desk", Password: "pä ss/wörd"}
	secured := func(o mailtest.Options, s mailtest.Security) mailtest.Options { o.Security = s; return o }
	for _, test := range []struct {
		name    string
		options mailtest.Options
		query   string
		tls     bool
	}{
		{"plain", plain, "", false},
		{"plain on request though STARTTLS is offered", startTLS, "?tls=none", false},
		{"STARTTLS when offered", startTLS, "", true},
		{"STARTTLS required", startTLS, "?tls=required", true},
		{"implicit TLS", overTLS, "", true},
		{"login in the clear on this machine", login, "", false},
		{"login under STARTTLS", secured(login, mailtest.StartTLS), "", true},
		{"login under implicit TLS", secured(login, mailtest.Implicit), "", true},
		{"AUTH LOGIN", mailtest.Options{User: "desk", Password: "x", Mechanisms: []string{"XOTHER", "LOGIN"}}, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Listen(t, test.options)
			transport := connect(t, server, test.query)
			expect.OK(t, transport.Check(t.Context(), sample()))
			server.WaitIdle()
			expect.Lacks(t, "a check", strings.Join(server.Commands(), "\n"), "MAIL")
			expect.Same(t, "mails of a check", 0, len(server.Messages()))
			expect.OK(t, transport.Send(t.Context(), sample()))
			expect.Same(t, "mails", []mailtest.Mail{{
				From: "desk@desk.example.org", To: []string{"owner@example.org"}, Data: expect.Value(sample().Bytes())(t),
				User: test.options.User, TLS: test.tls, Hello: "desk.example.org",
			}}, server.Messages())
			server.WaitIdle()
		})
	}
}

// A mail to several people is sent when the server takes it for one of them, and the error names the others.
func TestRecipients(t *testing.T) {
	t.Parallel()
	const ada, bob, carol, refusal = "ada@example.org", "bob@example.org", "carol@example.org", ": 550 \"5.1.1 no such user\""
	const all = `"Lovelace, Ada" <ada@example.org>, bob@example.org,carol@example.org`
	for name, test := range map[string]struct {
		refused, to []string
		want        string
	}{
		"all":  {nil, []string{ada, bob, carol}, ""},
		"some": {[]string{bob}, []string{ada, carol}, "mail sent, but not to everyone: " + bob + refusal},
		"none": {[]string{ada, bob, carol}, nil, "mail failed at RCPT: " + ada + refusal + "\n" + bob + refusal + "\n" + carol + refusal},
	} {
		server := mailtest.Listen(t, mailtest.Options{Refused: test.refused})
		m := sample()
		m.To = all
		err := connect(t, server, "").Send(t.Context(), m)
		failure, _ := errors.AsType[*Error](err)
		if (err != nil) != (test.want != "") || failure != nil && failure.Detail() != test.want {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		mails := server.Messages()
		if len(mails) != min(1, len(test.to)) {
			t.Fatalf("%s: %d mails", name, len(mails))
		}
		for _, mail := range mails {
			header, _ := mail.Read(t)
			expect.Same(t, name+": recipients", test.to, mail.To)
			expect.Same(t, name+": To", `"Lovelace, Ada" <ada@example.org>, <bob@example.org>, <carol@example.org>`, header.Get("To"))
		}
	}
}

// A server is asked for SMTPUTF8 (RFC 6531) only for an address that has no form in ASCII.
func TestInternationalAddresses(t *testing.T) {
	t.Parallel()
	const cannot = " cannot take josé@example.com, because it does not offer SMTPUTF8: use an address without letters such " +
		"as é before the @, or a server that offers it"
	for _, test := range []struct {
		from, to string
		offered  bool
		commands []string // of the mail
		stage    string   // of the failure
	}{
		{"desk@münchen.example", "owner@example.org", true,
			[]string{"MAIL FROM:<desk@xn--mnchen-3ya.example> BODY=8BITMIME", "RCPT TO:<owner@example.org>"}, ""},
		{"desk@desk.example", "José <josé@example.com>, owner@münchen.example", true,
			[]string{"MAIL FROM:<desk@desk.example> BODY=8BITMIME SMTPUTF8", "RCPT TO:<josé@example.com>",
				"RCPT TO:<owner@xn--mnchen-3ya.example>"}, ""},
		{"josé@example.com", "owner@example.org", true,
			[]string{"MAIL FROM:<josé@example.com> BODY=8BITMIME SMTPUTF8", "RCPT TO:<owner@example.org>"}, ""},
		{"desk@desk.example", "owner@example.org, josé@example.com", false, nil, stageTo},
		{"josé@example.com", "owner@example.org", false, nil, stageFrom},
	} {
		server := mailtest.Listen(t, mailtest.Options{SMTPUTF8: test.offered})
		transport, m := connect(t, server, ""), sample()
		m.From, m.To, m.ReplyName = test.from, test.to, "José"
		if test.stage != "" {
			checkError(t, transport.Check(t.Context(), m), Failed, test.stage, cannot)
			checkError(t, transport.Send(t.Context(), m), Failed, test.stage, cannot)
			continue
		}
		expect.OK(t, transport.Send(t.Context(), m))
		server.WaitIdle()
		commands := server.Commands()
		expect.Same(t, test.to, test.commands, commands[1:len(commands)-2]) // between EHLO and DATA, QUIT
		mail := server.Messages()[0]
		header, _ := mail.Read(t)
		expect.Same(t, "Reply-To", "=?utf-8?b?Sm9zw6k=?= <ada@example.com>", header.Get("Reply-To"))
		for name, given := range map[string]string{"From": test.from, "To": test.to} {
			expect.Same(t, name, expect.Value(ParseRecipients(given))(t), expect.Value(header.AddressList(name))(t))
		}
	}
}

func TestOneTransaction(t *testing.T) {
	t.Parallel()
	for _, one := range hostile {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Listen(t, mailtest.Options{})
			m := sample()
			m.Subject, m.Text = one.text, one.text
			expect.OK(t, connect(t, server, "").Send(t.Context(), m))
			content := expect.Value(m.Bytes())(t)
			mails := server.Messages()
			if len(mails) != 1 || !bytes.Equal(mails[0].Data, content) {
				t.Fatalf("%d mails, want one with the bytes of the message: %+v", len(mails), mails)
			}
			server.WaitIdle() // QUIT is sent in the background
			expect.Same(t, "commands", []string{
				"EHLO desk.example.org", "MAIL FROM:<desk@desk.example.org> BODY=8BITMIME",
				"RCPT TO:<owner@example.org>", "DATA", "QUIT",
			}, server.Commands())
		})
	}
}

func TestSendRefused(t *testing.T) {
	t.Parallel()
	login := mailtest.Options{User: "u", Password: "p"}
	for _, test := range []struct {
		name    string
		options mailtest.Options
		change  func(*SMTP)
		stage   string
		message string
	}{
		{"no server", plain, func(s *SMTP) { s.address = "127.0.0.1:1" }, stageConnect, "refused"},
		{"STARTTLS missing", plain, func(s *SMTP) { s.security = required }, stageStartTLS, "tls=required"},
		{"TLS spoken to a plain server", plain, func(s *SMTP) { s.security = implicit }, stageTLS, "TLS"},
		{"unknown certificate under STARTTLS", startTLS, func(s *SMTP) { s.roots = nil }, stageStartTLS, "certificate"},
		{"unknown certificate", overTLS, func(s *SMTP) { s.roots = nil }, stageTLS, "certificate"},
		{"certificate of another name", overTLS, func(s *SMTP) { s.host = "mail.example.org" }, stageTLS, "mail.example.org"},
		{"wrong password", login, func(s *SMTP) { s.password = "q" }, stageAuth, "535"},
		{"no login given", login, func(s *SMTP) { s.user = "" }, stageFrom, "authenticate"},
		{"login not offered", plain, func(s *SMTP) { s.user, s.password = "u", "p" }, stageAuth, "neither"},
		{"no mechanism in common", mailtest.Options{User: "u", Password: "p", Mechanisms: []string{"XOTHER"}},
			func(*SMTP) {}, stageAuth, "neither"},
		{"password over an open network", login, func(s *SMTP) { s.dial = remotely(s) }, stageAuth, "not encrypted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Listen(t, test.options)
			transport := connect(t, server, "")
			test.change(transport)
			if test.stage != stageFrom { // a check ends before it
				checkFailure(t, transport.Check(t.Context(), sample()), test.stage)
			}
			checkError(t, transport.Send(t.Context(), sample()), Failed, test.stage, test.message)
			expect.Same(t, "mails arrived", 0, len(server.Messages()))
			if test.message == "not encrypted" {
				expect.Lacks(t, "what was sent", strings.Join(server.Commands(), "\n"), "AUTH")
			}
			server.WaitIdle()
		})
	}
}

func checkError(t *testing.T, err error, outcome Outcome, stage, message string) *Error {
	t.Helper()
	failure, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("error = %v, want an *Error", err)
	}
	want := &Error{Outcome: outcome, Stage: stage}
	expect.Same(t, fmt.Sprintf("%v", err), want, failure, cmpopts.IgnoreFields(Error{}, "Err"))
	expect.Holds(t, "the error", err.Error(), message)
	return failure
}

type remoteConn struct{ net.Conn }

func (remoteConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 25} }

func remotely(s *SMTP) func(context.Context, string, string) (net.Conn, error) {
	dial := s.dial
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return remoteConn{conn}, err
	}
}

func checkFailure(t *testing.T, err error, stage string) {
	t.Helper()
	expect.Same(t, "hint", true, checkError(t, err, Failed, stage, "").Hint() != "")
}
