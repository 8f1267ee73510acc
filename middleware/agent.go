package middleware

import (
	"net/http"

	"frontdesk/internal/payload"
)

// AgentSignature records in the log whose signature a request carries (section 5.8).
// It refuses nothing. It comes after BodyCap, because a signature may cover the body,
// and before Limit, so that refused requests are recorded too.
//
// check returns the outcome, and the agent when the signature is verified; both are empty
// for a request without one.
func AgentSignature(check func(r *http.Request, body []byte) (outcome, agent string)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			outcome, agent := check(r, payload.Bytes(r))
			exchangeOf(w).signature = signatureNote{outcome, agent}
			next.ServeHTTP(w, r)
		})
	}
}
