package limits

import (
	"net/http"

	"frontdesk/contract"
)

// SetOutcome is SetHeaders for a request whose slot the core takes. A request that the core
// refused as invalid has no headers of the limit.
func (l *Limiter) SetOutcome(h http.Header, decision Decision, err error) {
	if err == nil || contract.AsError(err).Code != contract.InvalidRequest {
		l.SetHeaders(h, decision.Remaining)
	}
}

// SetHeaders sets the policy and the number of remaining requests on an answer.
func (l *Limiter) SetHeaders(h http.Header, remaining int) {
	h.Set(contract.HeaderRateLimitPolicy, l.policy.Header())
	h.Set(contract.HeaderRateLimit, l.policy.Remaining(remaining))
}
