package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"frontdesk/mailer"
)

// mail logs in to the mail server without sending, or writes to the folder of mails.
func (e *examination) mail(ctx context.Context) Finding {
	account := e.service.Mail.Now()
	err := account.Check(ctx, mailer.Message{From: account.From, To: account.To})
	if failure, isFailure := errors.AsType[*mailer.Error](err); isFailure {
		return failed(fmt.Sprintf("%s: %s: %v", account, failure.Stage, failure.Err), failure.Hint())
	}
	if err != nil {
		return failed(err.Error(), "")
	}
	if account.KeepsFiles() && !e.service.MailFixed {
		return warning(fmt.Sprintf("no mail server: mails are kept as files and reach no one (%s)", account),
			"Set up a mail server on the owner's pages under Mail, or with FRONTDESK_SMTP_URL.")
	}
	return ok(account.String() + " accepts mail, as far as a check without a mail can show")
}

// notifications asks the servers of the targets whether they answer. It sends none.
func (e *examination) notifications(ctx context.Context) Finding {
	if len(e.service.Notify) == 0 {
		return skipped("no target is set")
	}
	var reached, missed []string
	for _, target := range e.service.Notify {
		if err := target.Reach(ctx); err != nil {
			missed = append(missed, fmt.Sprintf("%s: %v", target, err))
		} else {
			reached = append(reached, target.String())
		}
	}
	if len(missed) > 0 {
		return failed(strings.Join(missed, "; "),
			"Check the address in FRONTDESK_NOTIFY_…, and whether a firewall blocks it for this machine. Mails do not "+
				"depend on it.")
	}
	if e.service.OwnerURL == "" {
		return warning(strings.Join(reached, "; "),
			"Notifications have no link: set FRONTDESK_OWNER_URL to the address of the owner's pages.")
	}
	return ok(strings.Join(reached, "; ") + "; frontdesk notify --test sends one")
}
