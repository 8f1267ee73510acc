package outbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
	"frontdesk/records"
)

// none is no key.
var none records.Key

// secret stands in every field that a caller writes and must never be logged.
const secret = "confidential"

func sample() (records.Inquiry, mailer.Message) {
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	mail := mailer.Message{
		ID: "inq_1@example.org", From: "desk@example.org", To: "owner@example.org",
		ReplyTo: secret + "@example.com", Subject: secret, Text: secret, Date: now,
	}
	return records.Inquiry{
		ID: "inq_1", MessageID: mail.ID, Name: secret, Business: secret, Email: mail.ReplyTo, Message: secret,
		Phone: secret, Segment: secret, Subject: secret, Text: secret, From: mail.From, To: mail.To, CreatedAt: now,
	}, mail
}

func openStore(t *testing.T) *records.Store {
	t.Helper()
	store, err := records.Open(t.Context(), records.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// stored is the one inquiry of a store.
func stored(t *testing.T, store *records.Store) records.Inquiry {
	t.Helper()
	inquiries, err := store.Inquiries(context.WithoutCancel(t.Context()), records.Filter{})
	if err != nil || len(inquiries) != 1 {
		t.Fatalf("%d inquiries (%v), want 1", len(inquiries), err)
	}
	return inquiries[0]
}

// senderFunc is a sender that a test writes down in a line.
type senderFunc func(ctx context.Context, mail mailer.Message) error

func (f senderFunc) Send(ctx context.Context, mail mailer.Message) error { return f(ctx, mail) }

func TestDeliver(t *testing.T) {
	t.Parallel()
	failure := func(outcome mailer.Outcome) error {
		return &mailer.Error{Outcome: outcome, Stage: "final dot", Err: errors.New("421 busy")}
	}
	tests := []struct {
		name   string
		sent   error
		state  records.State
		detail string
		code   contract.Code // empty for a success
	}{
		{"sent", nil, records.Sent, "", ""},
		{"failed", failure(mailer.Failed), records.Failed, "mail failed at final dot: 421 busy", contract.BadGateway},
		{"unknown", failure(mailer.Unknown), records.Unknown, "mail unknown at final dot: 421 busy", contract.BadGateway},
		{"an error that tells nothing", errors.New("odd"), records.Unknown, "odd", contract.BadGateway},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			store, log := openStore(t), &bytes.Buffer{}
			inquiry, mail := sample()
			sender := senderFunc(func(_ context.Context, got mailer.Message) error {
				if diff := cmp.Diff(mail, got); diff != "" {
					t.Errorf("mail (-want +got):\n%s", diff)
				}
				during := stored(t, store)
				if left := time.Until(during.Lease.Until); during.State != records.Pending || during.Lease.Owner == "" || left < 50*time.Second || left > time.Minute {
					t.Errorf("while its mail is sent the inquiry is %q, leased to %q for %v; want it pending and leased", during.State, during.Lease.Owner, left)
				}
				return test.sent
			})
			err := New(Config{Store: store, Sender: sender, Log: zerolog.New(log)}).Deliver(t.Context(), inquiry, none)
			checkRefusal(t, err, test.code, test.sent)
			want := inquiry
			want.State, want.Detail = test.state, test.detail
			if diff := cmp.Diff(want, stored(t, store), cmpopts.IgnoreFields(want, "SettledAt", "Lease")); diff != "" {
				t.Errorf("stored (-want +got):\n%s", diff)
			}
			checkLog(t, log, test.state, 1)
		})
	}
}

// checkRefusal checks the code, that the caller is told the request is kept, and
// that the cause is there for the log but not in the public text.
func checkRefusal(t *testing.T, err error, code contract.Code, cause error) {
	t.Helper()
	if code == "" {
		if err != nil {
			t.Errorf("error = %v, want none", err)
		}
		return
	}
	refusal, ok := errors.AsType[*contract.Error](err)
	if !ok || refusal.Code != code || !errors.Is(err, cause) {
		t.Fatalf("error = %v, want %s because of %v", err, code, cause)
	}
	if !strings.Contains(refusal.Detail, "is stored") || strings.Contains(refusal.Detail, cause.Error()) {
		t.Errorf("detail = %q, want it to say that the request is stored and nothing of the cause", refusal.Detail)
	}
}

// checkLog checks the last of n lines and that no line holds a field of the request.
func checkLog(t *testing.T, log *bytes.Buffer, outcome records.State, n int) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != n || strings.Contains(log.String(), secret) {
		t.Fatalf("log, want %d lines without a field of the request:\n%s", n, log)
	}
	var got map[string]string
	if err := json.Unmarshal([]byte(lines[n-1]), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"inquiry": "inq_1", "message_id": "inq_1@example.org", "outcome": string(outcome)}
	rest := cmpopts.IgnoreMapEntries(func(key, _ string) bool { return want[key] == "" })
	if diff := cmp.Diff(want, got, rest); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestNotStoredIsNotSent(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	store.Close()
	sender := senderFunc(func(context.Context, mailer.Message) error {
		t.Error("a mail was sent for an inquiry that is not stored")
		return nil
	})
	inquiry, _ := sample()
	err := New(Config{Store: store, Sender: sender}).Deliver(t.Context(), inquiry, none)
	if refusal, ok := errors.AsType[*contract.Error](err); !ok || refusal.Code != contract.InternalError {
		t.Errorf("error = %v, want %s", err, contract.InternalError)
	}
}

// TestSettlingFails: what was mailed is mailed, whatever the database says later.
func TestSettlingFails(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	for name, sent := range map[string]error{"after a success": nil, "after a failure": odd} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, log := openStore(t), &bytes.Buffer{}
			sender := senderFunc(func(context.Context, mailer.Message) error {
				store.Close()
				return sent
			})
			inquiry, _ := sample()
			err := New(Config{Store: store, Sender: sender, Log: zerolog.New(log)}).Deliver(t.Context(), inquiry, none)
			if sent == nil {
				checkRefusal(t, err, "", nil)
				checkLog(t, log, records.Sent, 2)
			} else {
				checkRefusal(t, err, contract.BadGateway, sent)
				checkLog(t, log, records.Unknown, 2)
			}
		})
	}
}

// TestCallerLeaves: a client that goes away during the send does not cut it.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	ctx, leave := context.WithCancel(t.Context())
	sender := senderFunc(func(ctx context.Context, _ mailer.Message) error {
		leave()
		return ctx.Err()
	})
	inquiry, _ := sample()
	if err := New(Config{Store: store, Sender: sender}).Deliver(ctx, inquiry, none); err != nil {
		t.Error(err)
	}
	if state := stored(t, store).State; state != records.Sent {
		t.Errorf("state = %q, want %q", state, records.Sent)
	}
}

// memory is a store of one inquiry without a file: a real one does I/O, which a
// bubble of synctest does not wait for.
type memory struct {
	Store
	mu      sync.Mutex
	inquiry records.Inquiry
	down    bool // no call succeeds
	settles int  // the calls of SettleInquiry
}

var errDown = errors.New("the database is down")

func (m *memory) do(change func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return errDown
	}
	return change()
}

func (m *memory) AddInquiry(_ context.Context, inquiry records.Inquiry) error {
	return m.do(func() error { m.inquiry = inquiry; return nil })
}

func (m *memory) SettleInquiry(ctx context.Context, inquiry records.Inquiry) error {
	m.mu.Lock()
	m.settles++
	m.mu.Unlock()
	return m.do(func() error {
		if m.inquiry.State != records.Pending || m.inquiry.Lease != inquiry.Lease {
			return records.ErrLeaseLost
		}
		m.inquiry.State = inquiry.State
		return ctx.Err() // must not be the context of the send, which may be over
	})
}

func (m *memory) ClaimInterrupted(_ context.Context, lease records.Lease, now time.Time) (claimed records.Inquiry, err error) {
	return claimed, m.do(func() error {
		if m.inquiry.State != records.Pending || !m.inquiry.Lease.Until.Before(now) {
			return records.ErrNotFound
		}
		m.inquiry.Lease = lease
		claimed = m.inquiry
		return nil
	})
}

func (m *memory) ClaimInquiry(_ context.Context, _ string, lease records.Lease, _ time.Time) (claimed records.Inquiry, err error) {
	return claimed, m.do(func() error {
		m.inquiry.State, m.inquiry.Lease = records.Pending, lease
		claimed = m.inquiry
		return nil
	})
}

func (m *memory) Inquiry(context.Context, string) (found records.Inquiry, err error) {
	return found, m.do(func() error { found = m.inquiry; return nil })
}

func (m *memory) InquiryByKey(context.Context, string, time.Time) (found records.Inquiry, fingerprint string, err error) {
	return found, "first", m.do(func() error { found = m.inquiry; return nil })
}

// turn makes the database answer, or not.
func (m *memory) turn(down bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = down
}

func (m *memory) state() records.State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.inquiry.State
}

func TestSendHasItsOwnDeadline(t *testing.T) {
	t.Parallel()
	for timeout, want := range map[time.Duration]time.Duration{0: mailer.SendTimeout, time.Second: time.Second} {
		t.Run(want.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				hang := senderFunc(func(ctx context.Context, _ mailer.Message) error {
					<-ctx.Done()
					return &mailer.Error{Outcome: mailer.Failed, Stage: "greeting", Err: ctx.Err()}
				})
				store, log := &memory{}, &bytes.Buffer{}
				inquiry, _ := sample()
				start := time.Now()
				err := New(Config{Store: store, Sender: hang, Timeout: timeout, Log: zerolog.New(log)}).
					Deliver(t.Context(), inquiry, none)
				checkRefusal(t, err, contract.BadGateway, context.DeadlineExceeded)
				if took := time.Since(start); took != want {
					t.Errorf("took %v, want %v", took, want)
				}
				if store.state() != records.Failed {
					t.Errorf("state = %q, want %q", store.state(), records.Failed)
				}
				checkLog(t, log, records.Failed, 1)
			})
		})
	}
}

// TestOverSMTP is the whole way: real records, a real conversation.
func TestOverSMTP(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   mailtest.Fault
		state   records.State
		arrived int
	}{
		"delivered":               {mailtest.Fault{}, records.Sent, 1},
		"cut after the 250":       {mailtest.Fault{Stage: mailtest.Quit, Action: mailtest.Cut}, records.Sent, 1},
		"refused":                 {mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse}, records.Failed, 0},
		"refused at the dot":      {mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Refuse}, records.Failed, 0},
		"stored without a reply":  {mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut}, records.Unknown, 1},
		"the greeting never came": {mailtest.Fault{Stage: mailtest.Greeting, Action: mailtest.Hang}, records.Failed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, store, log := mailtest.Listen(t, mailtest.Options{}), openStore(t), &bytes.Buffer{}
			server.SetFault(test.fault)
			transport, err := mailer.Parse(server.URL(), "")
			if err != nil {
				t.Fatal(err)
			}
			outbox := New(Config{Store: store, Sender: transport, Timeout: time.Second, Log: zerolog.New(log)})
			inquiry, _ := sample()
			err = outbox.Deliver(t.Context(), inquiry, none)
			if delivered := err == nil; delivered != (test.state == records.Sent) {
				t.Errorf("error = %v for an inquiry that is %s", err, test.state)
			}
			if state := stored(t, store).State; state != test.state {
				t.Errorf("state = %q, want %q", state, test.state)
			}
			if mails := server.Messages(); len(mails) != test.arrived {
				t.Errorf("%d mails arrived, want %d", len(mails), test.arrived)
			}
			checkLog(t, log, test.state, 1)
		})
	}
}
