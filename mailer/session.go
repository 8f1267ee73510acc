package mailer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"slices"
	"strings"

	"github.com/wneessen/go-mail/smtp"
)

// open prepares a connection for a mail: greeting, EHLO, encryption and login as the
// settings require, and SMTPUTF8 if an address needs it.
func (s *SMTP) open(ctx context.Context, conn net.Conn, from *netmail.Address,
	to []*netmail.Address) (*smtp.Client, *Error) {
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
	if err := client.Hello(domain(from.Address)); err != nil {
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
	return client, internationalize(client, from, to)
}

// internationalize asks for SMTPUTF8 (RFC 6531) only for an address that has no form in ASCII: a server that offers
// it may be unable to pass such a mail on.
func internationalize(client *smtp.Client, from *netmail.Address, to []*netmail.Address) *Error {
	client.SkipSMTPUTF8(true)
	for _, address := range slices.Concat([]*netmail.Address{from}, to) {
		if isASCII(address.Address) {
			continue
		}
		if offered, _ := client.Extension("SMTPUTF8"); !offered {
			stage := stageTo
			if address == from {
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
