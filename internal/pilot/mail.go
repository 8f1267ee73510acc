package pilot

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/payload"
	"frontdesk/mailer"
)

// Addresses are the two ends of the mail, both the owner's own: nothing that a
// caller writes becomes a sender or a recipient.
type Addresses struct {
	From, To string
}

// compose makes the mail of a request without the parts in which two mails of one
// request differ: its Message-ID and its date.
func compose(request contract.PilotRequest, at Addresses, baseURL string) mailer.Message {
	return mailer.Message{
		From:    at.From,
		To:      at.To,
		ReplyTo: request.Email,
		Subject: mailer.CleanSubject("Pilot request from " + request.Business),
		Text:    text(request, baseURL),
	}
}

// aroundFields is room for the words of a mail around what the caller wrote.
const aroundFields = 160

// text is what the owner reads.
func text(request contract.PilotRequest, baseURL string) string {
	var b strings.Builder
	b.Grow(len(baseURL) + len(request.Name) + len(request.Business) + 2*len(request.Email) +
		len(request.Phone) + len(request.Segment) + len(request.Message) + aroundFields)
	write := func(parts ...string) {
		for _, part := range parts {
			b.WriteString(part)
		}
	}
	write("A pilot request came in through ", baseURL, ".\n\n")
	for _, row := range [...]struct{ label, value string }{
		{"Name:     ", request.Name},
		{"Business: ", request.Business},
		{"E-mail:   ", request.Email},
		{"Phone:    ", request.Phone},
		{"Segment:  ", request.Segment},
	} {
		if row.value != "" {
			write(row.label, row.value, "\n")
		}
	}
	write("\n", request.Message, "\n\n-- \nReply to this mail to answer ", request.Email, ".\n")
	return b.String()
}

// digest identifies the mail of a dry run by everything that its reader would see.
func digest(m mailer.Message) string {
	sum := sha256.Sum256(payload.JSON([]string{m.From, m.To, m.ReplyTo, m.Subject, m.Text}))
	return hex.EncodeToString(sum[:])
}
