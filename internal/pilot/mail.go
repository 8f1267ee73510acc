package pilot

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
	"frontdesk/internal/payload"
	"frontdesk/mailer"
)

// Wording is the language of the mails, its tone, and the name of a pilot request in it.
// The zero Wording is English.
type Wording struct {
	Language string
	Tone     string // empty for what is usual in the language
	Request  string // empty for the usual word of the language
}

// compose makes the mail of a request without its Message-ID and its date, which only a
// stored inquiry has.
func (r *Requests) compose(request contract.PilotRequest) mailer.Message {
	wording := r.Wording()
	words := i18n.WithTone(wording.Language, wording.Tone)
	name := cmp.Or(wording.Request, words.Text("request.name"))
	account := r.Mail()
	return mailer.Message{
		From:      account.From,
		To:        account.To,
		ReplyName: request.Name,
		ReplyTo:   request.Email,
		Subject:   mailer.CleanSubject(words.Text("mail.subject", name, contract.Sender(request.Name, request.Business))),
		Text:      text(request, r.BaseURL, words),
	}
}

// text is the body of the mail.
func text(request contract.PilotRequest, baseURL string, words *i18n.Printer) string {
	business := request.Business
	if business == contract.NoBusiness {
		business = ""
	}
	return words.Text("mail.came", baseURL) + "\n\n" + table(
		row{words.Text("mail.name"), request.Name},
		row{words.Text("mail.business"), business},
		row{words.Text("mail.email"), request.Email},
		row{words.Text("mail.phone"), request.Phone},
		row{words.Text("mail.segment"), request.Segment},
	) + "\n" + request.Message + "\n\n-- \n" + words.Text("mail.reply", request.Email) + "\n"
}

type row struct{ label, value string }

// table returns the rows that have a value as text, with the values in one column.
func table(rows ...row) string {
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.value == "" })
	width := 0
	for _, r := range rows {
		width = max(width, utf8.RuneCountInString(r.label))
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r.label + ": " + strings.Repeat(" ", width-utf8.RuneCountInString(r.label)) + r.value + "\n")
	}
	return b.String()
}

// digest identifies the mail of a dry run by everything that its reader sees.
func digest(m mailer.Message) string {
	sum := sha256.Sum256(payload.JSON([]string{m.From, m.To, m.ReplyTo, m.Subject, m.Text}))
	return hex.EncodeToString(sum[:])
}
