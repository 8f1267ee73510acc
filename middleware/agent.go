package middleware

import (
	"net/http"

	"frontdesk/internal/payload"
)

// AgentChecker checks the signature of a request. It returns the outcome, and the
// agent when the signature is verified; both are empty for a request without one.
type AgentChecker interface {
	Check(r *http.Request, body []byte) (outcome, agent string)
}

// AgentSignature records in the log whose signature a request carries (section 5.8).
// It refuses nothing. It comes after BodyCap, because a signature may cover the body,
// and before Limit, so that refused requests are recorded too.
func AgentSignature(agents AgentChecker) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			outcome, agent := agents.Check(r, payload.Bytes(r))
			exchangeOf(w).signature = signatureNote{outcome, agent}
			next.ServeHTTP(w, r)
		})
	}
}
