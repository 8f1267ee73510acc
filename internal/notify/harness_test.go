package notify

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
)

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

const ownerURL = "https://desk.example/owner/"

var east = time.FixedZone("", 9*60*60) // of the business

func uncounted(string, Outcome) {}

type received struct {
	path   string
	header http.Header
	body   string
}

type recorder struct {
	*httptest.Server
	mu       sync.Mutex
	requests []received
}

func listen(t *testing.T, answer http.HandlerFunc) *recorder {
	t.Helper()
	r := &recorder{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		expect.Error(t, "read", err, nil)
		r.mu.Lock()
		r.requests = append(r.requests, received{request.URL.Path, request.Header, string(body)})
		r.mu.Unlock()
		if answer != nil {
			answer(w, request)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *recorder) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests
}

// memory has no file, because a bubble of synctest does not wait for I/O.
type memory struct {
	Store
	mu        sync.Mutex
	rows      []records.Notification
	questions []records.Question
	down      bool // no call succeeds
}

var errDown = errors.New("the database is down")

func (m *memory) do(call func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return errDown
	}
	return call()
}

func (m *memory) AddNotifications(_ context.Context, rows []records.Notification) error {
	return m.do(func() error {
		for _, row := range rows {
			if !slices.ContainsFunc(m.rows, func(present records.Notification) bool {
				return present.Target == row.Target && present.Kind == row.Kind && present.Subject == row.Subject
			}) {
				m.rows = append(m.rows, row)
			}
		}
		return nil
	})
}

func (m *memory) ClaimNotification(_ context.Context, target, lease string, until, now time.Time) (claimed records.Notification, err error) {
	return claimed, m.do(func() error {
		for i, row := range m.rows {
			if row.Target == target && row.State == records.Pending && !row.Due.After(now) {
				m.rows[i].Tries++
				m.rows[i].Lease, m.rows[i].Due = lease, until
				claimed = m.rows[i]
				return nil
			}
		}
		return records.ErrNotFound
	})
}

func (m *memory) SettleNotification(_ context.Context, settled records.Notification) error {
	return m.do(func() error {
		for i, row := range m.rows {
			if row.ID == settled.ID && row.Lease == settled.Lease {
				m.rows[i] = settled
				return nil
			}
		}
		return records.ErrLeaseLost
	})
}

func (m *memory) NextNotification(_ context.Context, target string) (due time.Time, err error) {
	return due, m.do(func() error {
		for _, row := range m.rows {
			if row.Target == target && row.State == records.Pending && (due.IsZero() || row.Due.Before(due)) {
				due = row.Due
			}
		}
		if due.IsZero() {
			return records.ErrNotFound
		}
		return nil
	})
}

func (m *memory) Questions(context.Context) (list []records.Question, err error) {
	return list, m.do(func() error { list = m.questions; return nil })
}

func (m *memory) turn(down bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = down
}

func (m *memory) all() []records.Notification {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.rows)
}

func (m *memory) ask() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.questions = append(m.questions, records.Question{Unanswered: 1, LastAt: time.Now()}, records.Question{Unhelpful: 1, LastAt: time.Now()})
}

type roundTripper func(request *http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

func answering(status int, retryAfter string) *http.Response {
	answer := &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody}
	if retryAfter != "" {
		answer.Header.Set("Retry-After", retryAfter)
	}
	return answer
}

// What the notifier has written after it can be read.
func sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func start(t *testing.T, store Store, log *bytes.Buffer, count func(string, Outcome), answer roundTripper) (n *Notifier, stop func()) {
	t.Helper()
	n = New(Config{
		Store: store, Targets: []Target{expect.Value(ParseNtfy("https://ntfy.example/topic"))(t)}, OwnerURL: ownerURL,
		Language: func() string { return "" }, Zone: func() *time.Location { return east }, Count: count, Log: zerolog.New(log),
	})
	n.client.Transport = answer
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { n.Run(ctx) })
	return n, func() {
		cancel()
		work.Wait()
	}
}

func accepted(id string) records.Inquiry { return records.Inquiry{ID: id, State: records.Sent} }
