package outbox

import (
	"context"
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
		Code: contract.RateLimited,
		Detail: "The daily limit of requests that this service takes, or takes from one network, is reached until " +
			"midnight UTC. Nothing was stored or sent.",
		RetryAfter: limitRetry,
		Cause:      cause,
	}
}
