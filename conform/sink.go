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

// Sink is a mail server that keeps what it is sent, for the service under check to
// be set to. It refuses a mail when a check wants the delivery to fail.
type Sink struct {
	listener net.Listener
	server   *smtp.Server

	mu      sync.Mutex
	mails   []mail
	away    []mail        // those refused
	refused []string      // marks: a mail that holds one is refused
	changed chan struct{} // closed and replaced at every mail
}

// mail is one that the sink has taken.
type mail struct {
	to   []string // of the envelope
	data []byte   // header and body as they came
}

// ListenMail starts a sink at an address such as 127.0.0.1:2525. Close ends it.
func ListenMail(address string) (*Sink, error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Sink{listener: listener, changed: make(chan struct{})}
	s.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &delivery{sink: s}, nil }))
	s.server.Domain = "conform.invalid"
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
	_ = s.listener.Close() // Serve may not have known it yet
	return err
}

// refuse makes every later mail that holds a mark be refused, until allow.
func (s *Sink) refuse(mark string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = append(s.refused, mark)
}

func (s *Sink) allow(mark string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = slices.DeleteFunc(s.refused, func(refused string) bool { return refused == mark })
}

// with are the mails taken so far that hold a text.
func (s *Sink) with(text string) []mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return holding(s.mails, text)
}

// turnedAway are the mails refused so far that hold a text.
func (s *Sink) turnedAway(text string) []mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return holding(s.away, text)
}

func holding(mails []mail, text string) []mail {
	var found []mail
	for _, m := range mails {
		if bytes.Contains(m.data, []byte(text)) {
			found = append(found, m)
		}
	}
	return found
}

// arrival is how long a mail may take after it was said to be sent.
const arrival = 5 * time.Second

// await returns the mails that hold a text once there is one.
func (s *Sink) await(ctx context.Context, text string) []mail {
	ctx, cancel := context.WithTimeout(ctx, arrival)
	defer cancel()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if found := s.with(text); len(found) > 0 {
			return found
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// take keeps a mail, or refuses it.
func (s *Sink) take(m mail) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, mark := range s.refused {
		if bytes.Contains(m.data, []byte(mark)) {
			s.away = append(s.away, m)
			return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "refused by the check"}
		}
	}
	s.mails = append(s.mails, m)
	close(s.changed)
	s.changed = make(chan struct{})
	return nil
}

// delivery is one conversation, as go-smtp asks for it.
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
	return d.sink.take(mail{d.to, data})
}

func (d *delivery) Reset() { d.to = nil }

func (d *delivery) Logout() error { return nil }
