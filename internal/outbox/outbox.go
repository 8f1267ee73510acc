// Package outbox gets an inquiry to the owner in three steps: store it, send its
// mail, settle how that ended. The order is the promise of the decisions
// ("Storage"): what was answered with 200 has been stored and taken by the mail
// server, and what was not delivered is still there for the owner to see.
//
// From the first step to the last, the inquiry is leased to the attempt that sends its
// mail. What a crash interrupts stays pending; once its lease has ended,
// [Outbox.Recover] of any instance sends it, and only one of them does. Every mail of an
// inquiry is the same, Message-ID and date included, and goes to the addresses that are set
// when it is sent, so that a wrong one can be corrected. If a mail server took an
// earlier one without our knowing, the server and the owner can recognize the duplicate.
//
// A failed mail is sent again only if the owner or the caller asks for it, or if
// [Config.Retry] is set. A mail that may have arrived is never sent again without being
// asked for.
//
// The log of this package names an inquiry only by its id and Message-ID; it holds
// nothing that a caller wrote.
package outbox

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Store keeps inquiries; records.Store is one, and documents its methods. It bounds each
// call that writes by records.CallTimeout: the three of a request, together with a send, stay about the
// 20 s that a stopping service gives what is in flight.
type Store interface {
	AddInquiry(ctx context.Context, inquiry records.Inquiry, key records.Key) (records.Inquiry, error)
	SettleInquiry(ctx context.Context, inquiry records.Inquiry) error
	Inquiry(ctx context.Context, id string) (records.Inquiry, error)
	InquiryByKey(ctx context.Context, key records.Key, now time.Time) (records.Inquiry, error)
	ClaimInquiry(ctx context.Context, id string, lease records.Lease, mail records.Mail,
		now time.Time) (records.Inquiry, error)
	ClaimNotice(ctx context.Context, subject string, since, day int64) (claimed bool, err error)
	ReleaseNotice(ctx context.Context, subject string, day int64) error
	Inquiries(ctx context.Context, query records.InquiryQuery) ([]records.Inquiry, error)
	CountInquiries(ctx context.Context, query records.InquiryQuery) (map[records.InquiryView]int, error)
	ClaimDue(ctx context.Context, lease records.Lease, mail records.Mail,
		expired, retry time.Time) (records.Inquiry, error)
}

// Notifier makes the notifications to the owner that are stored together with the
// outcome of a delivery; notify.Notifier is one.
type Notifier interface {
	Settled(inquiry records.Inquiry) []records.Notification
	Wake() // they are stored
}

// Config is what an outbox works with.
type Config struct {
	Store  Store
	Sender mailer.Sender
	Mail   func() mailer.Account // whose addresses a mail has
	// DailySends is how many inquiries Add accepts in a day (UTC), of which one network may
	// use a tenth; zero means no limit.
	DailySends int
	// Retry makes Recover try failed mails again, and Add return the equal inquiry whose mail
	// is still to be sent.
	Retry    bool
	Notifier Notifier      // nil notifies no one
	OwnerURL string        // of the owner's pages, with a final slash, or empty
	Language func() string // of the notices to the owner; nil or "" means English
	Events   *span.Events
	Log      zerolog.Logger
}

// leaseTime is how long no other attempt may send the mail of an inquiry. It is much
// longer than a send with its two records: the difference is how far the clocks of two
// instances may be apart, or how long one of them may stop, before both send.
const leaseTime = time.Minute

// Outbox delivers inquiries. Its methods may be called by many at once.
type Outbox struct {
	Config
	unsettled unsettledList
	notices   sync.WaitGroup
	// failedNotices has the time of the last failure of a notice, by subject.
	failedNotices sync.Map

	clock sync.Mutex // held over a look
	made  time.Time
	looks [2]look // the first is at least leaseTime old, unless both are from the start
}

// look is a reading of the clock, with the age of the Outbox at that time.
type look struct {
	clock time.Time
	age   time.Duration
}

// New makes an outbox.
func New(config Config) *Outbox {
	if config.Language == nil {
		config.Language = func() string { return "" }
	}
	now := time.Now()
	return &Outbox{
		Config:    config,
		unsettled: unsettledList{inquiries: map[records.Lease]unsettled{}, wake: make(chan struct{}, 1)},
		made:      now,
		looks:     [2]look{{clock: now}, {clock: now}},
	}
}

// Add stores an inquiry under its key, if it has one, and takes its lease: Send is next. If
// another inquiry has the key, or an equal one is [records.Inquiry.Queued], Add stores
// nothing, added is false, and Add returns the other. The error is records.ErrKeyReused when
// the key was used for another request, rate_limited when the limit of the day is reached,
// and else says why the inquiry could not be stored; it is never sent then.
func (o *Outbox) Add(ctx context.Context, inquiry records.Inquiry, key records.Key) (stored records.Inquiry, added bool,
	err error) {
	inquiry.State, inquiry.Lease, inquiry.Limit = records.Pending, newLease(), o.limit(ctx)
	if o.Retry {
		inquiry.Equal = inquiry.Fingerprint()
	}
	stored, err = o.Store.AddInquiry(ctx, inquiry, key)
	switch {
	case err == nil:
		return stored, stored.ID == inquiry.ID, nil
	case errors.Is(err, records.ErrKeyReused):
		return stored, false, err
	case errors.Is(err, records.ErrDailySends):
		o.notices.Go(func() { o.notice(ctx, noticeSends, 0, inquiry) })
		return stored, false, limitReached(err)
	}
	// A database that was lost in the middle of the commit may have the inquiry,
	// and the caller hears that it was not accepted: it must not be sent later.
	inquiry.State, inquiry.Detail = records.Failed, "not sent: the database did not confirm that the request is stored"
	o.unsettled.add(unsettled{Inquiry: inquiry, doubtful: true})
	return stored, false, err
}

func newLease() records.Lease {
	return records.Lease{Owner: rand.Text(), Until: time.Now().Add(leaseTime)}
}

// Send sends the mail of an inquiry that Add or Claim returned, and settles it. Nil means
// that the mail server has taken the mail. The error is bad_gateway when the mail failed or
// its outcome is unknown, and then the inquiry is kept; or internal_error if it is not stored
// any more. There is no second attempt: after an unknown outcome it could mail an inquiry
// twice.
//
// ctx must not be canceled when the client disconnects: the client may have left before or
// after the 250, and a delivery cut in the middle is the worst of both.
func (o *Outbox) Send(ctx context.Context, inquiry records.Inquiry) error {
	span.NoteInquiry(ctx, inquiry.ID)
	inquiry, sendErr := o.send(ctx, inquiry)
	o.report(inquiry, zerolog.DebugLevel, sendErr)
	settleErr := o.settleOrDefer(ctx, inquiry)
	switch {
	case inquiry.State == records.Sent:
		return nil
	case errors.Is(settleErr, records.ErrDatabaseGone):
		return contract.Internal(errors.Join(settleErr, sendErr)) // the request is not stored any more
	default:
		return o.refusal(inquiry, sendErr)
	}
}

// send sends the mail of an inquiry and returns the inquiry with the outcome.
func (o *Outbox) send(ctx context.Context, inquiry records.Inquiry) (records.Inquiry, error) {
	ctx, cancel := context.WithTimeout(ctx, mailer.SendTimeout)
	defer cancel()
	began := time.Now()
	err := o.Sender.Send(ctx, mail(inquiry))
	span.Since(ctx, span.Mail, began)
	inquiry.State, inquiry.Detail = outcome(err)
	switch {
	case inquiry.State != records.Failed:
		inquiry.RetryAt = time.Time{}
	case o.Retry:
		inquiry.RetryAt = nextRetry(inquiry.CreatedAt, time.Now(), err)
	} // otherwise it is a command of the owner, which leaves the retries to the service
	return inquiry, err
}

// mail is the mail of an inquiry. It is made only of the record.
func mail(inquiry records.Inquiry) mailer.Message {
	return mailer.Message{
		ID:        inquiry.MessageID,
		From:      inquiry.From,
		To:        inquiry.To,
		ReplyName: inquiry.Name,
		ReplyTo:   inquiry.Email,
		Subject:   inquiry.Subject,
		Text:      inquiry.Text,
		Date:      inquiry.CreatedAt,
	}
}

// outcome is the state after a send, with the detail for the owner: each outcome of a mail
// is one. An error that does not say whether the mail may have arrived leaves that unknown.
func outcome(err error) (records.State, string) {
	if err == nil {
		return records.Sent, ""
	}
	if failure, ok := errors.AsType[*mailer.Error](err); ok {
		return records.State(failure.Outcome), failure.Detail()
	}
	return records.Unknown, err.Error()
}

// report logs a delivery: a successful one at the given level, because a request has a
// log line of its own.
func (o *Outbox) report(inquiry records.Inquiry, level zerolog.Level, err error) {
	message := "delivery of an inquiry"
	switch {
	case inquiry.State == records.Sent && err != nil:
		level, message = zerolog.WarnLevel, "the mail of an inquiry went to some of its recipients only"
		o.Events.Add(span.RecipientRefused, inquiry.ID)
	case err != nil:
		level = zerolog.ErrorLevel
		o.Events.Add(span.MailFailed, inquiry.ID)
	}
	line := o.event(o.Log.WithLevel(level), inquiry).Str("outcome", string(inquiry.State)).Err(err)
	if o.Retry && inquiry.State == records.Failed {
		if inquiry.RetryAt.IsZero() {
			message += "; it failed for good after five days: frontdesk inquiries --resend sends it again"
		} else {
			line.Time("retry_at", inquiry.RetryAt)
		}
	}
	line.Msg(message)
}

func (o *Outbox) event(event *zerolog.Event, inquiry records.Inquiry) *zerolog.Event {
	return event.Str("inquiry", inquiry.ID).Str("message_id", inquiry.MessageID).Str("request", inquiry.RequestID)
}

// refusal is the error that a caller gets for a mail that was not delivered.
func (o *Outbox) refusal(inquiry records.Inquiry, cause error) *contract.Error {
	detail := "The request is stored, but its e-mail could not be delivered: nothing is lost, and a person at the " +
		"service can still read it."
	switch {
	case o.Retry && inquiry.State == records.Failed && !inquiry.RetryAt.IsZero():
		detail = "The request is kept and will be sent: its e-mail could not be delivered yet and will be tried again. " +
			"Sending the same request again is safe: it joins this one and makes no second one."
	case inquiry.State == records.Unknown:
		detail = "The request is stored, but the mail server did not confirm its e-mail, which may have arrived: nothing " +
			"is lost, and a person at the service can still read it."
	case inquiry.State == records.Pending:
		detail = "The request is stored, and its e-mail is still under way: nothing is lost."
	}
	return &contract.Error{Code: contract.BadGateway, Detail: detail, Cause: cause}
}

// networkShare is the part of the day's sends that one network may use: one in so many.
const networkShare = 10

// limit returns the daily limits against which an inquiry of the client of ctx counts.
func (o *Outbox) limit(ctx context.Context) records.SendLimit {
	if o.DailySends == 0 {
		return records.SendLimit{}
	}
	return records.SendLimit{
		PerDay:     o.DailySends,
		Network:    limits.ClientFrom(ctx).Network(),
		PerNetwork: max(1, o.DailySends/networkShare),
	}
}

func limitReached(cause error) *contract.Error {
	return &contract.Error{
		Code: contract.RateLimited,
		Detail: "The daily limit of requests to this service, or from your network, is reached until midnight UTC. " +
			"Nothing was stored or sent.",
		RetryAfter: contract.DailyRetry,
		Cause:      cause,
	}
}

// waitPause is how often a request looks for the outcome of another one whose mail is under way.
const waitPause = 200 * time.Millisecond

var errWaited = errors.New("an earlier request with the same key was not delivered")

// Find returns the inquiry that was stored under a key, or the zero inquiry. The error is
// records.ErrKeyReused when the key was used for another request. The search comes before
// everything else, so it has half the time of a call.
func (o *Outbox) Find(ctx context.Context, key records.Key) (records.Inquiry, error) {
	ctx, cancel := context.WithTimeout(ctx, records.CallTimeout/2)
	defer cancel()
	found, err := o.Store.InquiryByKey(ctx, key, time.Now())
	if errors.Is(err, records.ErrNotFound) {
		return records.Inquiry{}, nil
	}
	return found, err
}

// Claim takes the lease of an inquiry whose mail is to be sent again, and stores what is new
// in that mail. If it was sent meanwhile, or another request has taken the lease, claimed is
// false and Claim returns the inquiry as it is now.
func (o *Outbox) Claim(ctx context.Context, id string, mail records.Mail) (inquiry records.Inquiry, claimed bool,
	err error) {
	inquiry, err = o.Store.ClaimInquiry(ctx, id, newLease(), mail, o.Now())
	if errors.Is(err, records.ErrSent) || errors.Is(err, records.ErrLeased) {
		inquiry, err = o.Store.Inquiry(ctx, id)
		return inquiry, false, err
	}
	return inquiry, err == nil, err
}

// Wait waits until the mail of an inquiry is no longer under way, on whichever instance. The
// error is bad_gateway when it was not sent, or when that takes too long.
func (o *Outbox) Wait(ctx context.Context, inquiry records.Inquiry) (records.Inquiry, error) {
	defer span.Since(ctx, span.SameKey, time.Now())
	ctx, cancel := context.WithTimeout(ctx, mailer.SendTimeout+records.CallTimeout) // no delivery takes longer
	defer cancel()
	for inquiry.State == records.Pending && pause(ctx, waitPause) {
		// A database that is away for a moment does not end the wait.
		if now, err := o.Store.Inquiry(ctx, inquiry.ID); err == nil {
			inquiry = now
		}
	}
	if inquiry.State != records.Sent {
		return records.Inquiry{}, o.refusal(inquiry, errWaited)
	}
	return inquiry, nil
}

// unsettledList holds the inquiries whose outcome is known but not in the database, because
// the database could not be reached. While one is on the list it is not sent again.
type unsettledList struct {
	mu        sync.Mutex
	inquiries map[records.Lease]unsettled
	wake      chan struct{} // holds an item when there is something new
}

// unsettled is one inquiry of the list.
type unsettled struct {
	records.Inquiry
	// doubtful says that it is unknown whether the inquiry is stored, or will be: a
	// server that hung may execute the statement that stores it after later ones.
	doubtful bool
	// doubtEnds is when a doubtful inquiry that is not in the database will not be
	// stored any more; zero while the database does not answer.
	doubtEnds time.Time
}

// doubtTime is how long a database that answers again may take to execute a statement
// that it received before.
const doubtTime = leaseTime

// maxUnsettled bounds the list. Sent inquiries are added beyond it: there are no more of
// them than were being sent when the database failed.
const maxUnsettled = 1000

// settleInterval is how often the inquiries of the list are tried again.
const settleInterval = time.Second

// settleOrDefer settles an inquiry together with its notifications, or puts it on the
// list until the database can be reached, and returns why it is not settled. A caller
// whose mail was sent gets a success in any case.
func (o *Outbox) settleOrDefer(ctx context.Context, inquiry records.Inquiry) error {
	if o.Notifier != nil {
		inquiry.Notifications = o.Notifier.Settled(inquiry)
	}
	err := o.Store.SettleInquiry(ctx, inquiry)
	if err == nil {
		o.wakeNotifier(inquiry)
		return nil
	}
	o.Events.Add(span.OutcomeNotStored, inquiry.ID)
	o.event(o.Log.Error(), inquiry).Str("outcome", string(inquiry.State)).Err(err).
		Msg("the outcome of a delivery could not be recorded")
	if !errors.Is(err, records.ErrLeaseLost) {
		o.unsettled.add(unsettled{Inquiry: inquiry})
	}
	return err
}

// wakeNotifier reports that the notifications of an inquiry, if it has any, are stored.
func (o *Outbox) wakeNotifier(inquiry records.Inquiry) {
	if len(inquiry.Notifications) > 0 {
		o.Notifier.Wake()
	}
}

// add puts on the list what is needed to settle an inquiry, and wakes Settle. A full list takes only inquiries whose
// mail was sent.
func (l *unsettledList) add(u unsettled) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if u.State == records.Sent || len(l.inquiries) < maxUnsettled {
		u.Inquiry = records.Inquiry{
			ID: u.ID, State: u.State, Detail: u.Detail, RetryAt: u.RetryAt, Lease: u.Lease, Notifications: u.Notifications,
		}
		l.inquiries[u.Lease] = u
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Settle settles the inquiries that could not be settled when their mail was sent, until
// ctx ends, and then once more. It must run until every Send has returned.
func (o *Outbox) Settle(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			o.settleList(context.WithoutCancel(ctx))
			o.notices.Wait()
			return
		case <-o.unsettled.wake:
		}
		for o.settleList(ctx); len(o.unsettled.all()) > 0 && pause(ctx, settleInterval); {
			o.settleList(ctx)
		}
	}
}

// settleList tries to settle every inquiry of the list and reports whether the database
// answered for each of them. It stops at the first that cannot be settled, because the
// others could not either.
func (o *Outbox) settleList(ctx context.Context) bool {
	for _, u := range o.unsettled.all() {
		// With a lost lease, another attempt has settled the inquiry, or it was never stored.
		err := o.Store.SettleInquiry(ctx, u.Inquiry)
		if err != nil && !errors.Is(err, records.ErrLeaseLost) {
			return false
		}
		if err == nil {
			o.wakeNotifier(u.Inquiry)
		}
		o.unsettled.answered(u.Lease, err == nil, time.Now())
	}
	return true
}

func (l *unsettledList) all() []unsettled {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.inquiries))
}

// answered removes the inquiry with a lease, if it is still on the list, when the database has
// settled it, or does not have it and will not store it any more.
func (l *unsettledList) answered(lease records.Lease, settled bool, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u, listed := l.inquiries[lease]
	switch {
	case !listed: // Settle and Recover both had it
	case settled || !u.doubtful || !u.doubtEnds.IsZero() && !now.Before(u.doubtEnds):
		delete(l.inquiries, lease)
	case u.doubtEnds.IsZero():
		u.doubtEnds = now.Add(doubtTime)
		l.inquiries[lease] = u
	}
}

// pause waits and reports whether ctx is still valid.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
