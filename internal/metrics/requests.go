package metrics

import (
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/contract"
	"frontdesk/middleware"
)

// buckets are the upper bounds of the latency histogram, in seconds: an answer that
// is encoded already takes some 100 µs, one of the model up to 15 s, and a contact
// request as long as the mail server.
var buckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}

// methods and statuses are those that have a label of their own; the last of each
// stands for all others.
var (
	methods = [...]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions,
		http.MethodPut, http.MethodPatch, http.MethodDelete, other}
	statuses = [...]int{200, 202, 204, 304, 400, 403, 404, 405, 406, 413, 429, 500, 502, 503, 0}
)

// requests counts requests by route, method and status, and how long they took.
type requests struct {
	byRoute map[string]*routeCount // fixed
	none    *routeCount            // of requests that no route takes
}

// routeCount is what is counted of one route. A cell is made by the first request
// that falls into it, so that what never happens is not listed.
type routeCount struct {
	route   string
	count   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	cells   [len(methods)][len(statuses)]atomic.Pointer[prometheus.Counter]
	latency atomic.Pointer[prometheus.Observer]
}

// countRequests makes what is counted of each request.
func (m *Metrics) countRequests(routes []string) {
	count := m.counter("_http_requests_total", "Requests by route, method and status.", "route", "method", "status")
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: contract.Product + "_http_request_duration_seconds", Help: "How long requests took.", Buckets: buckets,
	}, []string{"route"})
	m.registry.MustRegister(seconds)
	of := func(route string) *routeCount { return &routeCount{route: route, count: count, seconds: seconds} }
	m.requests = requests{byRoute: map[string]*routeCount{}, none: of(other)}
	for _, route := range routes {
		m.requests.byRoute[route] = of(route)
	}
}

func (r requests) of(route string) *routeCount {
	if known := r.byRoute[route]; known != nil {
		return known
	}
	return r.none
}

func (r *routeCount) add(method string, status int, took time.Duration) {
	m, s := place(methods[:], method), place(statuses[:], status)
	cell := r.cells[m][s].Load()
	if cell == nil {
		label := strconv.Itoa(statuses[s])
		if statuses[s] == 0 {
			label = other
		}
		made := r.count.WithLabelValues(r.route, methods[m], label)
		cell = &made
		r.cells[m][s].Store(cell) // whoever comes at the same time makes the same one
	}
	(*cell).Inc()
	latency := r.latency.Load()
	if latency == nil {
		made := r.seconds.WithLabelValues(r.route)
		latency = &made
		r.latency.Store(latency)
	}
	(*latency).Observe(took.Seconds())
}

// place is where a value stands in a list, the last place when it does not.
func place[T comparable](list []T, value T) int {
	if i := slices.Index(list, value); i >= 0 {
		return i
	}
	return len(list) - 1
}

// Request counts a request that is done. It implements middleware.Observer.
func (m *Metrics) Request(done middleware.Finished) {
	m.requests.of(done.Route).add(done.Method, done.Status, done.Took)
	m.clients[classOf(done.UserAgent)].Inc()
	if done.Status == http.StatusTooManyRequests {
		if refusals := m.refusals[done.Policy]; refusals != nil {
			refusals.Inc()
		}
	}
	if done.Signature != "" {
		if agents := m.agents[done.Signature]; agents != nil {
			agents.Inc()
		}
	}
}

// countRefusals counts those who are over a limit by the header that tells them so:
// it is the same on every face of the service.
func (m *Metrics) countRefusals() {
	total := m.counter("_limit_refusals_total", "Requests over a limit, by its policy.", "policy")
	m.refusals = map[string]prometheus.Counter{}
	for _, policy := range []contract.Policy{contract.AskPolicy, contract.ContactPolicy, contract.TrialPolicy} {
		m.refusals[policy.Header()] = total.WithLabelValues(policy.Name)
	}
}
