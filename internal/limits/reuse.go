package limits

import (
	"context"

	"frontdesk/contract"
)

// RefuseReuse refuses a request whose Idempotency-Key was used for another request.
// The error is an invalid_request, which takes no slot while the client has a slot of
// free left; after that each takes a slot of l, and is rate_limited when l has none.
// So no client can try out keys without end.
func (l *Limiter) RefuseReuse(ctx context.Context, free *Limiter, key contract.IdempotencyKey) (Decision, error) {
	client := ClientFrom(ctx)
	if free.Take(ctx, client).Allowed {
		return Decision{Allowed: true, Remaining: l.Remaining(ctx, client)}, contract.KeyReused(key.Field)
	}
	decision := l.Take(ctx, client)
	if !decision.Allowed {
		return decision, l.policy.Exceeded(decision.RetryAfter)
	}
	return decision, contract.KeyReused(key.Field)
}
