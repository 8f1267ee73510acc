package outbox

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// An inquiry that is left behind is sent once its lease has ended,
// and not before; a database that is down meanwhile is logged once.
func TestRecoverInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sentAt time.Time
		store, log := &memory{}, &bytes.Buffer{}
		o := New(Config{Store: store, Log: zerolog.New(log), Sender: senderFunc(func(context.Context, mailer.Message) error {
			sentAt = time.Now()
			return nil
		})})
		inquiry, _ := sample()
		inquiry.State, inquiry.Lease = records.Pending, newLease()
		expect.OK(t, expect.ErrorOf(store.AddInquiry(t.Context(), inquiry, records.Key{})))
		store.turn(true)
		stop := run(t, o)
		time.Sleep(40 * time.Second)
		store.turn(false)
		time.Sleep(80 * time.Second)
		stop()
		if late := sentAt.Sub(inquiry.Lease.Until); late <= 0 || late > recoveryInterval*5/4 {
			t.Errorf("sent %v after the lease had ended, want up to %v", late, recoveryInterval*5/4)
		}
		if lines := bytes.Count(log.Bytes(), []byte("\n")); lines != 2 {
			t.Errorf("%d lines, want one of the database and one of the delivery:\n%s", lines, log)
		}
	})
}

// A lease does not end in the middle of a delivery because the clock is
// set forward or the machine has slept. If the clock is set back, an interrupted mail is
// only sent later.
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
	if shortest := recoveryInterval * 3 / 4; shortest < mailer.SendTimeout+2*records.CallTimeout {
		t.Errorf("looks are %v apart at the least: a delivery may take longer", shortest)
	}
}

// When the service ends, Recover finishes the delivery that is under
// way and begins no other.
func TestRecoverStops(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	for n := range 3 {
		interrupted(t, store, n, time.Now().Add(-time.Second))
	}
	ctx, stop := context.WithCancel(t.Context())
	o := New(Config{Store: store, Log: zerolog.Nop(), Sender: senderFunc(func(ctx context.Context, _ mailer.Message) error {
		stop()
		return ctx.Err()
	})})
	o.Recover(ctx)
	for state, want := range map[records.State]int{records.Sent: 1, records.Pending: 2} {
		if got, err := store.Inquiries(t.Context(), records.InquiryQuery{States: []records.State{state}}); err != nil || len(got) != want {
			t.Errorf("%d inquiries are %s (%v), want %d", len(got), state, err, want)
		}
	}
}

// Resend records the outcome of a mail when the database is away
// only for a moment. If it stays away, Resend returns the outcome with an error.
func TestResendIsRecorded(t *testing.T) {
	t.Parallel()
	for away, noted := range map[time.Duration]bool{2 * time.Second: true, time.Minute: false} {
		t.Run(away.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &memory{}
				o := New(Config{Store: store, Sender: senderFunc(func(context.Context, mailer.Message) error {
					store.turn(true)
					time.AfterFunc(away, func() { store.turn(false) })
					return nil
				})})
				got, err := o.Resend(t.Context(), "inq_1")
				if got.State != records.Sent || (err == nil) != noted || (store.state() == records.Sent) != noted {
					t.Errorf("%s, %v, noted as %s; want it sent, and noted: %v", got.State, err, store.state(), noted)
				}
			})
		})
	}
}
