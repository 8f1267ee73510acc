package outbox

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// Subjects of the notices to the owner, of each of which one is sent in a day.
const (
	noticeSends      = "sends"
	noticeQuarantine = "quarantine"
)

// reminderInterval is how often RemindOfQuarantine looks.
const reminderInterval = time.Hour

// Quarantine stores an inquiry that looks like spam. It is not mailed, and not counted against the limit of the day, before its owner asks
// for that with Resend. The owner gets a notice at the first one of a day. The errors
// are those of Deliver.
func (o *Outbox) Quarantine(ctx context.Context, inquiry records.Inquiry) error {
	inquiry.State = records.Quarantined
	if err := o.add(context.WithoutCancel(ctx), inquiry, records.Key{}, nil); err != nil {
		return contract.Internal(err)
	}
	o.config.Log.Info().Str("inquiry", inquiry.ID).Msg("a request that looks like spam is in quarantine")
	o.notices.Go(func() { o.noticeQuarantine(context.WithoutCancel(ctx), inquiry.From, inquiry.To) })
	return nil
}

// RemindOfQuarantine sends the owner, until ctx ends, a notice on the day after a
// request was quarantined and left there: the notice of its own day may have been sent
// before it came.
func (o *Outbox) RemindOfQuarantine(ctx context.Context) {
	for {
		o.remind(ctx, time.Now())
		if !pause(ctx, reminderInterval) {
			return
		}
	}
}

func (o *Outbox) remind(ctx context.Context, now time.Time) {
	today := now.UTC().Truncate(24 * time.Hour)
	left, err := o.config.Store.Inquiries(ctx, records.InquiryQuery{
		States: []records.State{records.Quarantined}, Since: today.AddDate(0, 0, -1), Before: today, Page: records.Page{Limit: 1},
	})
	if err == nil && len(left) > 0 {
		o.noticeQuarantine(ctx, left[0].From, left[0].To)
	}
}

// noticeQuarantine mails the owner how many requests are in quarantine, once a day.
func (o *Outbox) noticeQuarantine(ctx context.Context, from, to string) {
	sent, err := o.notice(ctx, noticeQuarantine, from, to, func(quarantined int) (subject, text string) {
		return fmt.Sprintf("In quarantine, because they look like spam: %d", quarantined),
			"A program seems to have filled in the contact form: a field that people do not see was filled in, too. Such requests are stored and not mailed, and this notice comes once a day at most.\n\n" + quarantineLine(quarantined)
	})
	if sent || err != nil {
		o.config.Log.Info().AnErr("notice", err).Msg("the owner gets a notice of requests in quarantine")
	}
}

// quarantineLine is in every notice.
func quarantineLine(quarantined int) string {
	return fmt.Sprintf("Requests in quarantine, because they look like spam: %d. \"frontdesk inquiries --quarantined\" lists them, \"frontdesk inquiries --resend ID\" mails one.\n", quarantined)
}

// notice mails the owner about a subject, unless an instance did so today. write gets
// how many inquiries are in quarantine.
func (o *Outbox) notice(ctx context.Context, about, from, to string, write func(quarantined int) (subject, text string)) (sent bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.config.Timeout+2*recordTimeout)
	defer cancel()
	first, err := o.config.Store.FirstNotice(ctx, about)
	if err != nil || !first {
		return false, err
	}
	unsent, err := o.config.Store.UnsentInquiries(ctx)
	if err != nil {
		return false, err
	}
	subject, text := write(unsent[records.Quarantined])
	return true, o.config.Sender.Send(ctx, mailer.Message{
		ID:      mailer.MessageID(about+"_"+strings.ToLower(rand.Text()), from),
		From:    from,
		To:      to,
		Subject: subject,
		Text:    text,
		Date:    time.Now(),
	})
}
