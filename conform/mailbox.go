package conform

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"slices"
	"strings"
)

// NewMark returns a unique word that identifies a request and its mail.
func NewMark() string { return "c" + strings.ToLower(rand.Text()) }

// RealMark returns a mark for a request that is sent for real, for final checks.
func (p *Probe) RealMark() string {
	mark := NewMark()
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	p.run.marks = append(p.run.marks, mark)
	return mark
}

// OneMail expects exactly one mail with a mark and returns it.
func (p *Probe) OneMail(mark string) Mail {
	found := p.run.options.Sink.await(p.run.ctx, mark)
	if len(found) != 1 {
		p.Fail("exactly one mail at the mail sink", fmt.Sprintf("%d mails", len(found)))
	}
	return found[0]
}

// NoMail expects that no mail with the mark was sent.
func (p *Probe) NoMail(mark string) {
	if found := p.run.options.Sink.Holding(mark); len(found) > 0 {
		p.Fail("no mail at the mail sink", found[0].Shown())
	}
}

// shownMail is how much of a mail a report shows.
const shownMail = 2000

// Shown returns the beginning of the mail for a report.
func (m Mail) Shown() string {
	return cut(printable(strings.ReplaceAll(string(m.data), "\r\n", "\n")), shownMail)
}

// Message is a mail as a mail program reads it.
type Message struct {
	Header        netmail.Header
	subject, text string
}

// OpenMail parses a mail. It fails the check if the mail cannot be read.
func (p *Probe) OpenMail(m Mail) Message {
	opened, err := m.open()
	if err != nil {
		p.Fail("a mail that can be read", err.Error()+"\n"+m.Shown())
	}
	return opened
}

func (m Mail) open() (Message, error) {
	message, err := netmail.ReadMessage(bytes.NewReader(m.data))
	if err != nil {
		return Message{}, err
	}
	subject, subjectErr := new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
	text, textErr := io.ReadAll(decoded(message))
	return Message{message.Header, subject, strings.ReplaceAll(string(text), "\r\n", "\n")}, errors.Join(subjectErr, textErr)
}

func decoded(message *netmail.Message) io.Reader {
	switch strings.ToLower(message.Header.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		return quotedprintable.NewReader(message.Body)
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, message.Body)
	}
	return message.Body
}

// SameMail expects that a mail is the mail of a dry run's preview, to one recipient.
func (p *Probe) SameMail(m Mail, dry *Answer) {
	l := p.OpenMail(m)
	want := strings.TrimRight(dry.Text("would_send.text"), "\n")
	if l.subject != dry.Text("would_send.subject") || strings.TrimRight(l.text, "\n") != want || len(m.To) != 1 || l.Header["Bcc"] != nil || l.Header["Cc"] != nil {
		p.Fail("the subject "+dry.Text("would_send.subject")+", one recipient, and the text\n"+want, "to "+strings.Join(m.To, " ")+"\n"+l.subject+"\n"+l.text)
	}
}

// IsFromRealSend reports whether a mail belongs to a request that this run sent for real.
func (p *Probe) IsFromRealSend(m Mail) bool {
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	return slices.ContainsFunc(p.run.marks, func(mark string) bool { return bytes.Contains(m.data, []byte(mark)) })
}
