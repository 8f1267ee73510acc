package mailer

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	netmail "net/mail"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wneessen/go-mail"

	"frontdesk/contract"
)

// Message is one plain-text mail with one sender and at least one recipient.
type Message struct {
	ID   string // Message-ID without its angle brackets
	From string // address of the settings, see ParseAddress
	To   string // addresses of the settings, see ParseRecipients
	// ReplyName is the name of the requester, who may have written anything; may be empty.
	ReplyName string
	ReplyTo   string // plain address of the requester, held to contract.ValidAddress; may be empty
	Subject   string // written as CleanSubject makes it
	Text      string // any text; its line breaks go out as CRLF
	Date      time.Time
}

// messageIDForm is the part of RFC 5322 3.6.4 that we write ourselves: two dot-atoms.
var messageIDForm = regexp.MustCompile(`^[A-Za-z0-9._-]+@[A-Za-z0-9._-]+$`)

// lineBreaks makes every line break a single line feed before the text is encoded:
// mime/quotedprintable loses a line feed that comes anywhere after a lone carriage
// return.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Bytes formats the mail by RFC 5322: one part, text/plain in UTF-8, quoted-printable,
// and only the headers of the fields. It does not reveal the name or version of our
// software or the name of our host.
func (m Message) Bytes() ([]byte, error) {
	msg, err := m.build()
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if _, err := msg.WriteTo(&buf); err != nil {
		return nil, err
	}
	// SMTP ends the last line in any case (RFC 5321 4.1.1.4), so the file does too.
	if !bytes.HasSuffix(buf.Bytes(), []byte("\r\n")) {
		buf.WriteString("\r\n")
	}
	return buf.Bytes(), nil
}

// build refuses what the library would accept or fill in without asking.
func (m Message) build() (*mail.Msg, error) {
	envelope, err := m.envelope()
	switch {
	case !messageIDForm.MatchString(m.ID):
		return nil, fmt.Errorf("message id %q is not of the form local@domain", m.ID)
	case m.Date.IsZero():
		return nil, errors.New("the message has no date")
	case m.ReplyTo != "" && !contract.ValidAddress(m.ReplyTo):
		return nil, errors.New("the reply address is not a plain ASCII address")
	case err != nil:
		return nil, err
	}
	msg := mail.NewMsg(
		mail.WithNoDefaultUserAgent(),
		mail.WithCharset(mail.CharsetUTF8),
		mail.WithEncoding(mail.EncodingQP),
	)
	err = msg.From(envelope.from.String())
	for _, recipient := range envelope.to {
		err = errors.Join(err, msg.AddTo(recipient.String()))
	}
	if m.ReplyTo != "" {
		reply, encoded := netmail.Address{Name: CleanSubject(m.ReplyName), Address: m.ReplyTo}, ""
		// netmail may leave a backslash in an encoded name; strict readers reject such an address.
		if name := headerText(reply.Name); name != reply.Name {
			reply.Name, encoded = "", name+" "
		}
		msg.SetGenHeader(mail.Header(mail.HeaderReplyTo), encoded+reply.String())
	}
	msg.SetMessageIDWithValue(m.ID)
	msg.SetDateWithValue(m.Date)
	msg.Subject(headerText(CleanSubject(m.Subject)))
	msg.SetBodyString(mail.TypeTextPlain, lineBreaks.Replace(m.Text))
	return msg, err
}

// envelope holds the addresses of the sender and of the recipients.
type envelope struct {
	from *netmail.Address
	to   []*netmail.Address
}

func (m Message) envelope() (e envelope, err error) {
	if e.from, err = ParseAddress(m.From); err == nil {
		e.to, err = ParseRecipients(m.To)
	}
	return e, err
}

// ownAddress is the form of an address of the settings: a dot-atom that may contain letters of any script
// (RFC 6531), and an ASCII host, which may be a name without a dot, such as owner@localhost on a machine with
// its own mail server. Nothing in it can end an SMTP command.
var ownAddress = regexp.MustCompile("^[\\pL\\pM\\pN.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$")

// makeOwn gives an address its form for SMTP, in which the domain is ASCII.
func makeOwn(address *netmail.Address) error {
	local, host, _ := strings.Cut(address.Address, "@")
	host, err := contract.ASCIIHost(host)
	if err != nil || !ownAddress.MatchString(local+"@"+host) {
		return notAddress(address.Address)
	}
	address.Address = local + "@" + host
	// netmail may leave a backslash in an encoded name; strict readers reject such an address.
	if _, err := netmail.ParseAddress(address.String()); err != nil {
		return fmt.Errorf("mail cannot carry the name %q of %s: remove the backslash", address.Name, address.Address)
	}
	return nil
}

func notAddress(s string) error {
	return fmt.Errorf("%q is not an e-mail address such as desk@example.org", s)
}

// ParseAddress reads an address of the owner's settings: plain, or with a display
// name as in `Front desk <desk@example.org>`.
func ParseAddress(s string) (*netmail.Address, error) {
	address, err := netmail.ParseAddress(s)
	if err != nil {
		return nil, notAddress(s)
	}
	return address, makeOwn(address)
}

// ParseRecipients reads the addresses of the owner's settings to which mails go: one, or
// several with commas between them.
func ParseRecipients(s string) ([]*netmail.Address, error) {
	addresses, err := netmail.ParseAddressList(s)
	if err != nil {
		return nil, fmt.Errorf("%w, or several with commas between them", notAddress(s))
	}
	for _, address := range addresses {
		if err := makeOwn(address); err != nil {
			return nil, err
		}
	}
	return addresses, nil
}

// MessageID returns the Message-ID of the mail about a record, in the domain of the
// sender. It is always the same for one record.
func MessageID(recordID, from string) string {
	host := "invalid" // RFC 2606; a sender that cannot be parsed fails at the start already
	if address, err := ParseAddress(from); err == nil {
		host = domain(address.Address)
	}
	return recordID + "@" + host
}

// CleanSubject returns the subject as a mail carries it: one line, with control
// characters and runs of white space as single spaces. Folding a header (RFC 5322
// 2.2.3) keeps no more than that, so what a preview shows is what arrives.
func CleanSubject(s string) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return strings.Join(words, " ")
}

const (
	// encodedMark opens an encoded word (RFC 2047 2).
	encodedMark = "=?"
	// maxPlain keeps a header without a place to fold below the 998 characters of
	// RFC 5322 2.1.1.
	maxPlain = 900
	// chunk is how many bytes of text an encoded word holds, in base64. "Subject: " and
	// the first word fit in a line as go-mail folds it (76 characters, RFC 2047 2), so
	// the subject starts on its header line: some readers show it as empty otherwise.
	chunk = 36
)

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// headerText encodes what a header cannot hold as it is: text beyond ASCII, text that
// looks like an encoded word, and words too long for a line. Other text is returned
// unchanged.
func headerText(s string) string {
	if !strings.Contains(s, encodedMark) && len(s) <= maxPlain && isASCII(s) {
		return s
	}
	var words []string
	for len(s) > 0 {
		cut := min(chunk, len(s))
		for cut < len(s) && !utf8.RuneStart(s[cut]) {
			cut--
		}
		words = append(words, encodedMark+"utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(s[:cut]))+"?=")
		s = s[cut:]
	}
	return strings.Join(words, " ")
}
