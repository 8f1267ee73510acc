package contract

import (
	"fmt"
	"strconv"
	"time"
)

// Policy is a rate limit (section 8): at most Quota requests of one client in any
// Window, and at most Pool of all people together who share a hosted assistant or a
// network (decisions, Rules). A policy without pools has a Pool of 0.
type Policy struct {
	Name        string
	Quota, Pool int
	Window      time.Duration
}

// The two policies of section 8, and the policy of start_trial (decisions, MCP). Dry
// runs, the catalog and health have none.
var (
	AskPolicy     = Policy{Name: "ask", Quota: 5, Pool: 60, Window: time.Minute}
	ContactPolicy = Policy{Name: "contact", Quota: 3, Pool: 12, Window: time.Minute}
	TrialPolicy   = Policy{Name: "trial", Quota: 3, Pool: 12, Window: time.Minute}
)

// KeyReusePolicy bounds the free refusals of a used Idempotency-Key with another payload
// (decisions, Idempotency-Key). Beyond it each refusal takes a slot of the route's
// policy. It is never published.
var KeyReusePolicy = Policy{Name: "key-reuse", Quota: 9, Window: time.Minute}

// DailyRetry is the Retry-After of a client over the daily limit of requests. It is the
// only Retry-After after which a request may be refused again (decisions, Rules).
const DailyRetry = time.Minute

var maxRetryAfter = max(AskPolicy.Window, ContactPolicy.Window, TrialPolicy.Window, DailyRetry)

// OfPool returns the policy of a pool as a whole.
func (p Policy) OfPool() Policy {
	p.Quota = p.Pool
	return p
}

// Header returns the value of RateLimit-Policy, such as `"ask";q=5;w=60`.
func (p Policy) Header() string {
	return `"` + p.Name + `";q=` + strconv.Itoa(p.Quota) + ";w=" + strconv.Itoa(int(p.Window.Seconds()))
}

// Remaining returns the value of RateLimit when n requests are left, such as
// `"ask";r=4`. It never has a t parameter (section 8.1).
func (p Policy) Remaining(n int) string { return `"` + p.Name + `";r=` + strconv.Itoa(n) }

// Exceeded returns the refusal of a request over the limit. retryAfter is the time after
// which the caller will be accepted.
func (p Policy) Exceeded(retryAfter time.Duration) *Error {
	from := "one client"
	if p.Quota == p.Pool {
		from = "all callers that share your assistant or network"
	}
	return &Error{
		Code: RateLimited,
		Detail: fmt.Sprintf("More than %d %s requests in %d seconds from %s.",
			p.Quota, p.Name, int(p.Window.Seconds()), from),
		RetryAfter: retryAfter,
		Policy:     p.Name,
	}
}
