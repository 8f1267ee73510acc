package workspace

import (
	"fmt"
	"strings"

	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// mail is what the owner reads of a started trial.
func (n *Notice) mail(draft records.Workspace) mailer.Message {
	return mailer.Message{
		ID:      mailer.MessageID(draft.ID, n.From),
		From:    n.From,
		To:      n.To,
		ReplyTo: draft.Email,
		Subject: mailer.CleanSubject("Trial started by " + draft.Business),
		Text:    text(draft),
		Date:    draft.CreatedAt,
	}
}

func text(draft records.Workspace) string {
	var b strings.Builder
	b.WriteString("A trial was started. A draft workspace is stored; it has no account and nothing live.\n\n")
	for _, row := range []struct{ label, value string }{
		{"Workspace", draft.ID},
		{"Business", draft.Business},
		{"E-mail", draft.Email},
		{"Name", draft.Name},
		{"Segment", draft.Segment},
	} {
		if row.value != "" {
			fmt.Fprintf(&b, "%-11s %s\n", row.label+":", row.value)
		}
	}
	fmt.Fprintf(&b, "\n-- \nReply to this mail to answer %s.\n", draft.Email)
	return b.String()
}
