package middleware

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"frontdesk/contract"
)

// Finished is a request that is done.
type Finished struct {
	Method string // as sent: any text
	Route  string // the name of the route; empty without one
	Status int
	Failed bool // by the service, although the status may say otherwise
	Ended  time.Time
	Took   time.Duration
	Policy string // the name of the limit that the client is over, if any

	// Client is the kind of program that asks, by User-Agent. It is empty for a request that was refused, and for
	// what a page or a monitor fetches by itself.
	Client ClientKind
	// Session is the MCP client whose session the request began.
	Session ClientKind
}

// fetched are the routes of what a page or a monitor fetches by itself.
var fetched = []string{contract.PathHealth, "/assets/{file}", contract.PathFavicon, contract.PathTouchIcon,
	contract.PathEmbed}

func clientKindOf(e *exchange, r *http.Request) ClientKind {
	if e.finalStatus() >= http.StatusBadRequest || slices.Contains(fetched, e.route) {
		return ""
	}
	return clientKindByUserAgent(r.UserAgent())
}

func finished(e *exchange, r *http.Request, began time.Time, took time.Duration) Finished {
	failure, _ := errors.AsType[*contract.Error](e.err)
	if failure == nil {
		failure = &contract.Error{}
	}
	return Finished{
		Method:  r.Method,
		Route:   e.route,
		Status:  e.finalStatus(),
		Failed:  e.failed || e.finalStatus() >= http.StatusInternalServerError,
		Ended:   began.Add(took),
		Took:    took,
		Policy:  failure.Policy,
		Client:  clientKindOf(e, r),
		Session: e.session,
	}
}
