package pilot

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
	"frontdesk/mailer"
)

// Wording is the language of the mails, its tone, and the name of a pilot request in it.
// The zero Wording is English.
type Wording struct {
	Language string
	Tone     string // empty for what is usual in the language
	Request  string // empty for the usual word of the language
}

// compose returns the subject and the text of the mail of a request.
func (r *Requests) compose(request contract.PilotRequest) (subject, text string) {
	wording := r.Wording()
	words := i18n.WithTone(wording.Language, wording.Tone)
	name := cmp.Or(wording.Request, words.Text("request.name"))
	subject = words.Text("mail.subject", name, contract.Sender(request.Name, request.Business))
	business := request.Business
	if business == contract.NoBusiness {
		business = ""
	}
	text = words.Text("mail.came", r.BaseURL) + "\n\n" + table(
		row{words.Text("mail.name"), request.Name},
		row{words.Text("mail.business"), business},
		row{words.Text("mail.email"), request.Email},
		row{words.Text("mail.phone"), request.Phone},
		row{words.Text("mail.segment"), request.Segment},
	) + "\n" + request.Message + "\n\n-- \n" + words.Text("mail.reply", request.Email) + "\n"
	return mailer.CleanSubject(subject), text
}

type row struct{ label, value string }

// table returns the rows that have a value as text, with the values in one column.
func table(rows ...row) string {
	var text strings.Builder
	columns := tabwriter.NewWriter(&text, 0, 0, 1, ' ', 0)
	for _, r := range rows {
		if r.value != "" {
			fmt.Fprintf(columns, "%s:\t%s\n", r.label, r.value)
		}
	}
	_ = columns.Flush() // to memory
	return text.String()
}
