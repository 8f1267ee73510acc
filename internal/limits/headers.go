package limits

import (
	"net/http"

	"frontdesk/contract"
)

// SetHeaders sets the policy and the number of remaining requests on an answer.
func (l *Limiter) SetHeaders(h http.Header, remaining int) {
	h.Set(contract.HeaderRateLimitPolicy, l.policy.Header())
	h.Set(contract.HeaderRateLimit, l.policy.Remaining(remaining))
}
