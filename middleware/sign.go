package middleware

import (
	"bytes"
	"net/http"

	"frontdesk/contract"
)

// SignOnRequest signs the answers of a route for callers that send Accept-Signature
// (RFC 9421 5), errors included. It comes before every layer of the route that can
// answer. sign sets the headers of a signature, as the values of Accept-Signature ask.
func SignOnRequest(sign func(accept []string, status int, header http.Header,
	body []byte)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
