package pilot

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/notify"
	"frontdesk/internal/outbox"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

type world struct {
	dir    string
	stores [2]*records.Store
	pilots [2]*Requests
	trials [2]*Trials
	slots  *limits.Limiter // of pilot requests and trials

	account mailer.Account // of all instances

	mu    sync.Mutex
	mails []string // the Message-ID of each attempt
	last  mailer.Message
	fail  error         // of an attempt
	took  time.Duration // by an attempt
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{dir: t.TempDir(), slots: limits.New(contract.ContactPolicy, nil),
		account: mailer.Account{From: "Front desk <desk@desk.example>", To: "owner@desk.example"}}
	account := func() mailer.Account { return w.account }
	reuse := limits.New(contract.KeyReusePolicy, nil)
	for i := range w.stores {
		store := expect.Value(records.Open(t.Context(), records.Options{Dir: w.dir}))(t)
		t.Cleanup(func() { _ = store.Close() })
		w.stores[i] = store
		w.pilots[i] = &Requests{
			Limits:  Limits{w.slots, reuse},
			Outbox:  outbox.New(outbox.Config{Store: store, Sender: w, Mail: account, Retry: true}),
			Mail:    account,
			BaseURL: "https://desk.example",
			Wording: func() Wording { return Wording{Request: "Pilot request"} },
			Count:   func(Outcome) {},
		}
		w.trials[i] = &Trials{
			Limits: Limits{w.slots, reuse}, Store: store, Notifier: notify.New(notify.Config{}), AppURL: app,
		}
	}
	return w
}

func (w *world) Send(_ context.Context, mail mailer.Message) error {
	w.mu.Lock()
	w.mails, w.last = append(w.mails, mail.ID), mail
	fail, took := w.fail, w.took
	w.mu.Unlock()
	time.Sleep(took)
	return fail
}

type outcome struct {
	answered  bool
	remaining int
	code      contract.Code
}

type kind struct {
	name   string
	send   func(ctx context.Context, w *world, instance int, key contract.IdempotencyKey, email, text string) (id string, d limits.Decision, err error)
	stored func(t *testing.T, w *world) int
}

func pilots(file func(*Requests, context.Context, contract.PilotRequest, contract.IdempotencyKey) (contract.Accepted, limits.Decision, error)) kind {
	return kind{"pilot request", func(ctx context.Context, w *world, instance int, key contract.IdempotencyKey, email, text string) (string, limits.Decision, error) {
		answer, decision, err := file(w.pilots[instance], ctx, contract.PilotRequest{Name: "Ada", Business: "B", Email: email, Message: text}, key)
		return answer.ID, decision, err
	}, func(t *testing.T, w *world) int {
		return len(expect.Value(w.stores[0].Inquiries(t.Context(), records.InquiryQuery{}))(t))
	}}
}

var kinds = []kind{
	pilots((*Requests).Send),
	{"trial", func(ctx context.Context, w *world, instance int, key contract.IdempotencyKey, email, text string) (string, limits.Decision, error) {
		answer, decision, err := w.trials[instance].Start(ctx, contract.TrialRequest{Business: "B", Email: email, Name: text}, key)
		return answer.WorkspaceID, decision, err
	}, func(t *testing.T, w *world) int { return len(stored(t, w.stores[0])) }},
}

const one, other, ada = "192.0.2.1", "192.0.2.2", "ada@example.com"

func clientAt(addr string) limits.Client { return limits.ClientOf(netip.MustParseAddr(addr)) }

func (w *world) takeAll(t *testing.T) {
	for range contract.ContactPolicy.Quota {
		w.slots.Take(limits.WithClient(t.Context(), clientAt(one)))
	}
}

func (w *world) do(ctx context.Context, k kind, instance int, addr, key, email, text string) (id string, got outcome) {
	ctx = limits.WithClient(ctx, clientAt(addr))
	id, decision, err := k.send(ctx, w, instance, contract.IdempotencyKey{Value: key, Field: "idempotency_key"}, email, text)
	got = outcome{id != "", decision.Remaining, ""}
	if err != nil {
		got.code = contract.AsError(err).Code
	}
	return id, got
}

func forEachKind(t *testing.T, test func(t *testing.T, w *world, k kind)) {
	t.Parallel()
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { test(t, newWorld(t), k) })
		})
	}
}

// A key finds only requests in quarantine, and Send only others.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	w, ids, sent, spam := newWorld(t), map[string]bool{}, kinds[0], pilots((*Requests).Quarantine)
	// Requests with one key take one slot together, even the last.
	for _, row := range [][2]string{{"k", "aa"}, {"l", "aa"}, {"m", "aab"}} { // a key and its messages
		var g sync.WaitGroup
		for _, text := range row[1] {
			g.Go(func() {
				_, got := w.do(t.Context(), spam, 0, other, row[0], ada, string(text))
				expect.Same(t, row[0], true, got.answered || row[0] == "m" && got.code == contract.InvalidRequest)
			})
		}
		g.Wait()
	}
	for _, tt := range []struct {
		kind
		key, text string
		want      outcome
	}{
		{spam, "k", "a", outcome{true, 3, ""}},
		{spam, "k", "b", outcome{false, 3, contract.InvalidRequest}},
		{sent, "k", "a", outcome{true, 2, ""}},
		{spam, "", "a", outcome{true, 1, ""}},
		{spam, "", "a", outcome{true, 0, ""}},
		{spam, "", "a", outcome{false, 0, contract.RateLimited}},
	} {
		id, got := w.do(t.Context(), tt.kind, 0, one, tt.key, ada, tt.text)
		expect.Same(t, "got", tt.want, got, gocmp.AllowUnexported(got))
		ids[id] = true
	}
	held := expect.Value(w.stores[0].Inquiries(t.Context(), records.InquiryQuery{View: records.QuarantinedInquiries}))(t)
	expect.Same(t, "ids and held", []int{5, 5}, []int{len(ids), len(held)})
}

func TestRequests(t *testing.T) {
	forEachKind(t, func(t *testing.T, w *world, k kind) {
		for i, row := range []struct {
			name, client, key, email, text string
			want                           outcome
			stored                         int
		}{
			{"the first", one, "k", ada, "a", outcome{true, 2, ""}, 1},
			{"repeated", one, "k", ada, "a", outcome{true, 2, ""}, 1},
			{"repeated from elsewhere", other, "k", "Ada@example.com", "a", outcome{false, 3, contract.InvalidRequest}, 1},
			{"another request under the key", one, "k", ada, "b", outcome{false, 2, contract.InvalidRequest}, 1},
			{"the key of another address", one, "k", "eve@example.com", "a", outcome{true, 1, ""}, 2},
			{"without a key", one, "", ada, "a", outcome{true, 0, ""}, 3},
			{"over the limit", one, "l", ada, "a", outcome{false, 0, contract.RateLimited}, 3},
			{"refused keys stay free", other, "l", ada, "a", outcome{true, 2, ""}, 4},
			{"repeated over the limit", one, "k", ada, "a", outcome{true, 0, ""}, 4},
		} {
			_, got := w.do(t.Context(), k, i%2, row.client, row.key, row.email, row.text)
			if stored := k.stored(t, w); got != row.want || stored != row.stored {
				t.Errorf("%s: %+v, %d stored; want %+v, %d", row.name, got, stored, row.want, row.stored)
			}
		}
	})
}

// Many callers send one request to two instances and leave: it is carried out once, in the only slot, and all get its
// outcome.
func TestAtOnce(t *testing.T) {
	forEachKind(t, func(t *testing.T, w *world, k kind) {
		w.took = 2 * time.Second
		client := limits.WithClient(t.Context(), clientAt(one))
		for _, fail := range []error{nil, &mailer.Error{Outcome: mailer.Failed}} {
			for left := 3; left > 0; left-- {
				if fail != nil && k.name == "trial" {
					continue
				}
				time.Sleep(time.Minute)
				for w.slots.Peek(client).Remaining > left {
					w.slots.Take(client)
				}
				w.fail, w.mails = fail, nil
				what, stored, key := fmt.Sprintf("%d left, mail %v", left, fail), k.stored(t, w), fmt.Sprint("k", left, fail)
				var want contract.Code
				if fail != nil {
					want = contract.BadGateway
				}
				leaving, leave := context.WithCancel(t.Context())
				ids, codes := make([]string, 16), make([]contract.Code, 16)
				var group sync.WaitGroup
				for n := range ids {
					group.Go(func() {
						id, got := w.do(leaving, k, n%2, one, key, ada, what)
						ids[n], codes[n] = id, got.code
					})
				}
				time.Sleep(time.Second)
				leave()
				group.Wait()
				expect.Same(t, what+": answers", slices.Repeat([]contract.Code{want}, len(codes)), codes)
				expect.Same(t, what+": ids", 1, len(slices.Compact(ids)))
				expect.Same(t, what+": stored", stored+1, k.stored(t, w))
				expect.Same(t, what+": mails", k.name != "trial", len(w.mails) == 1)
				expect.Same(t, what+": slots", left-1, w.slots.Peek(client).Remaining)
			}
		}
	})
}

// Without a slot, a request waits half a second for another one with its key, and without a key not at all.
func TestLookAgain(t *testing.T) {
	forEachKind(t, func(t *testing.T, w *world, k kind) {
		w.takeAll(t)
		for _, row := range []struct {
			name, key, first string
			after            time.Duration // until the first request with the key
			want             outcome
			took             time.Duration // at least
		}{
			{"without a key", "", "", 0, outcome{false, 0, contract.RateLimited}, 0},
			{"in vain", "a", "", 0, outcome{false, 0, contract.RateLimited}, 400 * time.Millisecond},
			{"stored in time", "b", "text", 300 * time.Millisecond, outcome{true, 0, ""}, 300 * time.Millisecond},
			{"used for another request in time", "c", "other", 300 * time.Millisecond, outcome{false, 0, contract.InvalidRequest}, 300 * time.Millisecond},
			{"stored too late", "d", "text", 600 * time.Millisecond, outcome{false, 0, contract.RateLimited}, 400 * time.Millisecond},
		} {
			var group sync.WaitGroup
			if row.first != "" {
				group.Go(func() {
					time.Sleep(row.after)
					w.do(t.Context(), k, 1, row.key+"::1", row.key, ada, row.first)
				})
			}
			began := time.Now()
			_, got := w.do(t.Context(), k, 0, one, row.key, ada, "text")
			took := time.Since(began)
			if got != row.want || took < row.took || took > max(row.took, lookTime) {
				t.Errorf("%s: %+v after %v, want %+v after %v", row.name, got, took, row.want, row.took)
			}
			group.Wait()
		}
	})
}

// Without a key and a slot, a request is refused without a call of the database, which would fail here.
func TestRefusedWithoutDatabase(t *testing.T) {
	forEachKind(t, func(t *testing.T, w *world, k kind) {
		w.takeAll(t)
		locker := expect.Value(sql.Open("sqlite", filepath.Join(w.dir, records.FileName)))(t)
		defer locker.Close()
		locker.SetMaxOpenConns(1)
		expect.Value(locker.Exec(`BEGIN EXCLUSIVE`))(t)
		for _, database := range []string{"locked", "closed"} {
			if database == "closed" {
				expect.OK(t, w.stores[0].Close())
			}
			_, got := w.do(t.Context(), k, 0, one, "", ada, "a")
			expect.Same(t, database, outcome{false, 0, contract.RateLimited}, got, gocmp.AllowUnexported(got))
		}
	})
}

// Nine refusals of a used key are free, three take slots, and the next are rate-limited until both windows have passed.
func TestKeysCannotBeGuessed(t *testing.T) {
	forEachKind(t, func(t *testing.T, w *world, k kind) {
		w.do(t.Context(), k, 0, "192.0.2.9", "k", ada, "a")
		invalid := contract.InvalidRequest
		want := slices.Concat(slices.Repeat([]outcome{{false, 3, invalid}}, 9), []outcome{
			{false, 2, invalid}, {false, 1, invalid}, {false, 0, invalid}, {false, 0, contract.RateLimited}})
		for range 2 {
			for _, client := range []string{one, other} {
				var got []outcome
				for n := range want {
					_, refused := w.do(t.Context(), k, n%2, client, "k", ada, fmt.Sprint("guess ", n))
					got = append(got, refused)
				}
				expect.Same(t, client, want, got, gocmp.AllowUnexported(outcome{}))
			}
			time.Sleep(time.Minute)
		}
		_, _, err := k.send(t.Context(), w, 0, contract.IdempotencyKey{Value: "k", Field: "idempotency_key"}, ada, "b")
		if refusal := contract.AsError(err); len(refusal.Fields) != 1 || !strings.Contains(refusal.Fields[0].Field, "idempotency_key") {
			t.Errorf("%v does not name the argument", err)
		}
	})
}

// A request with the key of a mail that failed, may have arrived or was interrupted sends it again unchanged; so does
// an equal request while it is retried. Each takes a slot.
func TestSentAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fail  error
		leave time.Duration // 0 for none
		equal bool          // joins
	}{
		"failed":      {fail: &mailer.Error{Outcome: mailer.Failed}, equal: true},
		"unknown":     {fail: errors.New("cut")},
		"interrupted": {leave: time.Minute, equal: true},
	} {
		for _, key := range []string{"k", ""} {
			expect.Bubble(t, cmp.Or(key, "equal")+" "+name, func(t *testing.T) {
				w := newWorld(t)
				again := contract.IdempotencyKey{Value: key}
				first := contract.PilotRequest{Name: "Ada", Business: "B", Email: ada, Message: "a"}
				inquiry := w.pilots[0].inquiry(t.Context(), first)
				bound := records.NewKey(ada, "k", inquiry.Fingerprint())
				inquiry, _, err := w.pilots[0].Outbox.Add(t.Context(), inquiry, bound)
				expect.OK(t, err)
				if tt.leave == 0 {
					w.fail = tt.fail
					expect.Error(t, "sent", w.pilots[0].Outbox.Send(t.Context(), inquiry), tt.fail)
				} else {
					w.mails = []string{inquiry.MessageID}
					time.Sleep(tt.leave + time.Second)
				}
				w.fail = nil
				answer, decision, err := w.pilots[1].Send(t.Context(), first, again)
				expect.OK(t, err)
				expect.Same(t, "slots left, and mails", []any{2, 2}, []any{decision.Remaining, len(w.mails)})
				joins := key != "" || tt.equal
				expect.Same(t, "the mail is the same", joins, w.mails[1] == w.mails[0])
				expect.Same(t, "the inquiry is the same", joins, answer.ID == inquiry.ID)
				another, _, err := w.pilots[0].Send(t.Context(), first, contract.IdempotencyKey{})
				if err != nil || another.ID == answer.ID {
					t.Errorf("an equal request after the mail: %s, %v", another.ID, err)
				}
			})
		}
	}
}
