package outbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// secret is in every field of a caller, and must never be logged.
const secret = "confidential"

func sample() (records.Inquiry, mailer.Message) {
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	mail := mailer.Message{
		ID: "inq_1@example.org", From: "desk@example.org", To: "owner@example.org",
		ReplyName: secret, ReplyTo: secret + "@example.com", Subject: secret, Text: secret, Date: now,
	}
	return records.Inquiry{
		ID: "inq_1", MessageID: mail.ID, Name: secret, Business: secret, Email: mail.ReplyTo, Message: secret,
		Phone: secret, Segment: secret, Subject: secret, Text: secret, From: mail.From, To: mail.To, CreatedAt: now,
	}, mail
}

func nth(n int) records.Inquiry {
	inquiry, _ := sample()
	inquiry.ID = fmt.Sprintf("inq_%d", n)
	inquiry.MessageID = inquiry.ID + "@example.org"
	return inquiry
}

func openStore(t *testing.T) *records.Store {
	t.Helper()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: t.TempDir()}))(t)
	t.Cleanup(func() { store.Close() })
	return store
}

func stored(t *testing.T, store *records.Store) records.Inquiry {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	expect.Same(t, "inquiries", 1, len(expect.Value(store.Inquiries(ctx, records.InquiryQuery{}))(t)))
	return expect.Value(store.Inquiry(ctx, "inq_1"))(t)
}

func deliver(ctx context.Context, o *Outbox, inquiry records.Inquiry) error {
	stored, added, err := o.Add(ctx, inquiry, records.Key{})
	if err == nil && !added {
		err = errors.New("not added: joins " + stored.ID)
	}
	if err != nil {
		return err
	}
	return o.Send(ctx, stored)
}

type senderFunc func(ctx context.Context, mail mailer.Message) error

func (f senderFunc) Send(ctx context.Context, mail mailer.Message) error { return f(ctx, mail) }

type sends func() error

func (f sends) Send(context.Context, mailer.Message) error { return f() }

// The public text says that the request is stored, and only the error has the cause.
func checkRefusal(t *testing.T, err error, code contract.Code, cause error) {
	t.Helper()
	if code == "" {
		expect.OK(t, err)
		return
	}
	refusal, ok := errors.AsType[*contract.Error](err)
	if !ok || refusal.Code != code || !errors.Is(err, cause) {
		t.Fatalf("error = %v, want %s because of %v", err, code, cause)
	}
	expect.Holds(t, "detail", refusal.Detail, "is stored")
	expect.Lacks(t, "detail", refusal.Detail, cause.Error())
}

// The last of n lines has the outcome, and none a field of the request.
func checkLog(t *testing.T, log *bytes.Buffer, outcome records.State, n int) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != n || strings.Contains(log.String(), secret) {
		t.Fatalf("log, want %d lines without a field of the request:\n%s", n, log)
	}
	got := expect.JSON[map[string]string](t, []byte(lines[n-1]))
	want := map[string]string{"inquiry": "inq_1", "message_id": "inq_1@example.org", "outcome": string(outcome)}
	expect.Same(t, "log", want, got, cmpopts.IgnoreMapEntries(func(key, _ string) bool { return want[key] == "" }))
}

// memory holds one inquiry, and has no file, because a bubble of synctest does not wait for I/O.
type memory struct {
	Store
	mu      sync.Mutex
	inquiry records.Inquiry
	down    bool         // no call succeeds
	settles atomic.Int64 // the calls of SettleInquiry

	notifications []records.Notification // those that were stored
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

func (m *memory) AddInquiry(_ context.Context, inquiry records.Inquiry, _ records.Key) (records.Inquiry, error) {
	return inquiry, m.do(func() error { m.inquiry = inquiry; return nil })
}

func (m *memory) SettleInquiry(ctx context.Context, inquiry records.Inquiry) error {
	m.settles.Add(1)
	return m.do(func() error {
		if m.inquiry.State != records.Pending || m.inquiry.Lease != inquiry.Lease {
			return records.ErrLeaseLost
		}
		m.inquiry.State, m.inquiry.RetryAt = inquiry.State, inquiry.RetryAt
		m.notifications = append(m.notifications, inquiry.Notifications...)
		return ctx.Err() // must not be the context of the send, which may be over
	})
}

func (m *memory) ClaimDue(_ context.Context, lease records.Lease, mail records.Mail,
	expired, retry time.Time) (claimed records.Inquiry, err error) {
	return claimed, m.do(func() error {
		interrupted := m.inquiry.State == records.Pending && m.inquiry.Lease.Until.Before(expired)
		failed := m.inquiry.State == records.Failed && !m.inquiry.RetryAt.IsZero() && !m.inquiry.RetryAt.After(retry)
		if !interrupted && !failed {
			return records.ErrNotFound
		}
		m.inquiry.State, m.inquiry.Lease = records.Pending, lease
		m.inquiry.From, m.inquiry.To = mail.From, mail.To
		claimed = m.inquiry
		return nil
	})
}

func (m *memory) ClaimInquiry(_ context.Context, _ string, lease records.Lease, _ records.Mail,
	_ time.Time) (claimed records.Inquiry, err error) {
	return claimed, m.do(func() error {
		m.inquiry.State, m.inquiry.Lease = records.Pending, lease
		claimed = m.inquiry
		return nil
	})
}

func (m *memory) Inquiry(context.Context, string) (found records.Inquiry, err error) {
	return found, m.do(func() error { found = m.inquiry; return nil })
}

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

func interrupted(t *testing.T, store *records.Store, n int, leaseEnd time.Time) records.Inquiry {
	t.Helper()
	inquiry := nth(n)
	inquiry.State, inquiry.Lease = records.Pending, records.Lease{Owner: "dead", Until: leaseEnd}
	expect.Value(store.AddInquiry(t.Context(), inquiry, records.Key{}))(t)
	return inquiry
}

func account() mailer.Account {
	return mailer.Account{From: "desk@example.org", To: "owner@example.org"}
}
