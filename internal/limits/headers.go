package limits

import (
	"net/http"

	"frontdesk/contract"
)

// header holds the two rate-limit fields of a policy, made once. The values are
// shared by all answers and never written to.
type header struct {
	policy    []string
	remaining [contract.MaxQuota + 1][]string
}

func newHeader(policy contract.Policy) header {
	h := header{policy: []string{policy.Header()}}
	for n := range policy.Quota + 1 {
		h.remaining[n] = []string{policy.Remaining(n)}
	}
	return h
}

// SetHeaders puts the policy and the number of remaining requests on an answer.
// The names go on the wire as the contract spells them, not as net/http would.
func (l *Limiter) SetHeaders(h http.Header, remaining int) {
	h[contract.HeaderRateLimitPolicy] = l.header.policy
	h[contract.HeaderRateLimit] = l.header.remaining[remaining]
}
