// Package metrics counts what the service does, for Prometheus. Nothing of a
// request, a question, an address or a caller is in it: every label takes its values
// from a list that is fixed here or at the start, and what is not on the list is
// "other".
//
// On the way of a request stands Request alone; what is only asked of the service,
// such as how much of the model's daily cap is left, is asked when somebody scrapes.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"frontdesk/contract"
)

// other is the label of whatever is on no list.
const other = "other"

// Config is what the metrics are of.
type Config struct {
	Routes  []string // the patterns of the route table
	Version string   // of the binary
	State   State
}

// Metrics counts. A nil *Metrics counts nothing: so it is while there is no admin
// listener. Its methods may be called by many at once and wait for nothing.
type Metrics struct {
	registry *prometheus.Registry
	requests requests
	clients  [classes]prometheus.Counter
	agents   map[string]prometheus.Counter // by outcome of the signature
	refusals map[string]prometheus.Counter // by the policy's header
	asks     map[ask]prometheus.Counter
	mails    map[Outcome]prometheus.Counter
	reloads  map[Reload]prometheus.Counter
}

// New makes the metrics of a service, all zero.
func New(config Config) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		newStateCollector(config.State),
	)
	m.info(config.Version)
	m.countRequests(config.Routes)
	m.countClients()
	m.countRefusals()
	m.countWork()
	return m
}

// Handler answers with all metrics in the format that the scraper prefers.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// info is the gauge that tells which binary this is.
func (m *Metrics) info(version string) {
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: contract.Product + "_build_info", Help: "The version of the binary.",
	}, []string{"version"})
	info.WithLabelValues(version).Set(1)
	m.registry.MustRegister(info)
}

// counter registers a counter with one or more labels.
func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: contract.Product + name, Help: help}, labels)
	m.registry.MustRegister(vec)
	return vec
}
