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

// registerRequests makes the metrics of requests.
func (m *Metrics) registerRequests() {
	m.requests = m.counter("_http_requests_total", "Requests by route, method and status.", "route", "method", "status")
	m.refusals = countersOf(m, "_limit_refusals_total", "Requests of clients over a limit, by its policy.", "policy",
		policies)
	m.seconds = m.histogram("_http_request_duration_seconds", "How long requests took.", "route")
	for route, methods := range m.routes { // what an alert reads is there before the first request
		m.seconds.WithLabelValues(route)
		for _, method := range methods {
			for _, status := range statuses {
				if status == "200" || status >= "500" {
					m.requests.WithLabelValues(route, method, status)
				}
			}
		}
	}
}

// Request counts a request that is done.
func (m *Metrics) Request(done middleware.Finished) {
	route := done.Route
	if m.routes[route] == nil && !strings.HasPrefix(route, owner.Path) {
		route = other
	}
	m.requests.WithLabelValues(route, label(methods, done.Method), label(statuses, strconv.Itoa(done.Status))).Inc()
	m.seconds.WithLabelValues(route).Observe(done.Took.Seconds())
	m.refusals.count(done.Policy)
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

// registerWork makes the metrics of work other than requests.
func (m *Metrics) registerWork() {
	m.mails = countersOf(m, "_mails_total", "Mails by outcome.", "outcome",
		[]mailer.Outcome{mailer.Sent, mailer.Failed, mailer.Unknown})
	m.mailFailures = countersOf(m, "_mail_failures_total",
		"Mails that were not delivered or may not have been, by the stage that was reached.", "stage",
		slices.Concat(mailer.Stages, []string{other}))
	m.mailSeconds = m.histogram("_mail_duration_seconds", "How long mails took, delivered or not.").WithLabelValues()
	m.pilots = countersOf(m, "_pilot_requests_total",
		"Pilot requests that were no dry run, by outcome; over HTTP, MCP and the form.", "outcome", pilot.Outcomes)
	m.reloads = countersOf(m, "_content_reloads_total", "Reloads of the content by result.", "result",
		[]Reload{Reloaded, Refused, Unchanged})
	m.signIns = countersOf(m, "_sign_ins_total", "Refused attempts to sign in to the owner's pages.", "outcome",
		[]string{refused})
	m.asks, m.notifications = counters[[2]string]{}, counters[[2]string]{}
	m.modelSeconds = map[model.Outcome]prometheus.Observer{}
	asks := m.counter("_asks_total", "Questions by how the answer was found, and why it is what it is; over HTTP and MCP.",
		"match", "reason")
	for _, match := range contract.Matches {
		for _, reason := range contract.Reasons {
			if (match == contract.MatchNone) != (reason == contract.ReasonMatched) {
				labels := [2]string{string(match), string(reason)}
				m.asks[labels] = asks.WithLabelValues(labels[:]...)
			}
		}
	}
	calls := m.histogram("_model_call_duration_seconds", "How long calls of the model took, by outcome.", "outcome")
	for _, outcome := range model.Outcomes {
		m.modelSeconds[outcome] = calls.WithLabelValues(string(outcome))
	}
	notifications := m.counter("_notifications_total", "Tries to send the owner a notification, by target and outcome.",
		"target", "outcome")
	for _, target := range notify.Names {
		for _, outcome := range notify.Outcomes {
			labels := [2]string{target, string(outcome)}
			m.notifications[labels] = notifications.WithLabelValues(labels[:]...)
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
	m.notifications.count([2]string{target, string(outcome)})
}

// Asked counts an answered question.
func (m *Metrics) Asked(answer contract.Answer) {
	m.asks.count([2]string{string(answer.Match), string(answer.Reason)})
}

// Mailed counts a mail by the error of its sending and, if it was not sent, by the stage
// that it reached.
func (m *Metrics) Mailed(err error, took time.Duration) {
	m.mailSeconds.Observe(took.Seconds())
	outcome, stage := mailer.Sent, other
	if failure, ok := errors.AsType[*mailer.Error](err); ok {
		outcome, stage = failure.Outcome, label(mailer.Stages, failure.Stage)
	} else if err != nil {
		outcome = mailer.Unknown
	}
	m.mails.count(outcome)
	if outcome != mailer.Sent {
		m.mailFailures.count(stage)
	}
}

// ModelCalled counts a call of the model.
func (m *Metrics) ModelCalled(outcome model.Outcome, took time.Duration) {
	if calls := m.modelSeconds[outcome]; calls != nil {
		calls.Observe(took.Seconds())
	}
}

// Pilot counts a pilot request.
func (m *Metrics) Pilot(outcome pilot.Outcome) { m.pilots.count(outcome) }

// refused is the outcome of an attempt to sign in.
const refused = "refused"

// SignInRefused counts a refused attempt to sign in.
func (m *Metrics) SignInRefused() { m.signIns.count(refused) }

// Reload counts a reload.
func (m *Metrics) Reload(result Reload) { m.reloads.count(result) }
