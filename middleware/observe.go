package middleware

import (
	"errors"
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
	Policy    string // the name of the limit that the client is over, if any
	Signature string // what is known about the request's signature; empty without one
}

func finished(e *exchange, r *http.Request, route string, took time.Duration) Finished {
	failure, _ := errors.AsType[*contract.Error](e.err)
	if failure == nil {
		failure = &contract.Error{}
	}
	return Finished{
		Method:    r.Method,
		Route:     route,
		Status:    e.finalStatus(),
		Took:      took,
		Policy:    failure.Policy,
		Signature: e.signature.outcome,
	}
}
