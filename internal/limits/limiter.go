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
}

// Decision is the outcome of one request under a policy.
type Decision struct {
	Allowed   bool
	Remaining int // requests left in the window, 0 when refused
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
		rate:   httprate.NewRateLimiter(policy.Quota, policy.Window, httprate.WithLimitCounter(log)),
	}
}

// Policy returns the policy that l applies.
func (l *Limiter) Policy() contract.Policy { return l.policy }

// Take asks for one request of a client and takes a slot when there is one. A refused
// request takes none.
func (l *Limiter) Take(ctx context.Context, client Client) Decision {
	key := client.key()
	local, at := l.take(key)
	if l.shared == nil {
		return local
	}
	return l.agree(ctx, key, local, at)
}

// take decides by what this instance has accepted, and returns the time of the
// decision.
func (l *Limiter) take(key string) (decision Decision, at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.log.begin()
	used := l.used(key)
	if used >= l.policy.Quota {
		return Decision{RetryAfter: l.wholeSeconds(l.log.oldest(key) + l.policy.Window - now)}, now
	}
	l.log.add(key)
	return Decision{Allowed: true, Remaining: l.left(used + 1)}, now
}

// used is how many requests of a client are in the window.
func (l *Limiter) used(key string) int {
	_, rate, err := l.rate.Status(key)
	if err != nil {
		panic(fmt.Sprintf("limits: a counter in memory failed: %v", err))
	}
	return int(rate)
}

// Remaining returns how many requests a client has left, and takes none.
func (l *Limiter) Remaining(ctx context.Context, client Client) int {
	key := client.key()
	if l.shared != nil {
		if use, ok := l.takeShared(ctx, key, 0); ok {
			return l.left(use.Used)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log.begin()
	return l.left(l.used(key))
}

// left is what remains of the quota, whatever number a store reports.
func (l *Limiter) left(used int) int { return min(max(0, l.policy.Quota-used), l.policy.Quota) }

// wholeSeconds rounds a wait up, so that it is never too short.
func (l *Limiter) wholeSeconds(wait time.Duration) time.Duration {
	seconds := (wait + time.Second - 1) / time.Second
	return min(max(seconds, 1)*time.Second, l.policy.Window)
}
