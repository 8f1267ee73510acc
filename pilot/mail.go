package pilot

import (
	"fmt"
	"strings"

	"frontdesk/contract"
	"frontdesk/mailer"
	"frontdesk/payload"
)

// Addresses are the two ends of the mail, both the owner's own: nothing that a
// caller writes becomes a sender or a recipient.
type Addresses struct {
	From, To string
}

// compose makes the mail of a request, all but what tells two mails of one
// request apart: its Message-ID and its date.
func compose(request contract.PilotRequest, at Addresses, baseURL string) mailer.Message {
	return mailer.Message{
		From:    at.From,
		To:      at.To,
		ReplyTo: request.Email,
		Subject: mailer.CleanSubject("Pilot request from " + request.Business),
		Text:    text(request, baseURL),
	}
}

// text is what the owner reads.
func text(request contract.PilotRequest, baseURL string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A pilot request came in through %s.\n\n", baseURL)
	for _, row := range []struct{ label, value string }{
		{"Name", request.Name},
		{"Business", request.Business},
		{"E-mail", request.Email},
		{"Phone", request.Phone},
		{"Segment", request.Segment},
	} {
		if row.value != "" {
			fmt.Fprintf(&b, "%-9s %s\n", row.label+":", row.value)
		}
	}
	fmt.Fprintf(&b, "\n%s\n\n-- \nReply to this mail to answer %s.\n", request.Message, request.Email)
	return b.String()
}

// digest names the mail of a dry run by all that a reader of it would see.
func digest(m mailer.Message) string {
	return hash(payload.JSON([]string{m.From, m.To, m.ReplyTo, m.Subject, m.Text}))
}
