package limits

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/httprate"

	"frontdesk/contract"
)

// Limiter holds one policy for all clients. It is safe for concurrent use.
type Limiter struct {
	policy contract.Policy
	header header
	shared Shared // nil when the instance decides alone

	// mu spans a decision and the look at its outcome, so that of five requests
	// at once each is told a different number of remaining ones. httprate has a
	// lock of its own around its part; nothing under either of them waits for I/O.
	mu   sync.Mutex
	rate *httprate.RateLimiter
	log  *slidingLog
}

// Decision is the outcome of one request against a policy.
type Decision struct {
	Allowed   bool
	Remaining int // requests left in the window, 0 when refused
	// RetryAfter is how long a refused client has to wait to be accepted: whole
	// seconds, from 1 to the window. It is zero when the request is allowed.
	RetryAfter time.Duration
}

// New returns a limiter for a policy that no request has used yet.
func New(policy contract.Policy) *Limiter {
	if policy.Quota > contract.MaxQuota {
		panic("limits: the quota of " + policy.Name + " is larger than contract.MaxQuota")
	}
	log := newSlidingLog()
	return &Limiter{
		policy: policy,
		header: newHeader(policy),
		log:    log,
		rate: httprate.NewRateLimiter(policy.Quota, policy.Window,
			httprate.WithLimitCounter(log),
			// Its X-RateLimit headers are not the contract's; ours are set by the caller.
			httprate.WithResponseHeaders(httprate.ResponseHeaders{})),
	}
}

// Policy returns the policy that l holds.
func (l *Limiter) Policy() contract.Policy { return l.policy }

// noRequest is what httprate reads per-request options from; we have none.
var noRequest = new(http.Request)

// Take asks for one request of a client and uses up a slot when there is one. A
// refused request uses up nothing.
func (l *Limiter) Take(ctx context.Context, client Client) Decision {
	key := client.key()
	local, at := l.take(key)
	if l.shared == nil {
		return local
	}
	return l.agree(ctx, local, slot{key, at})
}

// take decides by what this instance has accepted, and returns when it did.
func (l *Limiter) take(key string) (decision Decision, at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log.begin(key)
	if l.rate.OnLimit(nil, noRequest, key) {
		return Decision{RetryAfter: l.wholeSeconds(l.log.visit.hits[0] + l.policy.Window - l.log.visit.at)}, 0
	}
	return Decision{Allowed: true, Remaining: l.left(l.log.visit.hits.count())}, l.log.visit.at
}

// Remaining returns how many requests a client has left, using up none.
func (l *Limiter) Remaining(ctx context.Context, client Client) int {
	key := client.key()
	if l.shared != nil {
		if use, ok := l.shared.Take(ctx, l.policy, key, 0); ok {
			return l.left(use.Used)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, hits := l.log.find(key, l.log.now())
	return l.left(hits.count())
}

// left is what remains of the quota, whatever a store says.
func (l *Limiter) left(used int) int { return min(max(0, l.policy.Quota-used), l.policy.Quota) }

// wholeSeconds rounds a wait up, so that it is never too short.
func (l *Limiter) wholeSeconds(wait time.Duration) time.Duration {
	seconds := (wait + time.Second - 1) / time.Second
	return min(max(seconds, 1)*time.Second, l.policy.Window)
}
