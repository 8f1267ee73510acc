package outbox

import (
	"context"
	"fmt"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

// networkShare is the part of the day's sends that one network may use: one in so many.
const networkShare = 10

// limitRetry is the Retry-After of a caller over the limit of the day. It is the only
// Retry-After that is no promise (decisions, Rules).
const limitRetry = time.Minute

// limit is what an inquiry of the client of ctx is counted against.
func (o *Outbox) limit(ctx context.Context) records.SendLimit {
	if o.config.DailySends == 0 {
		return records.SendLimit{}
	}
	return records.SendLimit{
		PerDay:     o.config.DailySends,
		Network:    limits.ClientFrom(ctx).Network(),
		PerNetwork: max(1, o.config.DailySends/networkShare),
	}
}

func limitReached(cause error) *contract.Error {
	return &contract.Error{
		Code:       contract.RateLimited,
		Detail:     "The daily limit of requests that this service takes, or takes from one network, is reached until midnight UTC. Nothing was stored or sent.",
		RetryAfter: limitRetry,
		Cause:      cause,
	}
}

// noticeLimit mails the owner, once a day, that requests are refused. No caller waits
// for it.
func (o *Outbox) noticeLimit(ctx context.Context, refused records.Inquiry) {
	o.notices.Go(func() {
		first, err := o.notice(context.WithoutCancel(ctx), noticeSends, refused.From, refused.To, o.limitNotice)
		if first {
			o.config.Log.Warn().Int("daily_sends", o.config.DailySends).AnErr("notice", err).
				Msg("inquiries are refused until tomorrow (UTC): the limit of the day, or of one network, is reached")
		}
	})
}

func (o *Outbox) limitNotice(quarantined int) (subject, text string) {
	return "Requests are being refused: the daily limit is reached", fmt.Sprintf(`This service refuses requests from now on until midnight UTC, because too many came in today: it mails %d a day, and at most %d from one network (an IPv4 /24, an IPv6 /48 or a hosted assistant). Callers are told that the daily limit is reached.

If these requests are real, raise FRONTDESK_DAILY_SENDS and restart the service.

%s`, o.config.DailySends, max(1, o.config.DailySends/networkShare), quarantineLine(quarantined))
}
