package outbox

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

var key = records.Key{Hash: "hash", Fingerprint: "first"}

// TestTwoInstancesOneKey: the second instance waits for the answer of the first and
// returns the same.
func TestTwoInstancesOneKey(t *testing.T) {
	t.Parallel()
	failure := error(&mailer.Error{Outcome: mailer.Failed, Err: errDown})
	for name, wait := range map[string]func(t *testing.T, second *Outbox, inquiry records.Inquiry) error{
		"found": func(t *testing.T, second *Outbox, _ records.Inquiry) error {
			inquiry, _, err := second.Find(t.Context(), records.Inquiry{}, key)
			if err == nil && inquiry.State != records.Sent {
				err = errors.New("found before it was sent")
			}
			return err
		},
		"resumed": func(t *testing.T, second *Outbox, inquiry records.Inquiry) error {
			return second.Resume(t.Context(), inquiry, key, nil)
		},
	} {
		for outcome, fail := range map[string]error{"delivered": nil, "not delivered": failure} {
			t.Run(name+" and "+outcome, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					store, open, inquiry := openStore(t), make(chan struct{}), fresh()
					first := New(Config{Store: store, Log: zerolog.Nop(), Sender: senderFunc(func(context.Context, mailer.Message) error {
						<-open
						return fail
					})})
					go func() { _ = first.Deliver(t.Context(), inquiry, key, nil) }()
					synctest.Wait()
					other := inquiry
					other.ID, other.MessageID = "inq_2", "inq_2@example.org"
					second := New(Config{Store: store, Log: zerolog.Nop()})
					expect.Error(t, "the second stores it too", second.Deliver(t.Context(), other, key, nil), records.ErrKeyTaken)
					time.AfterFunc(time.Second, func() { close(open) })
					if err := wait(t, second, inquiry); fail == nil && err != nil || fail != nil && contract.AsError(err).Code != contract.BadGateway {
						t.Errorf("the second: %v; the mail of the first: %v", err, fail)
					}
				})
			})
		}
	}
}

// TestWaitIsBounded: a request waits for another one no longer than a delivery may take.
func TestWaitIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inquiry, _ := sample()
		inquiry.State, inquiry.Lease = records.Pending, newLease()
		o := New(Config{Store: &memory{inquiry: inquiry}, Log: zerolog.Nop()})
		start := time.Now()
		request := new(span.Span)
		_, _, err := o.Find(context.WithValue(t.Context(), span.Key{}, request), records.Inquiry{}, key)
		expect.Same(t, "the span for the other request", time.Since(start), request.Spent(span.SameKey))
		if refusal := contract.AsError(err); refusal.Code != contract.BadGateway || time.Since(start) > 20*time.Second {
			t.Errorf("after %v: %v, want %s", time.Since(start), err, contract.BadGateway)
		}
		time.Sleep(leaseTime)
		start = time.Now()
		got, found, err := o.Find(t.Context(), records.Inquiry{}, key)
		if got.State != records.Pending || !found || err != nil || time.Since(start) != 0 {
			t.Errorf("interrupted: %s, found %v, %v after %v; want it at once, to be resumed", got.State, found, err, time.Since(start))
		}
		o = New(Config{Store: &memory{down: true}})
		if _, _, err := o.Find(t.Context(), records.Inquiry{}, key); contract.AsError(err).Code != contract.InternalError {
			t.Errorf("without a database: %v, want %s", err, contract.InternalError)
		}
	})
}
