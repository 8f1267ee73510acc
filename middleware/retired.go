package middleware

import (
	"fmt"
	"net/http"
	"time"

	"frontdesk/contract"
)

// minRetirement is the shortest time between the announcement of a route's end and
// the end itself (section 9.3: at least 6 months; the longest six have 184 days).
const minRetirement = 184 * 24 * time.Hour

// Retirement is the announced end of a route. The zero value means none.
type Retirement struct {
	Deprecated time.Time // from when on callers should use something else
	Sunset     time.Time // when the route ends
}

// Retired announces the end of a route on each of its answers: Deprecation
// (RFC 9745, seconds since 1970) and Sunset (RFC 8594, an HTTP date). It panics on
// dates that break the contract's promise: the route table is fixed at build time,
// and a test builds it.
func Retired(end Retirement) func(http.Handler) http.Handler {
	if end.Sunset.Sub(end.Deprecated) < minRetirement {
		panic(fmt.Sprintf("middleware: a route that is deprecated on %s must not end before %s",
			end.Deprecated.Format(time.DateOnly), end.Deprecated.Add(minRetirement).Format(time.DateOnly)))
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set(contract.HeaderDeprecation, fmt.Sprintf("@%d", end.Deprecated.Unix()))
			w.Header().Set(contract.HeaderSunset, end.Sunset.UTC().Format(http.TimeFormat))
			next.ServeHTTP(w, r)
		})
	}
}
