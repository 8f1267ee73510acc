package middleware

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/callers"
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

	// Caller is who asks, by User-Agent. It is empty for a request that was refused, and for
	// what a page or a monitor fetches by itself.
	Caller callers.Kind
	// Session is the MCP client whose session the request began.
	Session callers.Kind
}

// fetched are the routes of what a page or a monitor fetches by itself.
var fetched = []string{contract.PathHealth, "/assets/{file}", contract.PathFavicon, contract.PathTouchIcon,
	contract.PathEmbed}

func callerOf(e *exchange, r *http.Request) callers.Kind {
	switch {
	case e.finalStatus() >= http.StatusBadRequest || slices.Contains(fetched, e.route):
		return ""
	}
	return callers.ByUserAgent(r.UserAgent())
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
		Caller:  callerOf(e, r),
		Session: e.session,
	}
}
