package outbox

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/i18n"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Quarantine stores an inquiry that looks like spam under key, or returns the inquiry that has this
// key already. It is neither mailed nor counted against the limit of the day until its owner asks
// for that with Resend. The owner gets a notice of the first one of a day.
func (o *Outbox) Quarantine(ctx context.Context, inquiry records.Inquiry, key records.Key) (records.Inquiry, error) {
	inquiry.State = records.Quarantined
	stored, err := o.Store.AddInquiry(ctx, inquiry, key)
	if err != nil || stored.ID != inquiry.ID {
		return stored, err
	}
	o.Log.Info().Str("inquiry", inquiry.ID).Msg("a request that looks like spam is in quarantine")
	o.notices.Go(func() { o.notice(ctx, noticeQuarantine, 0, inquiry) })
	return stored, nil
}

// reminderInterval is how often RemindOfQuarantine looks, and how long a notice that failed keeps back the next one
// about its subject.
const reminderInterval = time.Hour

// reminderDays is how many days after a request was quarantined its reminder may be sent. Later, records has deleted
// the claim of a reminder on the next day, so it could be sent twice.
const reminderDays = records.LimitsKept + 1

// RemindOfQuarantine sends the owner, until ctx ends, a notice on the day after a
// request was quarantined and left there: the notice of its own day may have been sent before
// it came. If that fails or no service runs then, the notice is sent within reminderDays.
func (o *Outbox) RemindOfQuarantine(ctx context.Context) {
	for {
		o.remind(ctx, time.Now())
		if !pause(ctx, reminderInterval) {
			return
		}
	}
}

func (o *Outbox) remind(ctx context.Context, now time.Time) {
	newest, err := o.Store.Inquiries(ctx, records.InquiryQuery{
		View: records.QuarantinedInquiries, Page: records.Page{Limit: 1},
	})
	if err != nil || len(newest) == 0 {
		return
	}
	if day, today := records.DayOf(newest[0].CreatedAt), records.DayOf(now); day < today && day >= today-reminderDays {
		o.notice(ctx, noticeQuarantine, today-day-1, newest[0])
	}
}

// Subjects of the notices to the owner, of each of which one is sent in a day.
const (
	noticeSends      = "sends"
	noticeQuarantine = "quarantine"
)

// notice mails the owner about a subject, at most once a day over all instances, and not if a notice was sent within
// the days before; inquiry is the one that caused it. If the mail certainly failed, a call after reminderInterval tries
// again.
func (o *Outbox) notice(ctx context.Context, about string, before int64, inquiry records.Inquiry) {
	ctx, cancel := context.WithTimeout(ctx, mailer.SendTimeout+2*records.CallTimeout)
	defer cancel()
	if at, ok := o.failedNotices.Load(about); ok && time.Since(at.(time.Time)) < reminderInterval {
		return
	}
	day := records.DayOf(time.Now())
	claimed, err := o.Store.ClaimNotice(ctx, about, day-before, day)
	if err == nil && !claimed {
		return
	}
	var counts map[records.InquiryView]int
	if err == nil {
		counts, err = o.Store.CountInquiries(ctx, records.InquiryQuery{})
	}
	quarantined, words := counts[records.QuarantinedInquiries], i18n.For(o.Language())
	level, log := zerolog.InfoLevel, "mailing the owner about requests in quarantine"
	subject, list := words.Count("owner.today.spam", quarantined), o.OwnerURL+"inquiries?show=spam\n"
	if o.OwnerURL == "" {
		list = "frontdesk inquiries --quarantined\nfrontdesk inquiries --resend ID\n"
	}
	text := words.Text("owner.inquiries.spam") + "\n\n" + list
	if about == noticeSends {
		o.Events.Add(span.DailyLimitReached, inquiry.ID)
		level, log = zerolog.WarnLevel,
			"inquiries are refused until tomorrow (UTC): the limit of the day, or of one network, is reached"
		limit := o.limit(ctx)
		text = words.Text("notify.limit", limit.PerDay, limit.PerNetwork) + "\n"
		if quarantined > 0 {
			text += "\n" + subject + ":\n" + list
		}
		subject = words.Text(string(span.DailyLimitReached))
	}
	state := records.Failed
	if err == nil {
		account := o.Mail()
		err = o.Sender.Send(ctx, mailer.Message{
			ID:   mailer.MessageID(about+"_"+strings.ToLower(rand.Text()), account.From),
			From: account.From, To: account.To, Subject: subject, Text: text, Date: time.Now(),
		})
		state, _ = outcome(err)
	}
	if state == records.Failed {
		o.failedNotices.Store(about, time.Now())
		if claimed {
			err = errors.Join(err, o.Store.ReleaseNotice(context.WithoutCancel(ctx), about, day))
		}
	}
	o.Log.WithLevel(level).Int("daily_sends", o.DailySends).AnErr("notice", err).Msg(log)
}
