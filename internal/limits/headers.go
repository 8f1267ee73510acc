package limits

import (
	"net/http"

	"frontdesk/contract"
)

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
