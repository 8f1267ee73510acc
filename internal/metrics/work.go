package metrics

import (
	"errors"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/contract"
	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/internal/pilot"
	"frontdesk/mailer"
)

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
