package outbox

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

func run(t *testing.T, o *Outbox) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{}, 2)
	for _, work := range []func(context.Context){o.Settle, o.Recover} {
		go func() {
			work(ctx)
			ended <- struct{}{}
		}()
	}
	return func() {
		cancel()
		<-ended
		<-ended
	}
}

// The database goes away during a send and comes back after the
// lease has ended. The mail is not sent again.
func TestSettlesLater(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]records.State{"sent": records.Sent, "failed": records.Failed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store, mails := &memory{}, 0
				o := New(Config{Store: store, Log: zerolog.Nop(), Sender: senderFunc(func(context.Context, mailer.Message) error {
					mails++
					store.turn(true)
					if state == records.Failed {
						return &mailer.Error{Outcome: mailer.Failed, Err: errDown}
					}
					return nil
				})})
				stop := run(t, o)
				inquiry, _ := sample()
				err := deliver(t.Context(), o, inquiry)
				if state == records.Sent && err != nil || state == records.Failed && contract.AsError(err).Code != contract.BadGateway {
					t.Errorf("error = %v for a mail that is %s", err, state)
				}
				time.Sleep(5 * time.Minute)
				if store.state() != records.Pending {
					t.Fatalf("state = %q while the database is down", store.state())
				}
				store.turn(false)
				time.Sleep(2 * time.Second)
				if store.state() != state || mails != 1 {
					t.Errorf("state = %q after %d mails, want %q after 1", store.state(), mails, state)
				}
				time.Sleep(5 * time.Minute)
				stop()
				if mails != 1 || store.settles > 330 {
					t.Errorf("%d mails and %d tries to settle, want 1 and about one a second while it is down", mails, store.settles)
				}
			})
		})
	}
}

// An outcome is recorded when the service stops, if the database is
// back by then.
func TestSettlesAtTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		o := New(Config{Store: store, Log: zerolog.Nop(), Sender: senderFunc(func(context.Context, mailer.Message) error {
			store.turn(true)
			return nil
		})})
		stop := run(t, o)
		inquiry, _ := sample()
		if err := deliver(t.Context(), o, inquiry); err != nil {
			t.Error(err)
		}
		time.Sleep(1500 * time.Millisecond) // the next try is half a second away
		store.turn(false)
		stop()
		expect.Same(t, "state", records.Sent, store.state())
	})
}

// tardy reports a failure and stores the inquiry in spite of it: at once, like a server
// that is lost in the middle of the commit, or long after, like one that hung and then
// executes the statements that it received before.
type tardy struct {
	memory
	after time.Duration
}

func (s *tardy) AddInquiry(_ context.Context, inquiry records.Inquiry, key records.Key) (records.Inquiry, error) {
	if s.after == 0 {
		_, _ = s.memory.AddInquiry(context.Background(), inquiry, key)
	} else {
		time.AfterFunc(s.after, func() { _, _ = s.memory.AddInquiry(context.Background(), inquiry, key) })
	}
	return records.Inquiry{}, errDown
}

// The caller's request was refused, so the inquiry must not be
// mailed, although it is stored: at once, or after the database has answered that it is
// not there. One that is never stored leaves the list.
func TestUnconfirmedIsNotSent(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]records.State{
		0: records.Failed, doubtTime - 2*settleInterval: records.Failed, time.Hour: "",
	} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &tardy{after: after}
				o := New(Config{Store: store, Log: zerolog.Nop(), Sender: senderFunc(func(context.Context, mailer.Message) error {
					t.Error("a mail was sent for an inquiry that was refused")
					return nil
				})})
				defer run(t, o)()
				inquiry, _ := sample()
				if err := deliver(t.Context(), o, inquiry); contract.AsError(err).Code != contract.InternalError {
					t.Errorf("error = %v, want %s", err, contract.InternalError)
				}
				time.Sleep(5 * time.Minute)
				if store.state() != want || len(o.unsettled.all()) > 0 || store.settles > 70 {
					t.Errorf("state = %q, want %q; still looked for: %v, %d times", store.state(), want, len(o.unsettled.all()) > 0, store.settles)
				}
			})
		})
	}
}

// An attempt that lost its lease during the send logs that, and leaves the
// record to the attempt that has the lease.
func TestOvertaken(t *testing.T) {
	t.Parallel()
	store, log := &memory{}, &bytes.Buffer{}
	o := New(Config{Store: store, Log: zerolog.New(log), Sender: senderFunc(func(ctx context.Context, _ mailer.Message) error {
		_, err := store.ClaimInquiry(ctx, "inq_1", newLease(), time.Now())
		return err
	})})
	inquiry, _ := sample()
	if err := deliver(t.Context(), o, inquiry); err != nil {
		t.Error(err)
	}
	if store.state() != records.Pending || len(o.unsettled.inquiries) != 0 {
		t.Errorf("state = %q and %d to settle later, want it left as it is", store.state(), len(o.unsettled.inquiries))
	}
	checkLog(t, log, records.Sent, 2)
}

// Unconfirmed inquiries take bounded memory and do not displace those
// that were sent.
func TestListIsBounded(t *testing.T) {
	t.Parallel()
	o := New(Config{Store: &memory{down: true}, Log: zerolog.Nop()})
	for range maxUnsettled + 10 {
		o.settleLater(unsettled{Inquiry: records.Inquiry{State: records.Failed, Message: secret, Lease: newLease()}})
	}
	last := records.Inquiry{State: records.Sent, Lease: newLease()}
	o.settleLater(unsettled{Inquiry: last})
	kept := o.unsettled.inquiries
	if len(kept) != maxUnsettled+1 || kept[last.Lease].State != records.Sent {
		t.Errorf("%d are kept, the last %q", len(kept), kept[last.Lease].State)
	}
	for _, one := range kept {
		expect.Same(t, "the text that is kept", "", one.Message)
	}
}
