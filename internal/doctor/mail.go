package doctor

import (
	"context"
	"errors"
	"fmt"

	"frontdesk/mailer"
)

// mail logs in to the mail server without sending, or writes to the folder of mails.
func (e *examination) mail(ctx context.Context) Finding {
	if e.service.Mail == nil || e.service.MailFrom == "" || e.service.MailTo == "" {
		return skipped("the settings of mail are wrong")
	}
	err := e.service.Mail.Check(ctx, e.service.MailFrom)
	if failure, isFailure := errors.AsType[*mailer.Error](err); isFailure {
		return failed(fmt.Sprintf("%s: %s: %v", e.service.Mail, failure.Stage, failure.Err), failure.Hint())
	}
	if err != nil {
		return failed(err.Error(), "")
	}
	if e.service.MailUnset {
		return warning(fmt.Sprintf("no mail server: mails are kept as files and reach no one (%s)", e.service.Mail), "Set FRONTDESK_SMTP_URL to a mail server.")
	}
	return ok("%s accepts mail, as far as a check without a mail can show", e.service.Mail)
}
