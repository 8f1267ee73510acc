package mailer

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	netmail "net/mail"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// SendTimeout bounds a whole delivery, from the name lookup to the reply to the final
// dot.
const SendTimeout = 15 * time.Second

// maxReplies bounds everything that a mail server sends in one session, in bytes: a
// real conversation takes about one thousand, and a TLS handshake a few thousand more.
// Without the bound, an endless reply would fill the memory until the timeout.
const maxReplies = 64 << 10

// boundedConn is a connection that ends with maxReplies.
type boundedConn struct {
	net.Conn
	replies io.Reader
}

func (c boundedConn) Read(p []byte) (int, error) { return c.replies.Read(p) }

// quitTimeout bounds the QUIT at the end of a connection.
const quitTimeout = time.Second

// SMTP delivers mails to a mail server. It opens a connection for each mail.
type SMTP struct {
	host, address  string // the address is host:port
	user, password string
	security       security
	dial           func(ctx context.Context, network, address string) (net.Conn, error)
	roots          *x509.CertPool // nil means those of the system
}

// Send delivers m. It returns nil once the server has answered the final dot with 250,
// by which it takes responsibility (RFC 5321 6.1). What happens to the connection after
// that does not matter. An error whose Outcome is Sent names the recipients that the server
// refused while it took the mail for another one.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	content, err := m.Bytes()
	if err != nil {
		return failed(stageMessage, err)
	}
	var refused []error
	err = s.connected(ctx, m, func(client *smtp.Client, e envelope) (failure *Error) {
		refused, failure = deliver(client, e, content)
		return failure
	})
	if err == nil && len(refused) > 0 {
		err = &Error{Outcome: Sent, Stage: stageTo, Err: errors.Join(refused...)}
	}
	return err
}

// Check connects and logs in as Send does, but begins no mail.
func (s *SMTP) Check(ctx context.Context, m Message) error {
	return s.connected(ctx, m, func(*smtp.Client, envelope) *Error { return nil })
}

// connected runs a conversation on a new connection that is ready for m, within
// SendTimeout. It returns when the conversation has served its purpose and quits in the
// background: while a caller waited for QUIT, a delivered mail would not yet be recorded
// as sent.
func (s *SMTP) connected(ctx context.Context, m Message, converse func(*smtp.Client, envelope) *Error) error {
	envelope, err := m.envelope()
	if err != nil {
		return failed(stageMessage, err)
	}
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	conn, err := s.dial(ctx, "tcp", s.address)
	if err != nil {
		return failed(stageConnect, err)
	}
	conn = boundedConn{conn, io.LimitReader(conn, maxReplies)}
	// The library has no context: closing the connection ends a read or write at any
	// stage.
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	client, failure := s.open(ctx, conn, envelope)
	if failure == nil {
		failure = converse(client, envelope)
	}
	if failure != nil {
		conn.Close()
		if ctx.Err() != nil {
			failure.Err = context.Cause(ctx) // rather than "use of closed connection"
		}
		return failure
	}
	go quit(conn, client)
	return nil
}

// deliver is one mail transaction. It returns the refusals of recipients; they are a
// failure only if no recipient is left.
func deliver(client *smtp.Client, e envelope, content []byte) (refused []error, failure *Error) {
	if err := client.Mail("<" + e.from.Address + ">"); err != nil {
		return nil, failed(stageFrom, err)
	}
	for _, recipient := range e.to {
		err := client.Rcpt("<" + recipient.Address + ">")
		if err == nil {
			continue
		}
		if _, isReply := errors.AsType[*textproto.Error](err); !isReply {
			return nil, failed(stageTo, err) // the conversation has ended
		}
		if len(e.to) > 1 {
			err = fmt.Errorf("%s: %w", recipient.Address, err)
		}
		refused = append(refused, err)
	}
	if len(refused) == len(e.to) {
		return nil, failed(stageTo, errors.Join(refused...))
	}
	data, err := client.Data()
	if err != nil {
		return nil, failed(stageData, err)
	}
	return refused, transfer(data, content)
}

// quit ends a connection. RFC 5321 4.1.1.10 requires a client to send QUIT, but not to
// wait long for the reply.
func quit(conn net.Conn, client *smtp.Client) {
	defer conn.Close()
	if conn.SetDeadline(time.Now().Add(quitTimeout)) == nil {
		_ = client.Quit()
	}
}

// transfer sends the content and the final dot. After the dot, the outcome of a delivery
// without a reply is unknown: only a refusal (4yz, 5yz) proves that the server has not
// accepted the mail. Before the dot, the server cannot have accepted it.
func transfer(data io.WriteCloser, content []byte) *Error {
	if _, err := data.Write(content); err != nil {
		return failed(stageContent, err)
	}
	err := data.Close()
	if err == nil {
		return nil
	}
	if reply, ok := errors.AsType[*textproto.Error](err); ok && reply.Code >= 400 {
		return failed(stageDot, err)
	}
	return unknown(stageDot, err)
}

func domain(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// open prepares a connection for a mail: greeting, EHLO, encryption and login as the
// settings require, and SMTPUTF8 if an address needs it.
func (s *SMTP) open(ctx context.Context, conn net.Conn, e envelope) (*smtp.Client, *Error) {
	config := &tls.Config{ServerName: s.host, RootCAs: s.roots, MinVersion: tls.VersionTLS12}
	remote := conn.RemoteAddr()
	encrypted := s.security == implicit
	if encrypted {
		secured := tls.Client(conn, config)
		if err := secured.HandshakeContext(ctx); err != nil {
			return nil, failed(stageTLS, err)
		}
		conn = secured
	}
	client, err := smtp.NewClient(conn, s.host)
	if err != nil {
		return nil, failed(stageGreeting, err)
	}
	// The name is the sender's domain, so the name of this machine stays private.
	if err := client.Hello(domain(e.from.Address)); err != nil {
		return nil, failed(stageHello, err)
	}
	if s.security == opportunistic || s.security == required {
		if encrypted, err = s.startTLS(client, config); err != nil {
			return nil, failed(stageStartTLS, err)
		}
	}
	if err := s.login(client, encrypted || isLocal(remote)); err != nil {
		return nil, failed(stageAuth, err)
	}
	return client, internationalize(client, e)
}

// internationalize asks for SMTPUTF8 (RFC 6531) only for an address that has no form in ASCII: a server that offers
// it may be unable to pass such a mail on.
func internationalize(client *smtp.Client, e envelope) *Error {
	client.SkipSMTPUTF8(true)
	for _, address := range slices.Concat([]*netmail.Address{e.from}, e.to) {
		if isASCII(address.Address) {
			continue
		}
		if offered, _ := client.Extension("SMTPUTF8"); !offered {
			stage := stageTo
			if address == e.from {
				stage = stageFrom
			}
			return failed(stage, fmt.Errorf("the mail server cannot take %s, because it does not offer SMTPUTF8: use an "+
				"address without letters such as é before the @, or a server that offers it", address.Address))
		}
		client.SkipSMTPUTF8(false)
	}
	return nil
}

// startTLS encrypts the session if the server offers that, and reports whether it did. A
// server that offers STARTTLS and then fails gets no mail: without encryption, anyone on
// the path could read it.
func (s *SMTP) startTLS(client *smtp.Client, config *tls.Config) (bool, error) {
	if offered, _ := client.Extension("STARTTLS"); offered {
		return true, client.StartTLS(config)
	}
	if s.security == required {
		return false, errors.New("the server does not offer STARTTLS, which tls=required needs")
	}
	return false, nil
}

// login authenticates with the first offered mechanism that is safe on an encrypted
// connection.
func (s *SMTP) login(client *smtp.Client, private bool) error {
	if s.user == "" {
		return nil
	}
	if !private {
		return errors.New("the connection is not encrypted, so the password was not sent: " +
			"the server offers no STARTTLS; use smtps:// if it has that")
	}
	_, offered := client.Extension("AUTH")
	for mechanism := range strings.FieldsSeq(strings.ToUpper(offered)) {
		switch mechanism {
		case "PLAIN":
			return client.Auth(smtp.PlainAuth("", s.user, s.password, s.host, true))
		case "LOGIN":
			return client.Auth(smtp.LoginAuth(s.user, s.password, s.host, true))
		}
	}
	return errors.New("the server offers neither AUTH PLAIN nor AUTH LOGIN")
}

// isLocal reports whether a connection stays on this machine. It takes the address of the
// connection, because a name such as localhost could point elsewhere.
func isLocal(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
