package outbox

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// recoveryInterval is about how often Recover looks. Each pause differs from it by
// up to a quarter, so that many instances do not look at once.
const recoveryInterval = 30 * time.Second

// Times of the retries of a failed mail. The pause before the next one is as long as
// the inquiry is old, within these bounds, so that each is about twice the one before.
const (
	minRetryPause = time.Minute
	maxRetryPause = time.Hour
	// RetryFor is how long a failed mail is retried; while mail is not set up, it is retried longer (RFC 5321 4.5.4.1:
	// at least 4 to 5 days).
	RetryFor = 5 * 24 * time.Hour
)

// nextRetry returns when to retry a mail that failed now; zero means never. While mail is not set up, age does not end
// the retries. Each pause differs by up to a quarter, so that the mails of an outage do not come all at once.
func nextRetry(created, now time.Time, err error) time.Time {
	age := now.Sub(created)
	if age >= RetryFor && !mailer.IsUnset(err) {
		return time.Time{}
	}
	pause := min(max(age, minRetryPause), maxRetryPause)
	return now.Add(pause*3/4 + rand.N(pause/2)).Truncate(time.Microsecond) // as records keep it
}

// Recover sends the mails whose delivery was interrupted, at once and then about every
// half minute, until ctx ends; it finishes the delivery that is under way then. It sends
// failed mails again only with [Config.Retry], and never those that may have arrived:
// the owner or the caller has to ask for that.
func (o *Outbox) Recover(ctx context.Context) {
	reached := true
	for {
		err := o.recoverAll(ctx)
		if err != nil && reached && ctx.Err() == nil {
			o.Events.Add(span.DeliveriesUnreadable, "")
			o.Log.Error().Err(err).Msg("interrupted deliveries cannot be read; trying again")
		}
		reached = err == nil
		if !pause(ctx, recoveryInterval*3/4+rand.N(recoveryInterval/2)) {
			return
		}
	}
}

// recoverAll claims and sends one inquiry after the other: a lease must not end while
// others are sent. The first failure that concerns more than one mail ends the retries of
// this round, because the others would most likely fail too.
func (o *Outbox) recoverAll(ctx context.Context) error {
	retries := o.Retry
	finish := context.WithoutCancel(ctx) // a claim that is cut off halfway could hold a lease without knowing it
	for ctx.Err() == nil {
		if !o.settleList(ctx) {
			return nil // it could send a mail again that is sent but not yet recorded
		}
		var retry time.Time
		if retries {
			retry = time.Now()
		}
		inquiry, err := o.Store.ClaimDue(finish, newLease(), o.addresses(), o.Now(), retry)
		if errors.Is(err, records.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		inquiry, sendErr := o.send(finish, inquiry)
		o.report(inquiry, zerolog.InfoLevel, sendErr)
		_ = o.settleOrDefer(finish, inquiry) // which logs its error
		failure, ok := errors.AsType[*mailer.Error](sendErr)
		retries = retries && (inquiry.State == records.Sent || ok && failure.ConcernsOneMail())
	}
	return nil
}

// Now returns the time by which leases end: the clock's, without recent steps forward. Such a step, as when the
// machine wakes up, would end all leases at once, also those of deliveries that go on. Recover looks often enough that
// a step counts a few minutes later.
func (o *Outbox) Now() time.Time {
	o.clock.Lock()
	defer o.clock.Unlock()
	now := time.Now()
	age := now.Sub(o.made)
	if age-o.looks[1].age >= leaseTime {
		o.looks = [2]look{o.looks[1], {now, age}}
	}
	return notSetForward(o.looks[0].clock, now, age-o.looks[0].age)
}

// notSetForward returns the time of a clock without the steps by which it was set
// forward since an earlier look at it.
func notSetForward(looked, now time.Time, passed time.Duration) time.Time {
	looked, now = looked.Round(0), now.Round(0) // readings of the wall clock
	if steady := looked.Add(passed); steady.Before(now) {
		return steady
	}
	return now
}

// addresses are those that are set now, for the next attempt to send a stored mail.
func (o *Outbox) addresses() records.Mail {
	from, to := o.Mail().Addresses()
	return records.Mail{From: from, To: to}
}

// Resend sends the mail of an inquiry again because the owner asks for it, and returns
// the inquiry with the outcome in its State. It sends inquiries that failed, may have
// arrived, were interrupted, or are quarantined. The errors are records.ErrNotFound,
// records.ErrSent, records.ErrLeased, and those of the database. An inquiry that comes with an
// error was mailed, and its outcome is still to be recorded: Settle does that in a service.
func (o *Outbox) Resend(ctx context.Context, id string) (records.Inquiry, error) {
	ctx = context.WithoutCancel(ctx) // Ctrl-C must not leave it half done
	inquiry, err := o.Store.ClaimInquiry(ctx, id, newLease(), o.addresses(), o.Now())
	if err != nil {
		return records.Inquiry{}, err
	}
	inquiry, _ = o.send(ctx, inquiry)
	if err = o.Store.SettleInquiry(ctx, inquiry); err != nil {
		o.unsettled.add(unsettled{Inquiry: inquiry})
	}
	return inquiry, err
}
