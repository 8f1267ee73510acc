package conform

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

// Sink is a mail server for the service under check. It keeps the mails that it receives,
// and refuses a mail if a check wants the delivery to fail.
type Sink struct {
	listener net.Listener
	server   *smtp.Server

	mu      sync.Mutex
	mails   []Mail
	kept    int      // bytes of the mails
	refused []string // marks of mails to refuse
}

// Mail is a message that the sink has accepted or refused.
type Mail struct {
	To      []string // of the envelope
	data    []byte   // header and body as received
	refused bool
}

// Bounds of what the sink keeps: a service that is broken may send without an end.
const (
	maxMail       = 1 << 20  // bytes of a mail
	maxMails      = 64 << 20 // bytes of all mails
	envelope      = 1 << 10  // bytes that are counted for a mail beside its text
	maxRecipients = 10       // of a mail
)

// ListenMail starts a sink at an address such as 127.0.0.1:2525. Close ends it.
func ListenMail(address string) (*Sink, error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Sink{listener: listener}
	s.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &delivery{sink: s}, nil }))
	s.server.Domain = "conform.invalid"
	s.server.MaxMessageBytes, s.server.MaxRecipients = maxMail, maxRecipients
	s.server.ReadTimeout, s.server.WriteTimeout = defaultTimeout, defaultTimeout
	s.server.ErrorLog = log.New(io.Discard, "", 0)
	go func() { _ = s.server.Serve(listener) }() // ends with Close
	return s, nil
}

// URL is the sink's address as FRONTDESK_SMTP_URL takes it.
func (s *Sink) URL() string { return "smtp://" + s.listener.Addr().String() }

// Close stops the sink.
func (s *Sink) Close() error {
	err := s.server.Close()
	_ = s.listener.Close() // if Serve has not started yet
	return err
}

// Refuse makes the sink refuse every later mail that contains the mark, until Allow.
func (s *Sink) Refuse(mark string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = append(s.refused, mark)
}

// Allow ends a Refuse.
func (s *Sink) Allow(mark string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = slices.DeleteFunc(s.refused, func(refused string) bool { return refused == mark })
}

// Holding returns the accepted mails that contain a text.
func (s *Sink) Holding(text string) []Mail { return s.find(text, false) }

// Refused returns the refused mails that contain a text.
func (s *Sink) Refused(text string) []Mail { return s.find(text, true) }

func (s *Sink) find(text string, refused bool) (found []Mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.mails {
		if m.refused == refused && bytes.Contains(m.data, []byte(text)) {
			found = append(found, m)
		}
	}
	return found
}

// arrival is how long a mail may take to arrive after the service has answered.
const arrival = 5 * time.Second

// await waits until there is a mail that contains a text and returns all of them.
func (s *Sink) await(ctx context.Context, text string) []Mail {
	ctx, cancel := context.WithTimeout(ctx, arrival)
	defer cancel()
	for {
		if found := s.Holding(text); len(found) > 0 {
			return found
		}
		if wait(ctx, 10*time.Millisecond) != nil {
			return nil
		}
	}
}

// take accepts or refuses a mail.
func (s *Sink) take(m Mail) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept += len(m.data) + envelope; s.kept > maxMails {
		return &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 3, 1}, Message: "the check has received too many mails"}
	}
	m.refused = slices.ContainsFunc(s.refused, func(mark string) bool { return bytes.Contains(m.data, []byte(mark)) })
	s.mails = append(s.mails, m)
	if m.refused {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "refused by the check"}
	}
	return nil
}

// delivery is one SMTP session.
type delivery struct {
	sink *Sink
	to   []string
}

func (d *delivery) Mail(string, *smtp.MailOptions) error { return nil }

func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error {
	d.to = append(d.to, to)
	return nil
}

func (d *delivery) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return d.sink.take(Mail{To: d.to, data: data})
}

func (d *delivery) Reset() { d.to = nil }

func (d *delivery) Logout() error { return nil }
