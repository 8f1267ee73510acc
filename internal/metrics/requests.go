package metrics

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/contract"
	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/internal/owner"
	"frontdesk/internal/pilot"
	"frontdesk/mailer"
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

// Reload is what became of a reload.
type Reload string

// The results of a reload. Unchanged means that a file event led to content that was
// live already.
const (
	Reloaded  Reload = "reloaded"
	Refused   Reload = "refused"
	Unchanged Reload = "unchanged"
)

// counters count by the values of labels that are known from the start, so that a first
// event shows as a rise from zero. Other values are not counted.
type counters[K comparable] map[K]prometheus.Counter

func (c counters[K]) count(of K) {
	if counter := c[of]; counter != nil {
		counter.Inc()
	}
}

// work counts work other than requests.
type work struct {
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

func (m *Metrics) registerWork() {
	m.work = work{
		asks: counters[[2]string]{}, modelSeconds: map[model.Outcome]prometheus.Observer{},
		notifications: counters[[2]string]{},
		mails: countersOf(m, "_mails_total", "Mails by outcome.", "outcome",
			[]mailer.Outcome{mailer.Sent, mailer.Failed, mailer.Unknown}),
		mailFailures: countersOf(m, "_mail_failures_total",
			"Mails that were not delivered or may not have been, by the stage that was reached.", "stage",
			slices.Concat(mailer.Stages, []string{other})),
		mailSeconds: m.histogram("_mail_duration_seconds", "How long mails took, delivered or not.").WithLabelValues(),
		pilots: countersOf(m, "_pilot_requests_total",
			"Pilot requests that were no dry run, by outcome; over HTTP, MCP and the form.", "outcome", pilot.Outcomes),
		reloads: countersOf(m, "_content_reloads_total", "Reloads of the content by result.", "result",
			[]Reload{Reloaded, Refused, Unchanged}),
		signIns: countersOf(m, "_sign_ins_total", "Refused attempts to sign in to the owner's pages.", "outcome",
			[]string{refused}),
	}
	asks := m.counter("_asks_total", "Questions by how the answer was found, and why it is what it is; over HTTP and MCP.",
		"match", "reason")
	for _, match := range contract.Matches {
		for _, reason := range contract.Reasons {
			if (match == contract.MatchNone) != (reason == contract.ReasonMatched) {
				labels := [2]string{string(match), string(reason)}
				m.work.asks[labels] = asks.WithLabelValues(labels[:]...)
			}
		}
	}
	calls := m.histogram("_model_call_duration_seconds", "How long calls of the model took, by outcome.", "outcome")
	for _, outcome := range model.Outcomes {
		m.work.modelSeconds[outcome] = calls.WithLabelValues(string(outcome))
	}
	notifications := m.counter("_notifications_total", "Tries to send the owner a notification, by target and outcome.",
		"target", "outcome")
	for _, target := range notify.Names {
		for _, outcome := range notify.Outcomes {
			labels := [2]string{target, string(outcome)}
			m.work.notifications[labels] = notifications.WithLabelValues(labels[:]...)
		}
	}
}

// countersOf registers a counter with one label.
func countersOf[K ~string](m *Metrics, name, help, label string, values []K) counters[K] {
	vec, all := m.counter(name, help, label), counters[K]{}
	for _, value := range values {
		all[value] = vec.WithLabelValues(string(value))
	}
	return all
}

// Notified counts a try to send the owner a notification. Target and outcome are names
// of package notify.
func (m *Metrics) Notified(target string, outcome notify.Outcome) {
	m.work.notifications.count([2]string{target, string(outcome)})
}

// Asked counts an answered question.
func (m *Metrics) Asked(answer contract.Answer) {
	m.work.asks.count([2]string{string(answer.Match), string(answer.Reason)})
}

// Mailed counts a mail by the error of its sending and, if it was not sent, by the stage
// that it reached.
func (m *Metrics) Mailed(err error, took time.Duration) {
	m.work.mailSeconds.Observe(took.Seconds())
	outcome, stage := mailer.Sent, other
	if failure, ok := errors.AsType[*mailer.Error](err); ok {
		outcome, stage = failure.Outcome, label(mailer.Stages, failure.Stage)
	} else if err != nil {
		outcome = mailer.Unknown
	}
	m.work.mails.count(outcome)
	if outcome != mailer.Sent {
		m.work.mailFailures.count(stage)
	}
}

// ModelCalled counts a call of the model.
func (m *Metrics) ModelCalled(outcome model.Outcome, took time.Duration) {
	if calls := m.work.modelSeconds[outcome]; calls != nil {
		calls.Observe(took.Seconds())
	}
}

// Pilot counts a pilot request.
func (m *Metrics) Pilot(outcome pilot.Outcome) { m.work.pilots.count(outcome) }

// refused is the outcome of an attempt to sign in.
const refused = "refused"

// SignInRefused counts a refused attempt to sign in.
func (m *Metrics) SignInRefused() { m.work.signIns.count(refused) }

// Reload counts a reload.
func (m *Metrics) Reload(result Reload) { m.work.reloads.count(result) }
