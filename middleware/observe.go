package middleware

import (
	"net/http"
	"time"

	"frontdesk/contract"
)

// Observer is called with every request that is done. It must not block.
type Observer interface {
	Request(done Finished)
}

// Finished is a request that is done.
type Finished struct {
	Method    string // as sent: any text
	Route     string // the pattern of the route; empty when there is none
	Status    int
	Took      time.Duration
	Policy    string // the RateLimit-Policy of the answer, if any
	Signature string // what is known about the request's signature; empty without one
}

func finished(e *exchange, r *http.Request, route string, took time.Duration) Finished {
	return Finished{
		Method:    r.Method,
		Route:     route,
		Status:    e.finalStatus(),
		Took:      took,
		Policy:    e.Header().Get(contract.HeaderRateLimitPolicy),
		Signature: e.signature.outcome,
	}
}
