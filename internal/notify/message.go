package notify

import (
	"encoding/json"
	"strings"
	"time"

	"frontdesk/internal/i18n"
	"frontdesk/internal/records"
)

// Kind is what happened. The names are published: they are the types of the webhook.
type Kind string

const (
	InquiryAccepted Kind = "inquiry.accepted" // its mail was sent
	MailFailed      Kind = "mail.failed"      // the mail of an inquiry failed, or may not have arrived
	TrialStarted    Kind = "trial.started"
	ContentRefused  Kind = "content.refused"  // at a reload; the old content stays live
	QuestionsDigest Kind = "questions.digest" // once a week, if there were unanswered questions
	// CertificateEnding comes 14 days before the end of a certificate that was not renewed, or
	// when a quarter of its lifetime is left, if that is later.
	CertificateEnding Kind = "certificate.ending"
	BackupFailed      Kind = "backup.failed" // a daily backup
	Test              Kind = "test"
)

// facts are what a notification says beside its subject.
type facts struct {
	Revision   string `json:"revision,omitempty"` // of the refused content
	Faults     int    `json:"faults,omitempty"`
	Week       string `json:"week,omitempty"`       // ISO 8601, such as 2026-W47, whose Monday ends the week of the digest
	Unanswered int    `json:"unanswered,omitempty"` // questions of the week
	Open       int    `json:"open,omitempty"`       // unanswered questions in all
	Domain     string `json:"domain,omitempty"`     // of the certificate
	End        string `json:"end,omitempty"`        // of the certificate, RFC 3339
}

// Message is a notification as the targets send it.
type Message struct {
	ID   string // the same at every attempt
	Kind Kind
	Time time.Time // when it happened
	data
	words *i18n.Printer
}

// data is what the webhook carries as such, and the other targets as text.
type data struct {
	Inquiry   string `json:"inquiry,omitempty"`   // id
	Workspace string `json:"workspace,omitempty"` // id of a trial's
	facts
	Link string `json:"link,omitempty"` // to the owner's pages; empty without an address of them
}

// pages are the owner's pages that notifications link to.
var pages = map[Kind]string{
	InquiryAccepted: "inquiries/", MailFailed: "inquiries/", TrialStarted: "state", ContentRefused: "state",
	QuestionsDigest: "questions", CertificateEnding: "state", BackupFailed: "state", Test: "state",
}

// urgent reports whether a phone should make itself heard.
func (k Kind) urgent() bool {
	return k == MailFailed || k == ContentRefused || k == CertificateEnding || k == BackupFailed
}

// message makes the message of a stored notification in a language.
func message(row records.Notification, ownerURL, language string) Message {
	m := Message{ID: row.ID, Kind: Kind(row.Kind), Time: row.CreatedAt, words: i18n.For(language)}
	_ = json.Unmarshal([]byte(row.Data), &m.facts) // rows has written it; a test has none
	page := pages[m.Kind]
	switch m.Kind {
	case InquiryAccepted, MailFailed:
		m.Inquiry = row.Subject
		page += row.Subject
	case TrialStarted:
		m.Workspace = row.Subject
	}
	if ownerURL != "" {
		m.Link = ownerURL + page
	}
	return m
}

// title is the message in a few words.
func (m Message) title() string { return m.words.Text("notify.title." + string(m.Kind)) }

// text is the message for people, without its title.
func (m Message) text() string {
	var parts []string
	switch m.Kind {
	case InquiryAccepted, MailFailed, TrialStarted:
		parts = append(parts, m.Inquiry+m.Workspace)
	case ContentRefused:
		parts = append(parts, m.words.Text("notify.faults", m.Faults))
	case CertificateEnding:
		parts = append(parts, m.Domain, m.words.Text("notify.end", m.End))
	case QuestionsDigest:
		parts = append(parts, m.words.Text("notify.questions", m.Unanswered, m.Open))
	}
	parts = append(parts, m.Time.UTC().Format("2006-01-02 15:04 UTC"))
	return strings.TrimSpace(strings.Join(parts, ", ") + "\n" + m.Link)
}
