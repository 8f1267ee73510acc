package middleware

import (
	"bytes"
	"net/http"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

// Limit takes a slot of a policy for each request and refuses the request with 429
// when there is none. Every answer from here on carries the headers of the policy;
// BodyCap sets them on the answers that leave earlier.
func Limit(limiter *limits.Limiter, problems *Problems) Layer {
	refusals := map[contract.Policy]func(http.ResponseWriter, *http.Request, time.Duration){}
	for _, policy := range []contract.Policy{limiter.Policy(), limiter.Policy().OfPool()} {
		refusals[policy] = problems.refusal(policy.Exceeded(0))
	}
	return layer(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		decision := limiter.Take(r.Context())
		decision.SetHeaders(w.Header())
		if !decision.Allowed {
			refusals[decision.Policy](w, r, decision.RetryAfter)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// BodyCap reads the body of a request, at most limit bytes, and answers 413 when
// there is more. Everything behind it works on a complete, small body. A refusal
// takes no slot of the route's limiter but carries its headers; the limiter is nil
// for a route without one.
func BodyCap(limit int64, limiter *limits.Limiter, problems *Problems) Layer {
	return layer(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if err := payload.Read(r, limit); err != nil {
			if limiter != nil {
				limiter.Peek(r.Context()).SetHeaders(w.Header())
			}
			problems.Write(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Signer sets the headers of a signature, as the values of Accept-Signature ask.
type Signer = func(accept []string, status int, header http.Header, body []byte)

// SignOnRequest signs the answers of a route for callers that send Accept-Signature
// (RFC 9421 5), errors included. It comes before every layer of the route that can
// answer.
func SignOnRequest(sign Signer) Layer {
	return layer(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		accept := r.Header.Values(contract.HeaderAcceptSignature)
		if len(accept) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		held := &heldAnswer{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(held, r)
		content := held.body.Bytes()
		if r.Method == http.MethodHead { // RFC 9530 B.2: the digest covers what is sent
			content = nil
		}
		sign(accept, held.status, w.Header(), content)
		w.WriteHeader(held.status)
		_, _ = w.Write(held.body.Bytes()) // fails only when the client has gone
	})
}

// heldAnswer holds an answer back until it is complete, because its signature is
// sent before it.
type heldAnswer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader begins the answer. Nothing has been sent yet, so an error that occurs
// after the beginning replaces it.
func (h *heldAnswer) WriteHeader(status int) {
	h.status = status
	h.body.Reset()
}

func (h *heldAnswer) Write(body []byte) (int, error) { return h.body.Write(body) }

// Unwrap lets exchangeOf and http.ResponseController reach what is below.
func (h *heldAnswer) Unwrap() http.ResponseWriter { return h.ResponseWriter }
