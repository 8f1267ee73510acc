package outbox

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// networkShare is the part of the day's sends that one network may use: one in so many.
const networkShare = 10

// limitRetry is what a caller over the limit of the day hears as Retry-After. It is the
// one Retry-After that is no promise (decisions, Rules).
const limitRetry = time.Minute

// limit is what an inquiry of the client of ctx is counted against.
func (o *Outbox) limit(ctx context.Context) records.SendLimit {
	if o.sends == 0 {
		return records.SendLimit{}
	}
	return records.SendLimit{
		PerDay:     o.sends,
		Network:    limits.ClientFrom(ctx).Network(),
		PerNetwork: max(1, o.sends/networkShare),
	}
}

func limitReached(cause error) *contract.Error {
	return &contract.Error{
		Code:       contract.RateLimited,
		Detail:     "The daily limit of requests that this service takes, or takes from one network, is reached. Nothing was stored or sent.",
		RetryAfter: limitRetry,
		Cause:      cause,
	}
}

// noticeLimit mails the owner, once a day, that requests are refused. No caller waits
// for it.
func (o *Outbox) noticeLimit(ctx context.Context, refused records.Inquiry) {
	o.notices.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.timeout+2*recordTimeout)
		defer cancel()
		first, err := o.store.FirstNotice(ctx, "sends")
		if err != nil || !first {
			return
		}
		quarantined, err := o.store.CountInquiries(ctx, records.Quarantined)
		if err == nil {
			err = o.sender.Send(ctx, mailer.Message{
				ID:      mailer.MessageID("limit_"+strings.ToLower(rand.Text()), refused.From),
				From:    refused.From,
				To:      refused.To,
				Subject: "Requests are being refused: the daily limit is reached",
				Text:    o.limitNotice(quarantined),
				Date:    time.Now(),
			})
		}
		o.log.Warn().Int("daily_sends", o.sends).AnErr("notice", err).
			Msg("inquiries are refused until tomorrow (UTC): the limit of the day, or of one network, is reached")
	})
}

func (o *Outbox) limitNotice(quarantined int) string {
	return fmt.Sprintf(`Since now this service refuses requests, until midnight UTC, because too many came in today: it mails %d a day, and at most %d from one network (an IPv4 /24 or an IPv6 /48). Callers hear that the daily limit is reached.

If these are real, raise FRONTDESK_DAILY_SENDS and restart the service.

Requests in quarantine, because they look like spam: %d. "frontdesk inquiries --quarantined" lists them, "frontdesk inquiries --resend ID" mails one.
`, o.sends, max(1, o.sends/networkShare), quarantined)
}

// Quarantine stores an inquiry that looks like spam, under its key when it has one. It
// is not mailed, and not counted against the limit of the day, before its owner asks
// for that with Resend. The errors are those of Deliver.
func (o *Outbox) Quarantine(ctx context.Context, inquiry records.Inquiry, key records.Key) error {
	inquiry.State = records.Quarantined
	if err := o.add(context.WithoutCancel(ctx), inquiry, key, nil); err != nil {
		return contract.Internal(err)
	}
	o.log.Info().Str("inquiry", inquiry.ID).Msg("a request that looks like spam is in quarantine")
	return nil
}
