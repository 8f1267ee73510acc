package middleware

import (
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

// Limit takes a slot of a policy for each request and refuses the request with 429
// when there is none. Every answer from here on carries the headers of the policy;
// BodyCap sets them on the answers that leave earlier.
func Limit(limiter *limits.Limiter, problems *Problems) func(http.Handler) http.Handler {
	refusals := map[contract.Policy]*Refusal{}
	for _, policy := range []contract.Policy{limiter.Policy(), limiter.Policy().OfPool()} {
		refusals[policy] = problems.Refusal(policy.Exceeded(0))
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			decision := limiter.Take(r.Context(), limits.ClientFrom(r.Context()))
			decision.SetHeaders(w.Header())
			if !decision.Allowed {
				refusals[decision.Policy].Write(w, r, decision.RetryAfter)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// BodyCap reads the body of a request, at most limit bytes, and answers 413 when
// there is more. Everything behind it works on a complete, small body. A refusal
// takes no slot of the route's limiter but carries its headers; the limiter is nil
// for a route without one.
func BodyCap(limit int64, limiter *limits.Limiter, problems *Problems) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := payload.Read(r, limit); err != nil {
				if limiter != nil {
					limiter.Peek(r.Context(), limits.ClientFrom(r.Context())).SetHeaders(w.Header())
				}
				problems.Write(w, r, err)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
