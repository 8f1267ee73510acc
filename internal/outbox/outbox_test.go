package outbox

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

func TestDeliver(t *testing.T) {
	t.Parallel()
	failure := func(outcome mailer.Outcome) error {
		return &mailer.Error{Outcome: outcome, Stage: "final dot", Err: errors.New("421 busy")}
	}
	for _, test := range []struct {
		name   string
		sent   error
		state  records.State
		detail string
		code   contract.Code // empty for a success
	}{
		{"sent", nil, records.Sent, "", ""},
		{"sent to some", &mailer.Error{Outcome: mailer.Sent, Stage: "RCPT", Err: errors.New("bob@example.org: 550")}, records.Sent, "mail sent, but not to everyone: bob@example.org: 550", ""},
		{"failed", failure(mailer.Failed), records.Failed, "mail failed at final dot: 421 busy", contract.BadGateway},
		{"unknown", failure(mailer.Unknown), records.Unknown, "mail unknown at final dot: 421 busy", contract.BadGateway},
		{"an error without an outcome", errors.New("odd"), records.Unknown, "odd", contract.BadGateway},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			store, log := openStore(t), &bytes.Buffer{}
			inquiry, mail := sample()
			sender := senderFunc(func(_ context.Context, got mailer.Message) error {
				expect.Same(t, "mail", mail, got)
				during := stored(t, store)
				if left := time.Until(during.Lease.Until); during.State != records.Pending || during.Lease.Owner == "" || left < 50*time.Second || left > time.Minute {
					t.Errorf("under way: %q, leased to %q for %v", during.State, during.Lease.Owner, left)
				}
				return test.sent
			})
			err := deliver(t.Context(), New(Config{Store: store, Sender: sender, Log: zerolog.New(log)}), inquiry)
			checkRefusal(t, err, test.code, test.sent)
			if test.code != "" {
				expect.Same(t, "the refusal", test.state == records.Unknown, strings.Contains(contract.AsError(err).Detail, "may have arrived"))
			}
			want := inquiry
			want.State, want.Detail = test.state, test.detail
			expect.Same(t, "stored", want, stored(t, store), cmpopts.IgnoreFields(want, "SettledAt", "Lease"))
			checkLog(t, log, test.state, 1)
		})
	}
}

// A send ends at its deadline, and the request records how long it waited for the mail server.
func TestSendHasItsOwnDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := senderFunc(func(ctx context.Context, _ mailer.Message) error {
			<-ctx.Done()
			return &mailer.Error{Outcome: mailer.Failed, Stage: "greeting", Err: ctx.Err()}
		})
		store, log := &memory{}, &bytes.Buffer{}
		start, request := time.Now(), new(span.Span)
		err := deliver(context.WithValue(t.Context(), span.Key{}, request), New(Config{Store: store, Sender: hang, Log: zerolog.New(log)}), fresh())
		checkRefusal(t, err, contract.BadGateway, context.DeadlineExceeded)
		took := time.Since(start)
		expect.Same(t, "took", []any{mailer.SendTimeout, took}, []any{took, request.Spent(span.Mail)})
		expect.Same(t, "state", records.Failed, store.state())
		checkLog(t, log, records.Failed, 1)
	})
}

type recordingNotifier struct{ wakes int }

func (n *recordingNotifier) Settled(inquiry records.Inquiry) []records.Notification {
	now := time.Now()
	return []records.Notification{{
		ID: records.NewNotificationID(), Target: "t", Kind: string(inquiry.State), Subject: inquiry.ID, State: records.Pending, Due: now, CreatedAt: now,
	}}
}

func (n *recordingNotifier) Wake() { n.wakes++ }

// Each outcome is stored with its notifications, also late; what the owner sends again is not reported.
func TestNotifications(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, notifier := &memory{}, &recordingNotifier{}
		sendErr := error(errRefused)
		o := New(Config{Mail: account, Store: store, Retry: true, Notifier: notifier, Sender: sends(func() error { return sendErr })})
		stop := run(t, o)
		_ = deliver(t.Context(), o, fresh())
		store.turn(true)
		sendErr = nil
		time.Sleep(3 * time.Minute)
		store.turn(false)
		time.Sleep(3 * time.Minute)
		expect.Value(o.Resend(t.Context(), "inq_1"))(t)
		stop()
		var kinds []string
		for _, n := range store.notifications {
			kinds = append(kinds, n.Kind)
		}
		expect.Same(t, "notifications and wakes", []any{[]string{"failed", "sent"}, 2}, []any{kinds, notifier.wakes})
	})
}

func TestWaitIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inquiry, _ := sample()
		inquiry.State, inquiry.Lease = records.Pending, newLease()
		o := New(Config{Store: &memory{inquiry: inquiry}})
		start := time.Now()
		request := new(span.Span)
		_, err := o.Wait(context.WithValue(t.Context(), span.Key{}, request), inquiry)
		expect.Same(t, "the span for the other request", time.Since(start), request.Spent(span.SameKey))
		expect.Same(t, "refused as", contract.BadGateway, contract.AsError(err).Code)
		expect.AtMost(t, "waited", 20*time.Second, time.Since(start))
	})
}

func run(t *testing.T, o *Outbox) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var works sync.WaitGroup
	works.Go(func() { o.Settle(ctx) })
	works.Go(func() { o.Recover(ctx) })
	return func() {
		cancel()
		works.Wait()
	}
}

// The database comes back after the lease has ended. The mail is not sent again.
func TestSettlesLater(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]records.State{"sent": records.Sent, "failed": records.Failed} {
		expect.Bubble(t, name, func(t *testing.T) {
			store, mails := &memory{}, 0
			o := New(Config{Mail: account, Store: store, Sender: sends(func() error {
				mails++
				store.turn(true)
				if state == records.Failed {
					return &mailer.Error{Outcome: mailer.Failed, Err: errDown}
				}
				return nil
			})})
			stop := run(t, o)
			err := deliver(t.Context(), o, fresh())
			if state == records.Sent && err != nil || state == records.Failed && contract.AsError(err).Code != contract.BadGateway {
				t.Errorf("error = %v for a mail that is %s", err, state)
			}
			time.Sleep(5 * time.Minute)
			expect.Same(t, "state", records.Pending, store.state())
			store.turn(false)
			time.Sleep(2 * time.Second)
			expect.Same(t, "state", []any{state, 1}, []any{store.state(), mails})
			time.Sleep(5 * time.Minute)
			stop()
			expect.Same(t, "mails", 1, mails)
			expect.AtMost(t, "tries to settle", 330, store.settles.Load())
		})
	}
}

// An outcome is recorded when the service stops, if the database is back by then.
func TestSettlesAtTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		o := New(Config{Mail: account, Store: store, Sender: sends(func() error {
			store.turn(true)
			return nil
		})})
		stop := run(t, o)
		expect.OK(t, deliver(t.Context(), o, fresh()))
		time.Sleep(1500 * time.Millisecond) // the next try is half a second away
		store.turn(false)
		stop()
		expect.Same(t, "state", records.Sent, store.state())
	})
}

// tardy reports a failure and stores the inquiry all the same: at once, like a server that is lost in the middle of the
// commit, or later, like one that hung.
type tardy struct {
	memory
	after time.Duration
}

func (s *tardy) AddInquiry(_ context.Context, inquiry records.Inquiry, key records.Key) (records.Inquiry, error) {
	add := func() { _, _ = s.memory.AddInquiry(context.Background(), inquiry, key) }
	if s.after == 0 {
		add()
	} else {
		time.AfterFunc(s.after, add)
	}
	return records.Inquiry{}, errDown
}

// A refused request is not mailed, even if the database stores it after all, at once or after denying it. One that is
// never stored leaves the list.
func TestUnconfirmedIsNotSent(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]records.State{
		0: records.Failed, doubtTime - 2*settleInterval: records.Failed, time.Hour: "",
	} {
		expect.Bubble(t, after.String(), func(t *testing.T) {
			store := &tardy{after: after}
			o := New(Config{Mail: account, Store: store, Sender: sends(func() error {
				t.Error("a mail was sent")
				return nil
			})})
			defer run(t, o)()
			expect.Same(t, "refused as", contract.InternalError, contract.AsError(deliver(t.Context(), o, fresh())).Code)
			time.Sleep(5 * time.Minute)
			expect.Same(t, "state, and what is still looked for",
				[]any{want, 0}, []any{store.state(), len(o.unsettled.all())})
			expect.AtMost(t, "tries to settle", 70, store.settles.Load())
		})
	}
}

// An attempt that lost its lease logs that, and leaves the record to the one that has it.
func TestOvertaken(t *testing.T) {
	t.Parallel()
	store, log := &memory{}, &bytes.Buffer{}
	o := New(Config{Store: store, Log: zerolog.New(log), Sender: senderFunc(func(ctx context.Context, _ mailer.Message) error {
		_, err := store.ClaimInquiry(ctx, "inq_1", newLease(), records.Mail{}, time.Now())
		return err
	})})
	expect.OK(t, deliver(t.Context(), o, fresh()))
	expect.Same(t, "state", []any{records.Pending, 0}, []any{store.state(), len(o.unsettled.inquiries)})
	checkLog(t, log, records.Sent, 2)
}

// Unconfirmed inquiries take bounded memory and do not displace those that were sent.
func TestListIsBounded(t *testing.T) {
	t.Parallel()
	o := New(Config{Store: &memory{down: true}})
	for range maxUnsettled + 10 {
		o.unsettled.add(unsettled{Inquiry: records.Inquiry{State: records.Failed, Message: secret, Lease: newLease()}})
	}
	last := records.Inquiry{State: records.Sent, Lease: newLease()}
	o.unsettled.add(unsettled{Inquiry: last})
	kept := o.unsettled.inquiries
	expect.Same(t, "kept, and the last", []any{maxUnsettled + 1, records.Sent}, []any{len(kept), kept[last.Lease].State})
	for _, one := range kept {
		expect.Same(t, "the text that is kept", "", one.Message)
	}
}
