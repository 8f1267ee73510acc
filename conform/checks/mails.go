package checks

import (
	"mime"
	netmail "net/mail"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// mails returns the checks of the mail itself.
func mails() []conform.Check {
	checks := []conform.Check{
		needsMail(one("D.contact", "mail-has-its-headers", "The mail: To the owner, From the configured address, Reply-To the requester, plain text, Message-ID and Date set.",
			real(), isOK, func(a *conform.Answer) {
				p, mark := a.Probe, markOf(a.Request)
				m := p.OneMail(mark)
				l := p.OpenMail(m)
				kind, _, _ := mime.ParseMediaType(l.Header.Get("Content-Type"))
				reply, err := netmail.ParseAddress(l.Header.Get("Reply-To"))
				if err != nil || reply.Address != mark+"@conform.example" || kind != "text/plain" || l.Header.Get("Message-Id") == "" || l.Header.Get("Date") == "" ||
					len(m.To) != 1 || l.Header.Get("To") == "" || strings.Contains(l.Header.Get("From"), mark) {
					p.Fail("To, From, Reply-To "+mark+"@conform.example, text/plain, Message-ID and Date, and one recipient", m.Shown())
				}
			})),
	}
	for _, nasty := range []struct{ name, who, business, message string }{
		{"plain", "Ada Lovelace", "Analytical Engines Ltd", "Hello there"},
		{"international", "Zoë 李 Ωμέγα", "Bäckerei Müller 🥐", "Grüße\n\tשלום \u202eabc\u202c\n"},
		{"dots", "Ada", "AE", "Hi\r\n.\r\nMAIL FROM:<eve@conform.example>\r\n..\r\n.x"},
		{"headers", `"Support" <support@conform.example>,`, "=?utf-8?q?Bcc:?= eve", "Bcc: eve@conform.example\nContent-Type: text/html\n\n<b>x</b>"},
		{"boundary", "a@b, c@d", strings.Repeat("Ä", 200), "--b\nFrom eve\n>From eve\n=3D= \n" + strings.Repeat("w", 1200)},
	} {
		checks = append(checks, conform.Check{Section: "D.contact", Name: "mail-is-the-preview-" + nasty.name, Sends: 1, NeedsMail: true,
			Sentence: "would_send has subject and text of the mail that a real send makes, with any text in it.", Run: func(p *conform.Probe) {
				mark := p.RealMark()
				fields := `{"name":` + conform.EncodeJSON(nasty.who) + `,"business":` + conform.EncodeJSON(nasty.business) + `,"email":"` + mark + `@conform.example","message":` + conform.EncodeJSON(nasty.message)
				dry := p.Send(conform.PostJSON(contract.PathContact, fields+`,"dry_run":true}`), isOK)
				p.Send(realSend(contract.PathContact, fields+`}`), isOK)
				p.SameMail(p.OneMail(mark), dry)
			}})
	}
	return checks
}
