package limits

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-chi/httprate"

	"frontdesk/contract"
)

// Limiter applies one policy to all clients. It is safe for concurrent use.
//
// Of httprate it uses the policy and the counter. The rest does not fit: its headers
// and its Retry-After, which is always the whole window, are not the contract's; its
// handler would have to run before the body is read, while dry runs take no slot; and
// MCP tools take slots without a request of their own.
type Limiter struct {
	policy contract.Policy
	shared Shared // nil when the instance decides alone

	mu   sync.Mutex // held over a decision and its outcome, so that no two report the same remainder
	rate *httprate.RateLimiter
	log  *slidingLog
	// pools are the times of the latest accepted requests of each pool, oldest first.
	pools map[*Pool][]time.Duration
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
func New(policy contract.Policy) *Limiter {
	if policy.Quota > contract.MaxQuota {
		panic("limits: the quota of " + policy.Name + " is larger than contract.MaxQuota")
	}
	log := newSlidingLog()
	return &Limiter{
		policy: policy,
		log:    log,
		pools:  map[*Pool][]time.Duration{},
		rate:   httprate.NewRateLimiter(policy.Quota, policy.Window, httprate.WithLimitCounter(log)),
	}
}

// Policy returns the policy that l applies.
func (l *Limiter) Policy() contract.Policy { return l.policy }

// Refusal is the error of a refused request.
func (d Decision) Refusal() *contract.Error { return d.Policy.Exceeded(d.RetryAfter) }

// counted is what a request counts against: a client, a pool, or both.
type counted struct {
	key  string // the client's; empty where only the pool counts
	pool *Pool  // nil for none
}

// counted returns what the requests of a client count against. limited is false for a
// client without a limit. A policy without pools counts every client by itself.
func (l *Limiter) counted(client Client) (c counted, limited bool) {
	switch {
	case l.policy.Pool == 0:
		return counted{key: client.Key()}, true
	case client.pool != nil && !client.isNamed():
		return counted{pool: client.pool}, true
	}
	return counted{client.Key(), client.pool}, !client.exempt
}

// Take asks for one request of a client and takes a slot when there is one, both of the
// client and of its pool. A refused request takes none.
func (l *Limiter) Take(ctx context.Context, client Client) Decision {
	c, limited := l.counted(client)
	if !limited {
		return Decision{Allowed: true}
	}
	local, at := l.take(c)
	if l.shared == nil {
		return local
	}
	return l.agree(ctx, c, local, at)
}

// take decides by what this instance has accepted, and returns the time of the
// decision.
func (l *Limiter) take(c counted) (decision Decision, at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	use, now := l.use(c)
	use.Accepted = use.Client.Used < l.policy.Quota && (c.pool == nil || use.Pool.Used < l.policy.Pool)
	if use.Accepted && c.key != "" {
		l.log.add(c.key)
		use.Client.Used++
	}
	if use.Accepted && c.pool != nil {
		l.pools[c.pool] = append(l.pools[c.pool], now)
		use.Pool.Used++
	}
	return l.outcome(c, use), now
}

// use returns what this instance has accepted, and the time. It forgets what has left the
// window of a pool.
func (l *Limiter) use(c counted) (use Use, now time.Duration) {
	now = l.log.begin()
	if c.key != "" {
		use.Client.Used = l.used(c.key)
		if use.Client.Used >= l.policy.Quota {
			use.Client.Wait = l.log.oldest(c.key) + l.policy.Window - now
		}
	}
	if c.pool != nil {
		recent := l.pools[c.pool]
		for len(recent) > 0 && recent[0] <= now-l.policy.Window {
			recent = recent[1:]
		}
		l.pools[c.pool] = recent
		if use.Pool.Used = len(recent); use.Pool.Used > 0 {
			use.Pool.Wait = recent[0] + l.policy.Window - now
		}
	}
	return use, now
}

// outcome returns the decision that follows from a use.
func (l *Limiter) outcome(c counted, use Use) Decision {
	d := Decision{Allowed: use.Accepted, Policy: l.policy, Remaining: left(l.policy, use.Client)}
	if c.pool != nil {
		pool := l.policy.OfPool()
		if n := left(pool, use.Pool); c.key == "" || n < d.Remaining {
			d.Policy, d.Remaining = pool, n
		}
	}
	if d.Allowed {
		return d
	}
	var wait time.Duration
	if left(l.policy, use.Client) == 0 {
		wait = use.Client.Wait
	}
	if c.pool != nil && left(l.policy.OfPool(), use.Pool) == 0 {
		wait = max(wait, use.Pool.Wait)
	}
	d.Remaining, d.RetryAfter = 0, l.wholeSeconds(wait)
	return d
}

// left is what remains of a quota, whatever number a store reports.
func left(p contract.Policy, count Count) int { return min(max(0, p.Quota-count.Used), p.Quota) }

// used is how many requests of a client are in the window.
func (l *Limiter) used(key string) int {
	_, rate, err := l.rate.Status(key)
	if err != nil {
		panic(fmt.Sprintf("limits: a counter in memory failed: %v", err))
	}
	return int(rate)
}

// Look returns what a client has left, and takes nothing.
func (l *Limiter) Look(ctx context.Context, client Client) Decision {
	c, limited := l.counted(client)
	if !limited {
		return Decision{Allowed: true}
	}
	if l.shared != nil {
		if use, ok := l.takeShared(ctx, c, true); ok {
			use.Accepted = true
			return l.outcome(c, use)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	use, _ := l.use(c)
	use.Accepted = true
	return l.outcome(c, use)
}

// wholeSeconds rounds a wait up, so that it is never too short.
func (l *Limiter) wholeSeconds(wait time.Duration) time.Duration {
	seconds := (wait + time.Second - 1) / time.Second
	return min(max(seconds, 1)*time.Second, l.policy.Window)
}
