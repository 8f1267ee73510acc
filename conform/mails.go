package conform

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"slices"
	"strings"
	"sync"

	"frontdesk/contract"
)

// marks are the words of the requests of a run that may be mailed.
type marks struct {
	mu    sync.Mutex
	words []string
}

// mark is a word for a request that is sent for real.
func (p *probe) mark() string {
	word := newMark()
	p.run.marks.mu.Lock()
	defer p.run.marks.mu.Unlock()
	p.run.marks.words = append(p.run.marks.words, word)
	return word
}

func (m *marks) isIn(data []byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.words, func(word string) bool { return bytes.Contains(data, []byte(word)) })
}

// oneMail expects exactly one mail with a mark and returns it.
func (p *probe) oneMail(mark string) mail {
	found := p.run.options.Sink.await(p.run.ctx, mark)
	if len(found) != 1 {
		p.expected("exactly one mail at the mail sink", fmt.Sprintf("%d mails", len(found)))
	}
	return found[0]
}

// noMail expects that nothing with a mark has been mailed.
func (p *probe) noMail(mark string) {
	if found := p.run.options.Sink.with(mark); len(found) > 0 {
		p.expected("no mail at the mail sink", found[0].shown())
	}
}

// shownMail is how much of a mail a report shows.
const shownMail = 2000

func (m mail) shown() string {
	return cut(printable(strings.ReplaceAll(string(m.data), "\r\n", "\n")), shownMail)
}

// letter is a mail as a mail program reads it.
type letter struct {
	header        netmail.Header
	subject, text string
}

func (p *probe) open(m mail) letter {
	broken := func(err error) {
		p.expected("a mail that can be read", err.Error()+"\n"+m.shown())
	}
	message, err := netmail.ReadMessage(bytes.NewReader(m.data))
	if err != nil {
		broken(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
	if err != nil {
		broken(err)
	}
	text, err := io.ReadAll(decoded(message))
	if err != nil {
		broken(err)
	}
	return letter{message.Header, subject, strings.ReplaceAll(string(text), "\r\n", "\n")}
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

// mails are what was decided of the mail itself.
func mails() []Check {
	checks := []Check{
		{Section: "D.contact", Name: "mail-has-its-headers", Sends: 1, Mail: true,
			Says: "The mail: To the owner, From the configured address, Reply-To the requester, plain text, Message-ID and Date set.",
			Run: func(p *probe) {
				mark := p.mark()
				p.send(realSend(contract.PathContact, realJSON(mark, ""))).is(200)
				m := p.oneMail(mark)
				l := p.open(m)
				kind, _, _ := mime.ParseMediaType(l.header.Get("Content-Type"))
				reply, err := netmail.ParseAddress(l.header.Get("Reply-To"))
				if err != nil || reply.Address != mark+"@conform.example" || kind != "text/plain" || l.header.Get("Message-Id") == "" || l.header.Get("Date") == "" ||
					len(m.to) != 1 || l.header.Get("To") == "" || strings.Contains(l.header.Get("From"), mark) {
					p.expected("To, From, Reply-To "+mark+"@conform.example, text/plain, Message-ID and Date, and one recipient", m.shown())
				}
			}},
	}
	for _, nasty := range []struct{ name, who, business, message string }{
		{"plain", "Ada Lovelace", "Analytical Engines Ltd", "Hello there"},
		{"international", "Zoë 李 Ωμέγα", "Bäckerei Müller 🥐", "Grüße\n\tשלום \u202eabc\u202c\n"},
		{"dots", "Ada", "AE", "Hi\r\n.\r\nMAIL FROM:<eve@conform.example>\r\n..\r\n.x"},
		{"headers", `"Support" <support@conform.example>,`, "=?utf-8?q?Bcc:?= eve", "Bcc: eve@conform.example\nContent-Type: text/html\n\n<b>x</b>"},
		{"boundary", "a@b, c@d", strings.Repeat("Ä", 200), "--b\nFrom eve\n>From eve\n=3D= \n" + strings.Repeat("w", 1200)},
	} {
		checks = append(checks, Check{Section: "D.contact", Name: "mail-is-the-preview-" + nasty.name, Sends: 1, Mail: true,
			Says: "would_send has subject and text of the very mail that a real send makes, whatever is written in it.", Run: func(p *probe) {
				mark := p.mark()
				fields := `{"name":` + compact(nasty.who) + `,"business":` + compact(nasty.business) + `,"email":"` + mark + `@conform.example","message":` + compact(nasty.message)
				dry := p.send(postJSON(contract.PathContact, fields+`,"dry_run":true}`)).is(200)
				p.send(realSend(contract.PathContact, fields+`}`)).is(200)
				p.sameAs(p.oneMail(mark), dry)
			}})
	}
	return checks
}

// sameAs expects that a mail is the one that a dry run showed, to one recipient.
func (p *probe) sameAs(m mail, dry *answer) {
	l := p.open(m)
	want := strings.TrimRight(dry.text("would_send.text"), "\n")
	if l.subject != dry.text("would_send.subject") || strings.TrimRight(l.text, "\n") != want || len(m.to) != 1 || l.header["Bcc"] != nil || l.header["Cc"] != nil {
		p.expected("the subject "+dry.text("would_send.subject")+", one recipient, and the text\n"+want, "to "+strings.Join(m.to, " ")+"\n"+l.subject+"\n"+l.text)
	}
}
