package middleware

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"frontdesk/contract"
)

// Observer is told of every request that is done. It must not wait for anything.
type Observer interface {
	Request(done Finished)
}

// Finished is a request that is done. UserAgent and Policy are as they were sent:
// an observer may sort by them, and keeps them not.
type Finished struct {
	Method    string // any text that a caller made up
	Route     string // the pattern of the route; empty when there is none
	Status    int
	Took      time.Duration
	UserAgent string
	Policy    string // the RateLimit-Policy of the answer, if any
	Signature string // what is known of the request's signature; empty without one
}

// tell hands a finished request to the observer, if there is one.
func (e *exchange) tell(observer Observer, r *http.Request, took time.Duration) {
	if observer == nil {
		return
	}
	done := Finished{Method: r.Method, Status: e.status, Took: took}
	if done.Status == 0 {
		done.Status = http.StatusOK // what net/http answers when a handler writes nothing
	}
	if route := chi.RouteContext(r.Context()); route != nil {
		done.Route = route.RoutePattern()
	}
	if agent := r.Header["User-Agent"]; len(agent) > 0 {
		done.UserAgent = agent[0]
	}
	sent := map[string][]string(e.Header()) // in which the name stands as it goes on the wire
	if policy := sent[contract.HeaderRateLimitPolicy]; len(policy) > 0 {
		done.Policy = policy[0]
	}
	if e.signed != nil {
		done.Signature = e.signed.outcome
	}
	observer.Request(done)
}
