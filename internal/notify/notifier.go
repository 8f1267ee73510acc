package notify

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	mathrand "math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/records"
	"frontdesk/internal/span"
)

// Store keeps notifications; records.Store is one, and documents its methods.
type Store interface {
	AddNotifications(ctx context.Context, notifications []records.Notification) error
	ClaimNotification(ctx context.Context, target, lease string, until, now time.Time) (records.Notification, error)
	SettleNotification(ctx context.Context, n records.Notification) error
	NextNotification(ctx context.Context, target string) (time.Time, error)
	Questions(ctx context.Context) ([]records.Question, error)
}

// Outcome is the outcome of an attempt.
type Outcome string

const (
	Sent    Outcome = "sent"
	Retried Outcome = "retried" // it failed, and another attempt follows
	Failed  Outcome = "failed"  // it failed for good
)

// Outcomes are all outcomes.
var Outcomes = []Outcome{Sent, Retried, Failed}

// Config is what a notifier works with.
type Config struct {
	Store    Store
	Targets  []Target
	OwnerURL string                               // of the owner's pages, with a final slash, or empty
	Language func() string                        // of the messages; an empty one is English
	Zone     func() *time.Location                // of the business, for the weekly digest
	Count    func(target string, outcome Outcome) // counts an attempt
	Events   *span.Events
	Log      zerolog.Logger
}

// Notifier stores notifications and sends them. Its methods may be called concurrently.
// Without targets it does nothing.
type Notifier struct {
	config Config
	client *http.Client
	wakes  []chan struct{} // one for each target; each holds an item when there may be something new
}

// New makes a notifier.
func New(config Config) *Notifier {
	n := &Notifier{config: config, client: newClient()}
	for range config.Targets {
		n.wakes = append(n.wakes, make(chan struct{}, 1))
	}
	return n
}

// Settled returns the notifications of an inquiry whose delivery has ended, to be stored
// together with its outcome.
func (n *Notifier) Settled(inquiry records.Inquiry) []records.Notification {
	kind := MailFailed
	switch inquiry.State {
	case records.Failed, records.Unknown:
	case records.Sent:
		kind = InquiryAccepted
	default:
		return nil
	}
	return n.rows(kind, inquiry.ID, origin{inquiry.RequestID})
}

// Started returns the notifications of a trial, to be stored together with it.
func (n *Notifier) Started(workspace records.Workspace) []records.Notification {
	return n.rows(TrialStarted, workspace.ID, facts{})
}

// ContentRefused reports content that was refused at a reload, by its revision and the
// number of its faults: once a day for one revision, however many instances read it.
func (n *Notifier) ContentRefused(ctx context.Context, revision string, faults int) {
	subject := revision + " " + time.Now().UTC().Format(time.DateOnly)
	n.add(ctx, n.rows(ContentRefused, subject, facts{Revision: revision, Faults: faults}))
}

// CertificateEnding reports a certificate that ends soon: once, however often it is called.
func (n *Notifier) CertificateEnding(ctx context.Context, domain string, end time.Time) {
	at := end.UTC().Format(time.RFC3339)
	n.add(ctx, n.rows(CertificateEnding, domain+" "+at, facts{Domain: domain, End: at}))
}

// BackupFailed reports a failed daily backup, at most once a day.
func (n *Notifier) BackupFailed(ctx context.Context) {
	n.add(ctx, n.rows(BackupFailed, time.Now().UTC().Format(time.DateOnly), facts{}))
}

// Wake makes Run look for notifications that were stored a moment ago.
func (n *Notifier) Wake() {
	for _, wake := range n.wakes {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// origin is what only the log shows of an event: the id of the request that caused it.
type origin struct {
	Request string `json:"request,omitempty"`
}

// rows makes the rows of an event, one for each target. Their data are facts or an origin.
func (n *Notifier) rows(kind Kind, subject string, data any) []records.Notification {
	text, _ := json.Marshal(data)                      // which has only strings and numbers, and no error
	now := time.Now().UTC().Truncate(time.Microsecond) // as records keep it
	rows := make([]records.Notification, len(n.config.Targets))
	for i, target := range n.config.Targets {
		rows[i] = records.Notification{
			ID: records.NewNotificationID(), Target: target.Name, Kind: string(kind), Subject: subject, Data: string(text),
			State: records.Pending, Due: now, CreatedAt: now,
		}
	}
	return rows
}

// add stores notifications of an event that has no record of its own.
func (n *Notifier) add(ctx context.Context, rows []records.Notification) {
	if len(rows) == 0 {
		return
	}
	if err := n.config.Store.AddNotifications(context.WithoutCancel(ctx), rows); err != nil {
		n.config.Log.Error().Str("kind", rows[0].Kind).Err(err).Msg("cannot store a notification")
		return
	}
	n.Wake()
}

// Times of the attempts.
const (
	// giveUp is the age at which a notification that was not accepted has failed. One that
	// is twice as old is not sent: its target was not set for a while.
	giveUp = 24 * time.Hour
	// A pause between two attempts is as long as the notification is old, within these
	// bounds; a longer Retry-After of the target is obeyed up to the same bound.
	minPause = 5 * time.Second
	maxPause = 4 * time.Hour
	// leaseTime is how long no other instance sends a notification that one has claimed:
	// longer than an attempt takes, so that clocks may differ by the rest.
	leaseTime = time.Minute
	// lookInterval is about how often a notifier looks for what other instances have
	// stored, or have left when they ended.
	lookInterval = 30 * time.Second
	// minLook bounds how often it looks when others take what it has seen.
	minLook = time.Second
)

// Run sends notifications until ctx ends; an attempt that is under way then is finished.
func (n *Notifier) Run(ctx context.Context) {
	if len(n.config.Targets) == 0 {
		return
	}
	var work sync.WaitGroup
	for i, target := range n.config.Targets {
		work.Go(func() { n.follow(ctx, target, n.wakes[i]) })
	}
	work.Go(func() { n.weekly(ctx) })
	work.Wait()
	n.client.CloseIdleConnections()
}

// follow sends the notifications of one target, so that none waits for another target. A
// stop does not end a claim halfway: it could hold a lease without knowing.
func (n *Notifier) follow(ctx context.Context, target Target, wake <-chan struct{}) {
	for reached := true; ctx.Err() == nil; {
		pause, err := n.sendDue(context.WithoutCancel(ctx), target)
		if err != nil && reached {
			n.config.Log.Error().Str("target", target.Name).Err(err).Msg("cannot read notifications; trying again")
		}
		reached = err == nil
		select {
		case <-ctx.Done():
		case <-wake:
		case <-time.After(pause):
		}
	}
}

// jittered returns a time that differs by up to a quarter, so that many instances do not act
// at once.
func jittered(d time.Duration) time.Duration { return d*3/4 + mathrand.N(d/2) }

var errLeftOver = errors.New("it is too old to be sent")

// sendDue claims, sends and settles the notification that is due, if one is, and returns how
// long to wait for the next. It reads before it claims, because a claim takes the lock of a
// writer even when nothing is due.
func (n *Notifier) sendDue(ctx context.Context, target Target) (pause time.Duration, err error) {
	now, pause := time.Now(), jittered(lookInterval)
	due, err := n.config.Store.NextNotification(ctx, target.Name)
	if err == nil && due.After(now) {
		return min(max(due.Sub(now), minLook), pause), nil
	}
	var row records.Notification
	if err == nil {
		row, err = n.config.Store.ClaimNotification(ctx, target.Name, rand.Text(), now.Add(leaseTime), now)
	}
	if errors.Is(err, records.ErrNotFound) { // or another instance has claimed it
		return pause, nil
	}
	if err != nil {
		return pause, err
	}
	err = errLeftOver
	if now.Sub(row.CreatedAt) <= 2*giveUp {
		err = target.send(ctx, n.client, message(row, n.config.OwnerURL, n.config.Language()))
	}
	outcome := settle(&row, err, time.Now())
	n.config.Count(target.Name, outcome)
	n.log(row, outcome, err)
	if err := n.config.Store.SettleNotification(ctx, row); err != nil {
		n.config.Log.Error().Str("notification", row.ID).Str("target", row.Target).Str("outcome", string(outcome)).Err(err).
			Msg("cannot record the outcome of a notification; it is sent again under the same id")
	}
	return 0, nil
}

func (n *Notifier) log(row records.Notification, outcome Outcome, err error) {
	level := zerolog.DebugLevel
	switch {
	case outcome == Failed:
		level = zerolog.ErrorLevel
	case outcome == Retried && row.Tries == 1: // later attempts would only repeat it
		level = zerolog.WarnLevel
	}
	if level >= zerolog.WarnLevel {
		n.config.Events.Add(span.NotificationFailed, row.Target)
	}
	var from origin
	_ = json.Unmarshal([]byte(row.Data), &from) // without one there is no id
	line := n.config.Log.WithLevel(level).Str("notification", row.ID).Str("target", row.Target).Str("kind", row.Kind).
		Str("subject", row.Subject).Str("request", from.Request).
		Int("try", row.Tries).Str("outcome", string(outcome)).Err(err)
	if outcome == Retried {
		line.Time("next", row.Due)
	}
	line.Msg("notification of the owner")
}

// settle sets what an attempt leaves: sent, failed for good, or due again.
func settle(row *records.Notification, err error, now time.Time) Outcome {
	if err == nil {
		row.State, row.Detail = records.Sent, ""
		return Sent
	}
	row.Detail = err.Error()
	age := now.Sub(row.CreatedAt)
	pause := jittered(min(max(age, minPause), maxPause))
	answer, answered := errors.AsType[*statusError](err)
	if answered {
		pause = max(pause, min(answer.retryAfter, maxPause))
	}
	if answered && answer.status == http.StatusGone || age >= giveUp {
		row.State = records.Failed
		return Failed
	}
	row.Due = now.Add(pause)
	return Retried
}
