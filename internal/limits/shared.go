package limits

import (
	"context"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/span"
)

// Shared counts the requests of clients for all instances of the service.
// quota.Store implements it.
type Shared interface {
	// Take takes one slot of a client when fewer than quota requests are in the
	// policy's window; a quota of 0 only looks. ok is false when the store cannot be
	// reached.
	Take(ctx context.Context, policy contract.Policy, client string, quota int) (use Use, ok bool)
}

// Use is what a Shared store knows about a client.
type Use struct {
	Accepted bool
	Used     int           // requests in the window, including this one when it is accepted
	Wait     time.Duration // until the oldest of them leaves the window
}

// NewShared returns a limiter whose requests are counted for all instances. While the
// store cannot be reached, the instance decides by itself.
//
// Every request takes a slot of the instance first and then one of the store, and
// returns the first when the store refuses. So no instance ever accepts more than the
// quota in a window, not even when the store fails, comes back or loses its data.
func NewShared(policy contract.Policy, shared Shared) *Limiter {
	l := New(policy)
	l.shared = shared
	return l
}

// agree asks the store about a request on which the instance has decided at a time. No
// lock is held meanwhile.
func (l *Limiter) agree(ctx context.Context, key string, local Decision, at time.Duration) Decision {
	quota := l.policy.Quota
	if !local.Allowed {
		quota = 0 // the store still knows how long to wait
	}
	use, ok := l.takeShared(ctx, key, quota)
	switch {
	case !ok:
		return local
	case use.Accepted:
		return Decision{Allowed: true, Remaining: l.left(use.Used)}
	case local.Allowed:
		l.release(key, at)
	}
	wait := local.RetryAfter
	if use.Used >= l.policy.Quota {
		wait = max(wait, use.Wait)
	}
	return Decision{RetryAfter: l.wholeSeconds(wait)}
}

// takeShared asks the store, and notes in the request's span how long that took.
func (l *Limiter) takeShared(ctx context.Context, key string, quota int) (Use, bool) {
	defer span.Since(ctx, span.Redis, time.Now())
	return l.shared.Take(ctx, l.policy, key, quota)
}

// release gives back a slot that the instance has taken at a time.
func (l *Limiter) release(key string, at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log.begin()
	l.log.remove(key, at)
}
