package outbox

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
)

// TestRecoverSendsTheSameMail: a mail that a crash interrupted is sent once, by any
// instance, with the same bytes.
func TestRecoverSendsTheSameMail(t *testing.T) {
	t.Parallel()
	const inquiries = 10
	server, dir, log := mailtest.Listen(t, mailtest.Options{}), t.TempDir(), &bytes.Buffer{}
	stores := []*records.Store{openIn(t, dir), openIn(t, dir)}
	want := map[string]bool{}
	for n := range inquiries {
		bytes := expect.Value(mail(interrupted(t, stores[0], n, time.Now().Add(-time.Second))).Bytes())(t)
		want[string(bytes)] = true
	}
	interrupted(t, stores[0], inquiries, time.Now().Add(time.Hour)) // under way elsewhere
	var wait sync.WaitGroup
	logger := zerolog.New(zerolog.SyncWriter(log))
	for _, store := range stores {
		o := New(Config{Store: store, Sender: overSMTP(t, server), Log: logger})
		wait.Go(func() {
			if err := o.recoverAll(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	mails := server.Messages()
	for _, mail := range mails {
		if !want[string(mail.Data)] {
			t.Errorf("a mail that is not one of the stored ones:\n%s", mail.Data)
		}
		delete(want, string(mail.Data))
	}
	if len(mails) != inquiries || len(want) != 0 {
		t.Errorf("%d mails arrived and %d are missing, want %d", len(mails), len(want), inquiries)
	}
	sent, err := stores[0].Inquiries(t.Context(), records.InquiryQuery{States: []records.State{records.Sent}})
	if err != nil || len(sent) != inquiries {
		t.Errorf("%d inquiries are sent (%v), want %d", len(sent), err, inquiries)
	}
	if lines := bytes.Count(log.Bytes(), []byte("\n")); lines != inquiries || bytes.Contains(log.Bytes(), []byte(secret)) {
		t.Errorf("%d lines in the log, want one for each, without a field:\n%s", lines, log)
	}
}

// TestRecoverInTime: an inquiry that is left behind is sent once its lease has ended,
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
		expect.OK(t, store.AddInquiry(t.Context(), inquiry, records.Claim{}))
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

// TestClockIsSet: a lease does not end in the middle of a delivery because the clock is
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

// TestRecoverStops: when the service ends, Recover finishes the delivery that is under
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
