package metrics

import (
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/contract"
	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/mailer"
)

// mails counts mails by outcome, failures by stage, and how long deliveries took.
type mails struct {
	outcomes map[Outcome]prometheus.Counter
	failures map[string]prometheus.Counter // by stage
	seconds  prometheus.Observer
}

// Outcome is what became of a mail.
type Outcome string

// The outcomes of a mail. Unknown means that the mail server did not say whether it
// accepted the mail.
const (
	MailSent    Outcome = "sent"
	MailFailed  Outcome = "failed"
	MailUnknown Outcome = "unknown"
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

// ask is how a question was answered.
type ask struct {
	match  contract.Match
	reason contract.Reason
}

// notification is a try to send a notification.
type notification struct {
	target  string
	outcome notify.Outcome
}

// registerWork registers the counters of work other than requests. All of them exist
// from the start, so that a first event shows as a rise from zero.
func (m *Metrics) registerWork() {
	asks := m.counter("_asks_total", "Questions by how the answer was found, and why it is what it is; over HTTP and MCP.", "match", "reason")
	m.asks = map[ask]prometheus.Counter{}
	for _, match := range contract.Matches {
		for _, reason := range contract.Reasons {
			if (match == contract.MatchNone) != (reason == contract.ReasonMatched) {
				m.asks[ask{match, reason}] = asks.WithLabelValues(string(match), string(reason))
			}
		}
	}
	m.mails = mails{
		outcomes: map[Outcome]prometheus.Counter{}, failures: map[string]prometheus.Counter{},
		seconds: m.histogram("_mail_duration_seconds", "How long mails took, delivered or not.").WithLabelValues(),
	}
	outcomes := m.counter("_mails_total", "Mails by outcome.", "outcome")
	for _, outcome := range []Outcome{MailSent, MailFailed, MailUnknown} {
		m.mails.outcomes[outcome] = outcomes.WithLabelValues(string(outcome))
	}
	failures := m.counter("_mail_failures_total", "Mails that were not delivered or may not have been, by the stage that was reached.", "stage")
	for _, stage := range slices.Concat(mailer.Stages, []string{other}) {
		m.mails.failures[stage] = failures.WithLabelValues(stage)
	}
	calls := m.histogram("_model_call_duration_seconds", "How long calls of the model took, by outcome.", "outcome")
	m.calls = map[model.Outcome]prometheus.Observer{}
	for _, outcome := range model.Outcomes {
		m.calls[outcome] = calls.WithLabelValues(string(outcome))
	}
	notifications := m.counter("_notifications_total", "Tries to send the owner a notification, by target and outcome.", "target", "outcome")
	m.notifications = map[notification]prometheus.Counter{}
	for _, target := range notify.Names {
		for _, outcome := range notify.Outcomes {
			m.notifications[notification{target, outcome}] = notifications.WithLabelValues(target, string(outcome))
		}
	}
	reloads := m.counter("_content_reloads_total", "Reloads of the content by result.", "result")
	m.reloads = map[Reload]prometheus.Counter{}
	for _, result := range []Reload{Reloaded, Refused, Unchanged} {
		m.reloads[result] = reloads.WithLabelValues(string(result))
	}
}

// Notified counts a try to send the owner a notification. Target and outcome are names
// of package notify.
func (m *Metrics) Notified(target string, outcome notify.Outcome) {
	if m == nil {
		return
	}
	if counter := m.notifications[notification{target, outcome}]; counter != nil {
		counter.Inc()
	}
}

// Asked counts an answered question.
func (m *Metrics) Asked(answer contract.Answer) {
	if m == nil {
		return
	}
	if counter := m.asks[ask{answer.Match, answer.Reason}]; counter != nil {
		counter.Inc()
	}
}

// Mailed counts a mail, and for one that was not sent the stage that it reached.
func (m *Metrics) Mailed(outcome Outcome, stage string, took time.Duration) {
	if m == nil {
		return
	}
	m.mails.outcomes[outcome].Inc()
	m.mails.seconds.Observe(took.Seconds())
	if outcome == MailSent {
		return
	}
	if m.mails.failures[stage] == nil {
		stage = other
	}
	m.mails.failures[stage].Inc()
}

// ModelCalled counts a call of the model.
func (m *Metrics) ModelCalled(outcome model.Outcome, took time.Duration) {
	if m == nil {
		return
	}
	if calls := m.calls[outcome]; calls != nil {
		calls.Observe(took.Seconds())
	}
}

// Reload counts a reload.
func (m *Metrics) Reload(result Reload) {
	if m != nil {
		m.reloads[result].Inc()
	}
}
