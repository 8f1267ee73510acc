package middleware

import (
	"net/http"

	"frontdesk/internal/payload"
)

// AgentChecker tells what is known of the signature of a request, and whose it is
// when it is verified; nothing for a request without one.
type AgentChecker interface {
	Check(r *http.Request, body []byte) (outcome, agent string)
}

// AgentSignature notes in the log what is known of the signature of a request
// (section 5.8). It refuses nothing. It stands behind BodyCap, because a signature
// may cover the body, and before the limit, so that refused requests are known too.
func AgentSignature(agents AgentChecker) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if outcome, agent := agents.Check(r, payload.Bytes(r)); outcome != "" {
				exchangeOf(w).signed = &signatureNote{outcome, agent}
			}
			next.ServeHTTP(w, r)
		})
	}
}
