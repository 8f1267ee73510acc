package pilot

import (
	"context"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/span"
)

// Limits are the limits of one kind of requests that are stored.
type Limits struct {
	Slots    *limits.Limiter // a slot for each request that is carried out
	KeyReuse *limits.Limiter // refusals of used keys that take no slot
}

// refuseReuse refuses a request whose key was used for another request. The first
// refusals count only against KeyReuse. Later ones take a slot each, and are rate_limited
// when none is left, so no client can guess keys without end. Otherwise the error is
// invalid_request.
func (l Limits) refuseReuse(ctx context.Context, key contract.IdempotencyKey) (limits.Decision, error) {
	if l.KeyReuse.Take(ctx).Allowed {
		return l.Slots.Peek(ctx), contract.KeyReused(key.Field)
	}
	slot := l.Slots.Take(ctx)
	if !slot.Allowed {
		return slot.Decision, slot.Refusal()
	}
	return slot.Decision, contract.KeyReused(key.Field)
}

// How often, and for how long, a request that finds no slot left looks for its key.
const (
	looks    = 5
	lookTime = 500 * time.Millisecond
)

// lookAgain calls find until it reports true, or half a second has passed.
func lookAgain(ctx context.Context, find func(ctx context.Context) bool) bool {
	defer span.Since(ctx, span.SameKey, time.Now())
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	for range looks {
		time.Sleep(lookTime / (looks + 1))
		if find(ctx) {
			return true
		}
	}
	return false
}
