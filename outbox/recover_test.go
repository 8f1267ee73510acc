package outbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
	"frontdesk/records"
)

// interrupted stores the nth inquiry as a process leaves it that dies during a send.
func interrupted(t *testing.T, store *records.Store, n int, leaseEnd time.Time) records.Inquiry {
	t.Helper()
	inquiry, _ := sample()
	inquiry.ID = fmt.Sprintf("inq_%d", n)
	inquiry.MessageID = inquiry.ID + "@example.org"
	inquiry.State, inquiry.Lease = records.Pending, records.Lease{Owner: "dead", Until: leaseEnd}
	if err := store.AddInquiry(t.Context(), inquiry); err != nil {
		t.Fatal(err)
	}
	return inquiry
}

func overSMTP(t *testing.T, server *mailtest.Server) mailer.Transport {
	t.Helper()
	transport, err := mailer.Parse(server.URL(), "")
	if err != nil {
		t.Fatal(err)
	}
	return transport
}

// TestRecoverSendsTheVeryMail: what a crash interrupted arrives to the byte as it
// would have, from whichever instance, once.
func TestRecoverSendsTheVeryMail(t *testing.T) {
	t.Parallel()
	const inquiries = 10
	server, dir, log := mailtest.Listen(t, mailtest.Options{}), t.TempDir(), &bytes.Buffer{}
	stores := make([]*records.Store, 2)
	for n := range stores {
		var err error
		if stores[n], err = records.Open(t.Context(), records.Options{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		defer stores[n].Close()
	}
	want := map[string]bool{}
	for n := range inquiries {
		bytes, err := mail(interrupted(t, stores[0], n, time.Now().Add(-time.Second))).Bytes()
		if err != nil {
			t.Fatal(err)
		}
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
			t.Errorf("a mail that is none of the stored ones:\n%s", mail.Data)
		}
		delete(want, string(mail.Data))
	}
	if len(mails) != inquiries || len(want) != 0 {
		t.Errorf("%d mails arrived and %d are missing, want %d", len(mails), len(want), inquiries)
	}
	sent, err := stores[0].Inquiries(t.Context(), records.Filter{State: records.Sent})
	if err != nil || len(sent) != inquiries {
		t.Errorf("%d inquiries are sent (%v), want %d", len(sent), err, inquiries)
	}
	if lines := bytes.Count(log.Bytes(), []byte("\n")); lines != inquiries || bytes.Contains(log.Bytes(), []byte(secret)) {
		t.Errorf("%d lines in the log, want one for each, without a field:\n%s", lines, log)
	}
}

// TestRecoverDoesNotInsist: a recovered mail that fails is failed, and neither that
// nor anything else that is settled is ever sent by itself.
func TestRecoverDoesNotInsist(t *testing.T) {
	t.Parallel()
	for fault, want := range map[mailtest.Fault]records.State{
		{Stage: mailtest.To, Action: mailtest.Refuse}:    records.Failed,
		{Stage: mailtest.FinalDot, Action: mailtest.Cut}: records.Unknown,
	} {
		t.Run(string(want), func(t *testing.T) {
			t.Parallel()
			server, store := mailtest.Listen(t, mailtest.Options{}), openStore(t)
			server.SetFault(fault)
			interrupted(t, store, 1, time.Now().Add(-time.Second))
			o := New(Config{Store: store, Sender: overSMTP(t, server), Log: zerolog.Nop()})
			for range 3 {
				if err := o.recoverAll(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if state := stored(t, store).State; state != want {
				t.Errorf("state = %q, want %q", state, want)
			}
			tries := 0
			for _, command := range server.Commands() {
				if bytes.HasPrefix([]byte(command), []byte("MAIL")) {
					tries++
				}
			}
			if tries != 1 {
				t.Errorf("%d tries to send it, want 1", tries)
			}
		})
	}
}

// TestRecoverInTime: an inquiry that is left behind is sent once its lease has ended,
// and not before; a database that is down meanwhile is said once.
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
		if err := store.AddInquiry(t.Context(), inquiry); err != nil {
			t.Fatal(err)
		}
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

// TestClockIsSet: a lease does not end because the clock is set forward, or because
// the machine has slept, in the middle of a delivery; one that lasts longer because
// the clock is set back only delays what a crash interrupted.
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
		if expired := lease.Before(at); expired != tt.expired {
			t.Errorf("%s: the lease has ended: %v, want %v", tt.name, expired, tt.expired)
		}
	}
	if shortest := recoveryInterval * 3 / 4; shortest < mailer.SendTimeout+2*recordTimeout {
		t.Errorf("looks are %v apart at the least: a delivery may take longer", shortest)
	}
}

// TestRecoverStops: at the end of the service the delivery that is under way is
// finished, and no other begun.
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
		if got, err := store.Inquiries(t.Context(), records.Filter{State: state}); err != nil || len(got) != want {
			t.Errorf("%d inquiries are %s (%v), want %d", len(got), state, err, want)
		}
	}
}

func TestResend(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		state records.State // before
		ended bool          // the lease of a pending one
		sent  error
		err   error
		want  records.State
	}{
		{"failed", records.Failed, false, nil, nil, records.Sent},
		{"unknown", records.Unknown, false, nil, nil, records.Sent},
		{"interrupted", records.Pending, true, nil, nil, records.Sent},
		{"failed again", records.Failed, false, &mailer.Error{Outcome: mailer.Failed, Stage: "RCPT", Err: errDown}, nil, records.Failed},
		{"under way", records.Pending, false, nil, records.ErrLeased, records.Pending},
		{"sent", records.Sent, false, nil, records.ErrSent, records.Sent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store, mails := openStore(t), []mailer.Message{}
			end := time.Now().Add(time.Hour)
			if tt.ended {
				end = time.Now().Add(-time.Second)
			}
			inquiry := interrupted(t, store, 1, end)
			if tt.state != records.Pending {
				settled := inquiry
				settled.State = tt.state
				if err := store.SettleInquiry(t.Context(), settled); err != nil {
					t.Fatal(err)
				}
			}
			o := New(Config{Store: store, Sender: senderFunc(func(_ context.Context, mail mailer.Message) error {
				mails = append(mails, mail)
				return tt.sent
			})})
			got, err := o.Resend(t.Context(), inquiry.ID)
			if !errors.Is(err, tt.err) || (err == nil && got.State != tt.want) {
				t.Errorf("%s, %v; want %s, %v", got.State, err, tt.want, tt.err)
			}
			if state := stored(t, store).State; state != tt.want {
				t.Errorf("stored as %s, want %s", state, tt.want)
			}
			want := []mailer.Message{}
			if tt.err == nil {
				want = append(want, mail(inquiry))
			}
			if diff := cmp.Diff(want, mails); diff != "" {
				t.Errorf("mails (-want +got):\n%s", diff)
			}
		})
	}
}

// TestResendIsNoted: a database that is away for a moment is told of the mail; one
// that stays away is an error, with what came of the mail.
func TestResendIsNoted(t *testing.T) {
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
