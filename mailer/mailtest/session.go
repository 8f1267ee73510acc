package mailtest

import (
	"errors"
	"io"
	"slices"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// session is one client's conversation, as go-smtp asks for it.
type session struct {
	server *Server
	conn   *smtp.Conn
	mail   Mail
	user   string
}

func (s *Server) session(conn *smtp.Conn) (smtp.Session, error) {
	return &session{server: s, conn: conn}, nil
}

func (s *session) AuthMechanisms() []string {
	switch {
	case s.server.options.User == "":
		return nil
	case len(s.server.options.Mechanisms) > 0:
		return s.server.options.Mechanisms
	default:
		return []string{sasl.Plain, sasl.Login}
	}
}

func (s *session) Auth(mechanism string) (sasl.Server, error) {
	if !slices.Contains(s.AuthMechanisms(), mechanism) {
		return nil, smtp.ErrAuthUnknownMechanism
	}
	if mechanism == sasl.Login {
		return &loginServer{check: s.check}, nil
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return s.check(user, password) }), nil
}

func (s *session) check(user, password string) error {
	if user != s.server.options.User || password != s.server.options.Password {
		return smtp.ErrAuthFailed
	}
	s.user = user
	return nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.options.User != "" && s.user == "" {
		return smtp.ErrAuthRequired
	}
	_, encrypted := s.conn.TLSConnectionState()
	s.mail = Mail{From: from, User: s.user, TLS: encrypted, Hello: s.conn.Hostname()}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if slices.Contains(s.server.options.Refused, to) {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	}
	s.mail.To = append(s.mail.To, to)
	return nil
}

// Data stores the mail before the reply is written, so that a reply that gets lost
// leaves a stored mail behind. A refused mail is not stored.
func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	fault := s.fault()
	s.mail.Data, s.mail.Unconfirmed = data, fault.hides()
	if !fault.stores() {
		return nil
	}
	s.server.update(func() {
		if c, ok := s.conn.Conn().(*conn); ok {
			at := len(s.server.messages)
			c.unread = func() { s.server.messages[at].Unconfirmed = true }
		}
		s.server.messages = append(s.server.messages, s.mail)
	})
	return nil
}

// fault returns the fault of the conversation; an encrypted one has none.
func (s *session) fault() Fault {
	if raw, ok := s.conn.Conn().(*conn); ok {
		return raw.fault()
	}
	return Fault{}
}

func (s *session) Reset() { s.mail = Mail{} }

func (s *session) Logout() error { return nil }

// loginServer is the server's side of AUTH LOGIN, which go-sasl no longer has.
type loginServer struct {
	check func(user, password string) error
	user  *string
}

func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	switch {
	case response == nil:
		return []byte("Username:"), false, nil
	case l.user == nil:
		user := string(response)
		l.user = &user
		return []byte("Password:"), false, nil
	case len(response) == 0:
		return nil, false, errors.New("no password")
	default:
		return nil, true, l.check(*l.user, string(response))
	}
}
