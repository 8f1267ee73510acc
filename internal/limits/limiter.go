// Package limits applies the rate limits of the contract (section 8): at most N
// requests of one client in any 60 seconds, and a client that waits for the time it
// was given is accepted.
//
// One Limiter serves all routes of a policy on every face of the service: a
// middleware for HTTP, the core after a dry run has been answered, the tools of MCP.
//
// With a Shared store all instances of the service count together. The store decides;
// while it cannot be reached, each instance decides by itself.
package limits

import (
	"context"
	"net/http"
	"sync"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/span"
)

// Limiter applies one policy to all clients. It is safe for concurrent use.
type Limiter struct {
	policy contract.Policy
	shared Shared    // nil when the instance decides by itself
	began  time.Time // carries a monotonic reading: steps of the wall clock do not matter

	mu             sync.Mutex // held over a decision and its outcome, so that no two report the same remainder
	clients, pools *slidingLog
}

// Shared counts requests for all instances of the service. quota.Store implements it.
type Shared interface {
	// Take takes a slot of each key of the request when each has one, and otherwise none.
	// ok is false when the store cannot be reached.
	Take(ctx context.Context, request Request) (use Use, ok bool)
}

// Request is a request as a Shared store counts it.
type Request struct {
	Policy       contract.Policy
	Client, Pool string // their keys; one may be empty
	Quotas       []int  // of the keys that are not empty; 0 takes no slot, to look
}

// Use is what is known about the requests of a client, of its pool, or of both.
type Use struct {
	Accepted bool
	Counts   []Count // of the keys that are not empty, the client's first
}

// Count is the requests in a window.
type Count struct {
	Used int           // including this one when it is accepted
	Wait time.Duration // until the oldest of them leaves the window, when it is full
}

// Decision is the outcome of one request under a policy.
type Decision struct {
	Allowed   bool
	Policy    contract.Policy // the client's or its pool's, of which less is left; zero without a limit
	Remaining int             // requests left in the window, 0 when refused
	// RetryAfter is how long a refused client must wait to be accepted: whole
	// seconds, from 1 to the window. It is zero when the request is allowed.
	RetryAfter time.Duration
}

// New returns an unused limiter for a policy.
func New(policy contract.Policy) *Limiter { return NewShared(policy, nil) }

// NewShared returns a limiter whose requests are counted for all instances; shared may be
// nil. While the store cannot be reached, the instance decides by itself.
//
// Every request takes a slot of the instance first and then one of the store, and
// returns the first when the store refuses. So no instance ever accepts more than the
// quota in a window, not even when the store fails, comes back or loses its data.
func NewShared(policy contract.Policy, shared Shared) *Limiter {
	return &Limiter{
		policy: policy, shared: shared, began: time.Now(),
		clients: newSlidingLog(policy.Quota, policy.Window), pools: newSlidingLog(policy.Pool, policy.Window),
	}
}

// Policy returns the policy that l applies.
func (l *Limiter) Policy() contract.Policy { return l.policy }

// counted is what a request counts against: a client or a pool.
type counted struct {
	log    *slidingLog
	key    string
	policy contract.Policy // of the pool as a whole, if it is one
}

// counted returns what the requests of a client count against: the client, its pool, or
// first the one and then the other. It is nothing for a client without a limit. A policy
// without pools counts every client by itself.
func (l *Limiter) counted(client Client) (all []counted) {
	pool := client.pool
	switch {
	case l.policy.Pool == 0:
		pool = nil
	case client.exempt:
		return nil
	}
	if pool == nil || client.isNamed() {
		all = append(all, counted{l.clients, client.Key(), l.policy})
	}
	if pool != nil {
		all = append(all, counted{l.pools, pool.Name, l.policy.OfPool()})
	}
	return all
}

// Take asks for one request of a client and takes a slot when there is one, both of the
// client and of its pool. A refused request takes none.
func (l *Limiter) Take(ctx context.Context, client Client) Decision {
	all := l.counted(client)
	if all == nil {
		return Decision{Allowed: true}
	}
	local, at := l.decide(all, true)
	if l.shared == nil {
		return local
	}
	use, ok := l.ask(ctx, all, !local.Allowed) // a look still learns how long to wait
	if !ok || use.Accepted {
		if ok {
			local = outcome(all, use)
		}
		return local
	}
	refused := outcome(all, use)
	if local.Allowed {
		l.release(all, at)
		return refused
	}
	return Decision{Policy: local.Policy, RetryAfter: max(local.RetryAfter, refused.RetryAfter)}
}

// Look returns what a client has left, and takes nothing.
func (l *Limiter) Look(ctx context.Context, client Client) Decision {
	all := l.counted(client)
	if all == nil {
		return Decision{Allowed: true}
	}
	if l.shared != nil {
		if use, ok := l.ask(ctx, all, true); ok {
			use.Accepted = true
			return outcome(all, use)
		}
	}
	left, _ := l.decide(all, false)
	return left
}

// decide decides by what this instance has accepted, and returns the time of the decision.
// Without take it takes no slot and refuses nothing.
func (l *Limiter) decide(all []counted, take bool) (decision Decision, now time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now = l.begin()
	use := Use{Accepted: true, Counts: make([]Count, len(all))}
	for i, c := range all {
		use.Counts[i] = c.log.count(c.key)
		use.Accepted = use.Accepted && (!take || use.Counts[i].Used < c.policy.Quota)
	}
	if take && use.Accepted {
		for i, c := range all {
			_ = c.log.Increment(c.key, time.Time{}) // never fails; the log has the time
			use.Counts[i].Used++
		}
	}
	return outcome(all, use), now
}

// release gives back the slots that the instance has taken at a time.
func (l *Limiter) release(all []counted, at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin()
	for _, c := range all {
		c.log.remove(c.key, at)
	}
}

// begin sets the time of a decision.
func (l *Limiter) begin() time.Duration {
	now := time.Since(l.began)
	l.clients.begin(now)
	l.pools.begin(now)
	return now
}

// ask asks the store, and notes in the request's span how long that took. No lock is held
// meanwhile.
func (l *Limiter) ask(ctx context.Context, all []counted, look bool) (Use, bool) {
	defer span.Since(ctx, span.Redis, time.Now())
	request := Request{Policy: l.policy, Quotas: make([]int, len(all))}
	for i, c := range all {
		if c.log == l.pools {
			request.Pool = c.key
		} else {
			request.Client = c.key
		}
		if !look {
			request.Quotas[i] = c.policy.Quota
		}
	}
	use, ok := l.shared.Take(ctx, request)
	return use, ok && len(use.Counts) == len(all)
}

// outcome returns the decision that follows from a use, whatever numbers a store reports.
func outcome(all []counted, use Use) Decision {
	d := Decision{Allowed: use.Accepted}
	for i, c := range all {
		left := min(max(0, c.policy.Quota-use.Counts[i].Used), c.policy.Quota)
		if i == 0 || left < d.Remaining {
			d.Policy, d.Remaining = c.policy, left
		}
		if left == 0 {
			d.RetryAfter = max(d.RetryAfter, use.Counts[i].Wait)
		}
	}
	if d.Allowed {
		d.RetryAfter = 0
		return d
	}
	seconds := (d.RetryAfter + time.Second - 1) / time.Second // rounded up, so that it is never too short
	d.Remaining, d.RetryAfter = 0, min(max(seconds, 1)*time.Second, d.Policy.Window)
	return d
}

// Refusal is the error of a refused request.
func (d Decision) Refusal() *contract.Error { return d.Policy.Exceeded(d.RetryAfter) }

// SetOutcome is SetHeaders for a request whose slot the core takes. A request that the core
// refused as invalid has no headers of the limit.
func (d Decision) SetOutcome(h http.Header, err error) {
	if err == nil || contract.AsError(err).Code != contract.InvalidRequest {
		d.SetHeaders(h)
	}
}

// SetHeaders sets the policy and the number of remaining requests on an answer. A client
// without a limit gets neither.
func (d Decision) SetHeaders(h http.Header) {
	if d.Policy == (contract.Policy{}) {
		return
	}
	h.Set(contract.HeaderRateLimitPolicy, d.Policy.Header())
	h.Set(contract.HeaderRateLimit, d.Policy.Remaining(d.Remaining))
}

// Slot is the place that one request may take in a limit, and in that of its pool. The
// request carries it to where it is certain that it is no repetition of another: into the
// transaction that claims its Idempotency-Key.
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
