package outbox

import (
	"context"
	"errors"
	"sync"
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

func TestFind(t *testing.T) {
	t.Parallel()
	store, fail := openStore(t), error(&mailer.Error{Outcome: mailer.Failed, Err: errDown})
	o := New(Config{Store: store, Log: zerolog.Nop(), Sender: senderFunc(func(context.Context, mailer.Message) error { return fail })})
	if _, found, err := o.Find(t.Context(), records.Inquiry{}, key); found || err != nil {
		t.Errorf("a new key: found %v, %v", found, err)
	}
	inquiry, _ := sample()
	inquiry.CreatedAt = time.Now().UTC()
	checkRefusal(t, o.Deliver(t.Context(), inquiry, key, nil), contract.BadGateway, fail)
	other := inquiry
	other.ID, other.MessageID = "inq_2", "inq_2@example.org"
	expect.Error(t, "delivered twice under one key", o.Deliver(t.Context(), other, key, nil), records.ErrKeyTaken)
	failed, found, err := o.Find(t.Context(), records.Inquiry{}, key)
	if failed.ID != inquiry.ID || failed.State != records.Failed || !found || err != nil {
		t.Errorf("not delivered: %s %s, found %v, %v", failed.ID, failed.State, found, err)
	}
	if _, _, err := o.Find(t.Context(), records.Inquiry{}, records.Key{Hash: key.Hash, Fingerprint: "second"}); !errors.Is(err, records.ErrKeyReused) {
		t.Errorf("other fields: %v, want %s", err, contract.InvalidRequest)
	}
	fail = nil
	if err := o.Resume(t.Context(), failed, key, nil); err != nil {
		t.Errorf("resumed: %v", err)
	}
	if sent, found, err := o.Find(t.Context(), records.Inquiry{}, key); sent.State != records.Sent || !found || err != nil {
		t.Errorf("sent: %s, found %v, %v", sent.State, found, err)
	}
	if err := o.Resume(t.Context(), failed, key, nil); err != nil {
		t.Errorf("resumed when it was sent meanwhile: %v", err)
	}
	store.Close()
	if _, _, err := o.Find(t.Context(), records.Inquiry{}, key); contract.AsError(err).Code != contract.InternalError {
		t.Errorf("without a database: %v, want %s", err, contract.InternalError)
	}
}

// watched signals when someone checks whether an inquiry is settled.
type watched struct {
	Store
	looked func()
}

func (w *watched) Inquiry(ctx context.Context, id string) (records.Inquiry, error) {
	defer w.looked()
	return w.Store.Inquiry(ctx, id)
}

// pair makes two instances on the records of one folder. The one that sends a mail is
// held up until the other checks whether the inquiry is settled.
type pair struct {
	dir           string
	sending, open chan struct{}
	fail          error // of the mail
}

func (p pair) instance(t *testing.T) *Outbox {
	return New(Config{
		Store: &watched{openIn(t, p.dir), sync.OnceFunc(func() { close(p.open) })}, Log: zerolog.Nop(),
		Sender: senderFunc(func(context.Context, mailer.Message) error {
			close(p.sending) // a second time would panic
			<-p.open
			return p.fail
		}),
	})
}

// TestTwoInstancesOneKey: the second instance waits for the answer of the first and
// returns the same.
func TestTwoInstancesOneKey(t *testing.T) {
	t.Parallel()
	recall := func(second *Outbox, _ records.Inquiry) (records.State, error) {
		inquiry, _, err := second.Find(t.Context(), records.Inquiry{}, key)
		return inquiry.State, err
	}
	resume := func(second *Outbox, inquiry records.Inquiry) (records.State, error) {
		return records.Sent, second.Resume(t.Context(), inquiry, key, nil)
	}
	failure := &mailer.Error{Outcome: mailer.Failed, Err: errDown}
	for _, tt := range []struct {
		name string
		fail error
		wait func(*Outbox, records.Inquiry) (records.State, error)
	}{
		{"delivered", nil, recall},
		{"not delivered", failure, recall},
		{"resumed at the same time, delivered", nil, resume},
		{"resumed at the same time, not delivered", failure, resume},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			together := pair{dir: t.TempDir(), sending: make(chan struct{}), open: make(chan struct{}), fail: tt.fail}
			first, second := together.instance(t), together.instance(t)
			inquiry, _ := sample()
			inquiry.CreatedAt = time.Now().UTC()
			var wait sync.WaitGroup
			wait.Go(func() {
				if err := first.Deliver(t.Context(), inquiry, key, nil); (err == nil) != (tt.fail == nil) {
					t.Errorf("the first: %v", err)
				}
			})
			<-together.sending
			other := inquiry
			other.ID, other.MessageID = "inq_2", "inq_2@example.org"
			expect.Error(t, "the second stores it too", second.Deliver(t.Context(), other, key, nil), records.ErrKeyTaken)
			state, err := tt.wait(second, inquiry)
			switch {
			case tt.fail == nil && (state != records.Sent || err != nil):
				t.Errorf("the second: %s, %v; want it sent", state, err)
			case tt.fail != nil && contract.AsError(err).Code != contract.BadGateway:
				t.Errorf("the second: %v, want %s", err, contract.BadGateway)
			}
			wait.Wait()
		})
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
	})
}
