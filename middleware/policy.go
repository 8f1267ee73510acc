package middleware

import (
	"net/http"

	"frontdesk/limits"
)

// PolicyHeaders puts the rate-limit headers on every answer of a route, with what
// remains before the request: a 413 takes no slot.
func PolicyHeaders(limiter *limits.Limiter) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			limiter.SetHeaders(w.Header(), limiter.Remaining(limits.ClientFrom(r.Context())))
			next.ServeHTTP(w, r)
		})
	}
}

// Limit takes a slot of a policy for each request that reaches it, and refuses
// the request with 429 when there is none.
func Limit(limiter *limits.Limiter, problems *Problems) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			decision := limiter.Take(r.Context(), limits.ClientFrom(r.Context()))
			limiter.SetHeaders(w.Header(), decision.Remaining)
			if !decision.Allowed {
				problems.Write(w, r, limiter.Policy().Exceeded(decision.RetryAfter))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
