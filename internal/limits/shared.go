package limits

import (
	"context"
	"slices"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/span"
)

// Shared counts requests for all instances of the service. quota.Store implements it.
type Shared interface {
	// Take takes a slot of the client and one of its pool when each has one; otherwise,
	// and for a look, it takes neither. ok is false when the store cannot be reached.
	Take(ctx context.Context, request Request) (use Use, ok bool)
}

// Request is a request as a Shared store counts it.
type Request struct {
	Policy       contract.Policy
	Client, Pool string // their keys; one may be empty
	Look         bool
}

// Use is what is known about the requests of a client and of its pool.
type Use struct {
	Accepted     bool
	Client, Pool Count
}

// Count is the requests in a window.
type Count struct {
	Used int           // including this one when it is accepted
	Wait time.Duration // until the oldest of them leaves the window, when it is full
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
func (l *Limiter) agree(ctx context.Context, c counted, local Decision, at time.Duration) Decision {
	use, ok := l.takeShared(ctx, c, !local.Allowed) // a look still learns how long to wait
	switch {
	case !ok:
		return local
	case use.Accepted:
		return l.outcome(c, use)
	case local.Allowed:
		l.release(c, at)
		return l.outcome(c, use)
	}
	return Decision{Policy: local.Policy, RetryAfter: max(local.RetryAfter, l.outcome(c, use).RetryAfter)}
}

// takeShared asks the store, and notes in the request's span how long that took.
func (l *Limiter) takeShared(ctx context.Context, c counted, look bool) (Use, bool) {
	defer span.Since(ctx, span.Redis, time.Now())
	request := Request{Policy: l.policy, Client: c.key, Look: look}
	if c.pool != nil {
		request.Pool = c.pool.Name
	}
	return l.shared.Take(ctx, request)
}

// release gives back the slots that the instance has taken at a time.
func (l *Limiter) release(c counted, at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log.begin()
	if c.key != "" {
		l.log.remove(c.key, at)
	}
	if recent := l.pools[c.pool]; slices.Contains(recent, at) {
		i := slices.Index(recent, at)
		l.pools[c.pool] = slices.Delete(recent, i, i+1)
	}
}
