package conform

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"mime"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"slices"
	"strings"
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
	refused []string // marks of mails to refuse
}

// Mail is a message that the sink has accepted or refused.
type Mail struct {
	To      []string // of the envelope
	Data    []byte   // header and body as received
	refused bool
}

// maxMail is the largest mail that the sink takes, in bytes.
const maxMail = 64 << 10

// ListenMail starts a sink at an address such as 127.0.0.1:2525. Close ends it.
func ListenMail(address string) (*Sink, error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Sink{listener: listener}
	s.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &delivery{sink: s}, nil }))
	s.server.Domain = "conform.invalid"
	s.server.MaxMessageBytes = maxMail
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

// Mails returns the mails that contain a text: the accepted or the refused ones.
func (s *Sink) Mails(text string, refused bool) (found []Mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.mails {
		if m.refused == refused && m.Contains(text) {
			found = append(found, m)
		}
	}
	return found
}

// Contains reports whether the mail, as it was received, contains a text.
func (m Mail) Contains(text string) bool { return bytes.Contains(m.Data, []byte(text)) }

// arrival is how long a mail may take to arrive after the service has answered.
const arrival = 5 * time.Second

// await waits until there is a mail that contains a text and returns all of them.
func (s *Sink) await(ctx context.Context, text string) []Mail {
	ctx, cancel := context.WithTimeout(ctx, arrival)
	defer cancel()
	for {
		if found := s.Mails(text, false); len(found) > 0 {
			return found
		}
		if wait(ctx, 10*time.Millisecond) != nil {
			return nil
		}
	}
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

// Data accepts or refuses a mail.
func (d *delivery) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s := d.sink
	s.mu.Lock()
	defer s.mu.Unlock()
	m := Mail{To: d.to, Data: data}
	m.refused = slices.ContainsFunc(s.refused, m.Contains)
	s.mails = append(s.mails, m)
	if m.refused {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "refused by the check"}
	}
	return nil
}

func (d *delivery) Reset() { d.to = nil }

func (d *delivery) Logout() error { return nil }

// OneMail expects exactly one mail with a mark and returns it.
func (p *Probe) OneMail(mark string) Mail {
	found := p.Options.Sink.await(p.run.ctx, mark)
	if len(found) != 1 {
		p.Fail("exactly one mail at the mail sink", fmt.Sprintf("%d mails", len(found)))
	}
	return found[0]
}

// shownMail is how much of a mail a report shows.
const shownMail = 2000

// Shown returns the beginning of the mail for a report.
func (m Mail) Shown() string {
	return shown(m.Data, shownMail)
}

// Message is a mail as a mail program reads it.
type Message struct {
	Header        netmail.Header
	subject, text string
}

// OpenMail parses a mail. It fails the check if the mail cannot be read.
func (p *Probe) OpenMail(m Mail) Message {
	cannotRead := func(err error) {
		if err != nil {
			p.Fail("a mail that can be read", err.Error()+"\n"+m.Shown())
		}
	}
	message, err := netmail.ReadMessage(bytes.NewReader(m.Data))
	cannotRead(err)
	subject, err := new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
	cannotRead(err)
	body := message.Body
	switch strings.ToLower(message.Header.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	cannotRead(err)
	return Message{message.Header, subject, strings.ReplaceAll(string(text), "\r\n", "\n")}
}

// GoesTo reports whether the mail goes to the addresses of its header To, and to no others.
func (m Mail) GoesTo(header netmail.Header) bool {
	list, _ := header.AddressList("To")
	var named []string
	for _, to := range list {
		named = append(named, to.Address)
	}
	return slices.Equal(slices.Sorted(slices.Values(named)), slices.Sorted(slices.Values(m.To)))
}

// SameMail expects that a mail is the mail of a dry run's preview, and goes to the recipients that it names.
func (p *Probe) SameMail(m Mail, dry *Answer) {
	opened, subject, text := p.OpenMail(m), dry.Text("would_send.subject"),
		strings.TrimRight(dry.Text("would_send.text"), "\n")
	if opened.subject != subject || strings.TrimRight(opened.text, "\n") != text || !m.GoesTo(opened.Header) ||
		opened.Header["Bcc"] != nil || opened.Header["Cc"] != nil {
		p.Fail("the subject "+subject+", the recipients of To, and the text\n"+text, "to "+strings.Join(m.To, " ")+"\n"+
			opened.subject+"\n"+opened.text)
	}
}
