package limits

import "context"

// Slot is the place that one request may take in a limit, and in that of its pool. The request carries it to
// where it is certain that it is no repetition of another: into the transaction that
// claims its Idempotency-Key.
type Slot struct {
	limiter  *Limiter
	client   Client
	decision Decision // zero before Take
}

// Slot returns the slot of a request of the client of ctx, which is not taken yet.
func (l *Limiter) Slot(ctx context.Context) *Slot {
	return &Slot{limiter: l, client: ClientFrom(ctx)}
}

// Take takes the slot. The error is rate_limited.
func (s *Slot) Take(ctx context.Context) error {
	s.decision = s.limiter.Take(ctx, s.client)
	if !s.decision.Allowed {
		return s.decision.Refusal()
	}
	return nil
}

// Decision is the outcome of Take, or what is left to a client that took no slot.
func (s *Slot) Decision(ctx context.Context) Decision {
	if s.decision == (Decision{}) {
		return s.limiter.Look(ctx, s.client)
	}
	return s.decision
}
