package middleware

import (
	"net/http"

	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

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
