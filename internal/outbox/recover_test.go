package outbox

import (
	"bytes"
	"context"
	"errors"
	"net/textproto"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// An interrupted mail is sent once its lease has ended; a database outage is logged once.
func TestRecoverInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sentAt time.Time
		store, log := &memory{}, &bytes.Buffer{}
		o := New(Config{Mail: account, Store: store, Log: zerolog.New(log), Sender: sends(func() error {
			sentAt = time.Now()
			return nil
		})})
		inquiry, _ := sample()
		inquiry.State, inquiry.Lease = records.Pending, newLease()
		expect.Value(store.AddInquiry(t.Context(), inquiry, records.Key{}))(t)
		store.turn(true)
		stop := run(t, o)
		time.Sleep(40 * time.Second)
		store.turn(false)
		time.Sleep(80 * time.Second)
		stop()
		if late := sentAt.Sub(inquiry.Lease.Until); late <= 0 || late > recoveryInterval*5/4 {
			t.Errorf("sent %v after the lease had ended, want up to %v", late, recoveryInterval*5/4)
		}
		expect.Same(t, "lines in:\n"+log.String(),
			2, bytes.Count(log.Bytes(), []byte("\n")))
	})
}

// No lease ends in the middle of a delivery because the clock is set forward or the machine slept. If it is set back,
// an interrupted mail is only sent later.
func TestClockIsSet(t *testing.T) {
	t.Parallel()
	looked := time.Now()
	lease := looked.Add(leaseTime)
	for _, tt := range []struct {
		name    string
		passed  time.Duration
		set     time.Duration
		expired bool
	}{
		{"not at all", recoveryInterval, 0, false},
		{"not at all, and the lease has ended", leaseTime + time.Second, 0, true},
		{"an hour forward", recoveryInterval, time.Hour, false},
		{"an hour forward, and the lease has ended", leaseTime + time.Second, time.Hour, true},
		{"an hour back", recoveryInterval, -time.Hour, false},
		{"an hour back, and the lease has ended", leaseTime + time.Second, -time.Hour, false},
	} {
		at := notSetForward(looked, looked.Add(tt.passed+tt.set), tt.passed)
		expect.Same(t, tt.name+": the lease has ended", tt.expired, lease.Before(at))
	}
	expect.AtLeast(t, "a lease", mailer.SendTimeout+2*records.CallTimeout, leaseTime)
	synctest.Test(t, func(t *testing.T) {
		store := openStore(t)
		o := New(Config{Mail: account, Store: store}) // it cannot send
		o.looks[0].clock = o.made.Add(-time.Hour)
		o.looks[1] = o.looks[0]
		interrupted(t, store, 1, o.made.Add(-time.Second))
		expect.OK(t, o.recoverAll(t.Context()))
		for _, claimed := range []bool{false, false, true} {
			_, got, err := o.Claim(t.Context(), "inq_1", records.Mail{})
			expect.Same(t, "set forward, claimed", []any{claimed, nil}, []any{got, err})
			time.Sleep(leaseTime)
		}
	})
}

func TestRecoverStops(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	for n := range 3 {
		interrupted(t, store, n, time.Now().Add(-time.Second))
	}
	ctx, stop := context.WithCancel(t.Context())
	o := New(Config{Mail: account, Store: store, Sender: senderFunc(func(ctx context.Context, _ mailer.Message) error {
		stop()
		return ctx.Err()
	})})
	o.Recover(ctx)
	expect.Same(t, "not sent", map[records.State]int{records.Pending: 2}, expect.Value(store.UnsentInquiries(t.Context()))(t))
}

// A service records the outcome that Resend could not.
func TestResendIsRecorded(t *testing.T) {
	t.Parallel()
	store := &memory{}
	o := New(Config{Mail: account, Store: store, Sender: sends(func() error { store.turn(true); return nil })})
	got, err := o.Resend(t.Context(), "inq_1")
	expect.Same(t, "sent, without an error", []any{records.Sent, false}, []any{got.State, err == nil})
	store.turn(false)
	o.settleList(t.Context())
	expect.Same(t, "noted by a service", records.Sent, store.state())
}

var (
	errRefused   = &mailer.Error{Outcome: mailer.Failed, Stage: "RCPT", Err: &textproto.Error{Code: 450, Msg: "try later"}}
	errAmbiguous = &mailer.Error{Outcome: mailer.Unknown, Stage: "final dot", Err: errors.New("connection cut")}
)

func fresh() records.Inquiry {
	inquiry, _ := sample()
	inquiry.CreatedAt = time.Now().UTC().Truncate(time.Microsecond)
	return inquiry
}

// With the setting, a failed mail is retried unchanged for up to five days; one that may have arrived is not.
func TestRetry(t *testing.T) {
	t.Parallel()
	type (
		tries  [2]int // at least and at most
		period [2]time.Duration
	)
	for _, tt := range []struct {
		name    string
		retry   bool
		outcome func(try int) error
		tries   tries
		state   records.State
		took    period // from the request to the last try
	}{
		{"off", false, func(int) error { return errRefused }, tries{1, 1}, records.Failed, period{}},
		{"sent at the third try", true, func(try int) error {
			if try == 3 {
				return nil
			}
			return errRefused
		}, tries{3, 3}, records.Sent, period{90 * time.Second, 6 * time.Minute}},
		{"may have arrived at the second try", true, func(try int) error {
			if try == 2 {
				return errAmbiguous
			}
			return errRefused
		}, tries{2, 2}, records.Unknown, period{45 * time.Second, 2 * time.Minute}},
		{"may have arrived at once", true, func(int) error { return errAmbiguous }, tries{1, 1}, records.Unknown, period{}},
		{"mail is set up after six days", true, func(try int) error {
			if try > 144 {
				return nil
			}
			return mailer.Unset{}.Send(t.Context(), mailer.Message{})
		}, tries{145, 145}, records.Sent, period{RetryFor, 7 * 24 * time.Hour}},
		{"never sent", true, func(int) error { return errRefused }, tries{90, 180}, records.Failed, period{RetryFor, RetryFor + 2*time.Hour}},
	} {
		expect.Bubble(t, tt.name, func(t *testing.T) {
			store, log := &memory{}, &bytes.Buffer{}
			var tries []time.Time
			mails, events, failed := map[mailer.Message]bool{}, &span.Events{}, 0
			o := New(Config{Mail: account, Store: store, Retry: tt.retry, Events: events, Log: zerolog.New(log), Sender: senderFunc(func(_ context.Context, mail mailer.Message) error {
				tries = append(tries, time.Now())
				mails[mail] = true
				err := tt.outcome(len(tries))
				if err != nil {
					failed++
				}
				return err
			})})
			stop := run(t, o)
			_ = deliver(t.Context(), o, fresh())
			time.Sleep(7 * 24 * time.Hour)
			stop()
			took := tries[len(tries)-1].Sub(tries[0])
			if len(tries) < tt.tries[0] || len(tries) > tt.tries[1] || took < tt.took[0] || took > tt.took[1] {
				t.Errorf("%d tries in %v, want %v in %v", len(tries), took, tt.tries, tt.took)
			}
			expect.Same(t, "state", []any{tt.state, 1}, []any{store.state(), len(mails)})
			last := events.List()[0]
			if last.Times != failed || last.At.Before(tries[failed-1]) || last.Kind != span.MailFailed || last.Subject == "" {
				t.Errorf("the events have %+v after %d failures, the last at %v", last, failed, tries[failed-1])
			}
			for i := range tries[1:] {
				if pause := tries[i+1].Sub(tries[i]); pause < minRetryPause*3/4 || pause > maxRetryPause*5/4+recoveryInterval*5/4 {
					t.Errorf("pause %d is %v", i, pause)
				}
			}
			if gaveUp := strings.Contains(log.String(), "failed for good"); gaveUp != (tt.retry && tt.state == records.Failed) || strings.Contains(log.String(), secret) {
				t.Errorf("the log reports the end of the retries: %v", gaveUp)
			}
		})
	}
}

// While the server is down, a round tries one retry; once it is back, all that are due. A mail whose content the server
// refuses delays no other.
func TestRetriesOneAtATime(t *testing.T) {
	t.Parallel()
	const inquiries = 5
	for name, tt := range map[string]struct {
		failure error
		tries   int
	}{
		"the server is away":             {&mailer.Error{Outcome: mailer.Failed, Stage: "connect", Err: errors.New("refused")}, 1},
		"the server refuses the account": {&mailer.Error{Outcome: mailer.Failed, Stage: "AUTH", Err: errors.New("535 no")}, 1},
		"the server takes no mails now":  {errRefused, 1},
		"the server refuses the recipient": {&mailer.Error{Outcome: mailer.Failed, Stage: "RCPT",
			Err: &textproto.Error{Code: 550, Msg: "no such mailbox"}}, 1},
		"the server hangs at DATA": {&mailer.Error{Outcome: mailer.Failed, Stage: "DATA",
			Err: context.DeadlineExceeded}, 1},
		"the server takes no content now": {&mailer.Error{Outcome: mailer.Failed, Stage: "final dot",
			Err: &textproto.Error{Code: 451, Msg: "try later"}}, 1},
		"the server refuses mails": {&mailer.Error{Outcome: mailer.Failed, Stage: "DATA",
			Err: &textproto.Error{Code: 554, Msg: "no"}}, inquiries},
		"the server takes the content and refuses it": {&mailer.Error{Outcome: mailer.Failed, Stage: "final dot",
			Err: &textproto.Error{Code: 554, Msg: "spam"}}, inquiries},
		"the server breaks down over mails": {errAmbiguous, 1},
		"another sender fails":              {errors.New("odd"), 1},
	} {
		expect.Bubble(t, name, func(t *testing.T) {
			store, tries := openStore(t), 0
			failure := tt.failure
			sender := sends(func() error { tries++; return failure })
			for n := range inquiries {
				inquiry := interrupted(t, store, n, time.Now().Add(time.Hour))
				inquiry.State, inquiry.RetryAt = records.Failed, time.Now().Add(-time.Second)
				expect.OK(t, store.SettleInquiry(t.Context(), inquiry))
			}
			expect.OK(t, New(Config{Mail: account, Store: store, Sender: sender}).recoverAll(t.Context()))
			expect.Same(t, "tries without the setting", 0, tries)
			o := New(Config{Mail: account, Store: store, Retry: true, Sender: sender})
			expect.OK(t, o.recoverAll(t.Context()))
			expect.Same(t, "tries of a round", tt.tries, tries)
			tries, failure = 0, nil
			expect.OK(t, o.recoverAll(t.Context()))
			expect.Same(t, "tries when it is back", inquiries-tt.tries, tries)
		})
	}
}

// The setting does not affect a command that sends a mail again.
func TestOwnerKeepsRetries(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	refuse := sends(func() error { return errRefused })
	expect.Error(t, "deliver",
		deliver(t.Context(), New(Config{Mail: account, Store: store, Retry: true, Sender: refuse}), fresh()), errRefused)
	before := stored(t, store)
	after := expect.Value(New(Config{Mail: account, Store: store, Sender: refuse}).Resend(t.Context(), before.ID))(t)
	expect.Same(t, "after it", []any{records.Failed, before.RetryAt}, []any{after.State, stored(t, store).RetryAt})
}
