package metrics

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/contract"
	"frontdesk/internal/owner"
	"frontdesk/middleware"
)

// buckets are the upper bounds of the latency histogram, in seconds: a prepared answer
// takes some 100 µs, one of the model up to 15 s, and a contact request as long as
// the mail server.
var buckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}

// Labels of requests. Anything else is counted as other.
var (
	methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions,
		http.MethodPut, http.MethodPatch, http.MethodDelete}
	statuses = []string{"200", "202", "204", "303", "304", "400", "401", "403", "404", "405", "406", "408", "409", "410",
		"413", "422", "429", "500", "502", "503"}
	policies = []string{contract.AskPolicy.Name, contract.ContactPolicy.Name, contract.TrialPolicy.Name}
)

// requests counts requests by route, method and status, and how long they took.
type requests struct {
	routes   map[string][]string
	total    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	refusals counters[string] // by policy
	calls    counters[middleware.ClientKind]
	sessions counters[middleware.ClientKind] // of MCP
}

func (m *Metrics) registerRequests(routes map[string][]string) {
	m.requests = requests{
		routes: routes,
		total:  m.counter("_http_requests_total", "Requests by route, method and status.", "route", "method", "status"),
		refusals: countersOf(m, "_limit_refusals_total", "Requests of clients over a limit, by its policy.", "policy",
			policies),
		calls: countersOf(m, "_calls_total",
			"Answered requests by the kind of their caller; what pages fetch by themselves is left out.", "caller",
			middleware.ClientKinds),
		sessions: countersOf(m, "_mcp_sessions_total", "Sessions that MCP clients began, by the kind of client.", "caller",
			middleware.ClientKinds),
		seconds: m.histogram("_http_request_duration_seconds", "How long requests took.", "route"),
	}
	for route, methods := range routes { // what an alert reads is there before the first request
		m.requests.seconds.WithLabelValues(route)
		for _, method := range methods {
			for _, status := range statuses {
				if status == "200" || status >= "500" {
					m.requests.total.WithLabelValues(route, method, status)
				}
			}
		}
	}
}

// Request counts a request that is done.
func (m *Metrics) Request(done middleware.Finished) {
	route := done.Route
	if m.requests.routes[route] == nil && !strings.HasPrefix(route, owner.Path) {
		route = other
	}
	m.requests.total.WithLabelValues(route, label(methods, done.Method), label(statuses, strconv.Itoa(done.Status))).Inc()
	m.requests.seconds.WithLabelValues(route).Observe(done.Took.Seconds())
	m.requests.refusals.count(done.Policy)
	m.requests.calls.count(done.Client)
	m.requests.sessions.count(done.Session)
}

// label is a value that is on the list of its label, or other.
func label(known []string, value string) string {
	if slices.Contains(known, value) {
		return value
	}
	return other
}
