package mailtest

import (
	"bytes"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"testing"
)

// Mail is one mail as the server stored it.
type Mail struct {
	From  string   // of the envelope
	To    []string // of the envelope
	Data  []byte   // header and body as they came over the wire
	User  string   // that had logged in
	TLS   bool     // whether it came encrypted
	Hello string   // the name in the client's EHLO

	Unconfirmed bool // the client does not know that the mail was stored: a fault hid it, or it gave up waiting
}

// Read parses the mail and returns its header, and its text with \n as line breaks.
func (m Mail) Read(t testing.TB) (netmail.Header, string) {
	t.Helper()
	message, err := netmail.ReadMessage(bytes.NewReader(m.Data))
	if err != nil {
		t.Fatalf("the mail cannot be read: %v\n%s", err, m.Data)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(message.Body))
	if err != nil {
		t.Fatalf("the text cannot be read: %v\n%s", err, m.Data)
	}
	text = bytes.TrimSuffix(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"))
	return message.Header, string(text)
}

// Subject is the decoded subject.
func (m Mail) Subject(t testing.TB) string {
	t.Helper()
	header, _ := m.Read(t)
	subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
	if err != nil {
		t.Fatalf("the subject cannot be decoded: %v", err)
	}
	return subject
}
