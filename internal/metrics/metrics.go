// Package metrics counts what the service does, for Prometheus. It records nothing
// that a caller wrote, no question and no address: the values of every label are
// listed here or fixed at the start, and anything else is "other".
//
// Only Request is called for every request. The state of the service, such as what is
// left of the model's daily cap, is read at each scrape.
package metrics

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"frontdesk/contract"
	"frontdesk/internal/model"
	"frontdesk/internal/pilot"
	"frontdesk/mailer"
)

// other is the label of what is on no list.
const other = "other"

// Config is what the metrics describe.
type Config struct {
	Routes    map[string][]string             // the methods of each pattern of the route table; counts start at 0
	Databases map[string]*sql.DB              // the pools of connections by name
	State     func(ctx context.Context) State // is called at each scrape
}

// Metrics counts. Its methods may be called concurrently and never block.
type Metrics struct {
	registry *prometheus.Registry

	routes   map[string][]string
	requests *prometheus.CounterVec   // by route, method and status
	seconds  *prometheus.HistogramVec // how long they took, by route
	refusals counters[string]         // by policy

	asks          counters[[2]string] // by match and reason
	mails         counters[mailer.Outcome]
	mailFailures  counters[string] // by stage
	mailSeconds   prometheus.Observer
	modelSeconds  map[model.Outcome]prometheus.Observer
	notifications counters[[2]string] // by target and outcome
	pilots        counters[pilot.Outcome]
	reloads       counters[Reload]
	signIns       counters[string]
}

// New makes the metrics of a service, all zero.
func New(config Config) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), routes: config.Routes}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		stateCollector(config.State),
	)
	for name, db := range config.Databases {
		m.registry.MustRegister(collectors.NewDBStatsCollector(db, name))
	}
	m.registerRequests()
	m.registerWork()
	return m
}

// Handler answers with all metrics in the format that the scraper prefers.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// histogram registers a histogram of seconds with one label or none.
func (m *Metrics) histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	vec := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: contract.Product + name, Help: help,
		Buckets: buckets}, labels)
	m.registry.MustRegister(vec)
	return vec
}

// counter registers a counter with one or more labels.
func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: contract.Product + name, Help: help}, labels)
	m.registry.MustRegister(vec)
	return vec
}
