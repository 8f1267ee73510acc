package records

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

var leaseEnd = time.Date(2026, 11, 21, 9, 1, 0, 0, time.UTC)

// sample is the nth inquiry of a test; a greater n is newer.
func sample(n int) Inquiry {
	return Inquiry{
		ID: fmt.Sprintf("inq_%d", n), MessageID: fmt.Sprintf("inq_%d@example.org", n),
		Name: "Ada", Business: "Ada's 'Café'", Email: "ada@example.com",
		Message: "two\nlines; DROP TABLE inquiries", Phone: "123", Segment: "retail",
		Subject: "Pilot request", Text: "text 🙂", From: "desk@example.org", To: "owner@example.org",
		State:     Pending,
		CreatedAt: time.Date(2026, 11, 21, 9, 0, n, 123456000, time.UTC),
		Lease:     Lease{"first", leaseEnd},
	}
}

func in(state State, n int) Inquiry {
	inquiry := sample(n)
	inquiry.State = state
	return inquiry
}

func add(t *testing.T, store *Store, inquiry Inquiry) {
	t.Helper()
	expect.Value(store.AddInquiry(t.Context(), inquiry, Key{}))(t)
}

func fill(t *testing.T, store *Store, n int) {
	t.Helper()
	for i := range n {
		add(t, store, sample(i))
	}
}

func ids(t *testing.T, store *Store, query InquiryQuery) []string {
	t.Helper()
	ids := []string{}
	for _, inq := range expect.Value(store.Inquiries(t.Context(), query))(t) {
		ids = append(ids, inq.ID)
	}
	return ids
}

func (at Options) TestAddInquiryRefuses(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 1)
	for name, change := range map[string]func(*Inquiry){
		"an id twice":        func(inq *Inquiry) { inq.MessageID = "other@example.org" },
		"a Message-ID twice": func(inq *Inquiry) { inq.ID = "inq_other" },
		"a state of its own": func(inq *Inquiry) { inq.ID, inq.MessageID, inq.State = "inq_x", "x@example.org", "lost" },
	} {
		inq := sample(0)
		change(&inq)
		if _, err := store.AddInquiry(t.Context(), inq, Key{}); err == nil {
			t.Errorf("%s is stored", name)
		}
	}
	expect.Same(t, "stored", []string{"inq_0"}, ids(t, store, InquiryQuery{}))
}

func (at Options) TestInquiryViews(t *testing.T) {
	store := openAt(t, at)
	for n, state := range []State{Sent, Failed, Unknown, Quarantined, Pending, Sent} {
		inquiry := in(state, n)
		if n == 5 {
			inquiry.Business, inquiry.Message = "Bäckerei ÜBER", `50% off \ a_b`
		}
		add(t, store, inquiry)
	}
	done, answered := noon, noon.Add(-time.Hour)
	expect.OK(t, store.MarkInquiry(t.Context(), "inq_0", answered, done))
	marked := func() []time.Time {
		inquiry := expect.Value(store.Inquiry(t.Context(), "inq_0"))(t)
		return []time.Time{inquiry.DoneAt, inquiry.AnsweredAt}
	}
	expect.OK(t, store.MarkInquiry(t.Context(), "inq_2", answered, time.Time{}))
	expect.OK(t, store.NoteInquiry(t.Context(), "inq_4", "rings back on\x00 Friday"))
	all := func(text string) InquiryQuery { return InquiryQuery{View: AllInquiries, Text: text} }
	for _, tt := range []struct {
		query InquiryQuery
		want  string
	}{
		{InquiryQuery{View: NewInquiries}, "5 4 1"},
		{InquiryQuery{View: AnsweredInquiries}, "2"},
		{InquiryQuery{View: UndeliveredInquiries}, "2 1"},
		{InquiryQuery{View: QuarantinedInquiries}, "3"},
		{InquiryQuery{View: DoneInquiries}, "0"},
		{InquiryQuery{Page: Page{Limit: 2, Offset: 1}}, "4 3"},
		{InquiryQuery{Page: Page{Limit: 2, Offset: 9}}, ""},
		{InquiryQuery{View: NewInquiries, Text: "' OR 1=1 --"}, ""},
		{all(""), "5 4 3 2 1 0"},
		{all("friday"), "4"},
		{all("inq_3"), "3"},
		{all(" bäckerei "), "5"},
		{all("ÜBER"), "5"},
		{all("0%"), "5"},
		{all("a_b"), "5"},
		{all(`\`), "5"},
		{all("ADA@EXAMPLE"), "5 4 3 2 1 0"},
		{all("zebra\x00"), ""},
	} {
		count := len(strings.Fields(tt.want))
		if tt.query.Limit > 0 {
			count = 6
		}
		got := strings.ReplaceAll(strings.Join(ids(t, store, tt.query), " "), "inq_", "")
		expect.Same(t, fmt.Sprint(tt.query),
			[]any{tt.want, count}, []any{got, expect.Value(store.CountInquiries(t.Context(), tt.query))(t)[AllInquiries]})
	}
	expect.Same(t, "counts", map[InquiryView]int{NewInquiries: 3, AnsweredInquiries: 1, UndeliveredInquiries: 2,
		QuarantinedInquiries: 1, DoneInquiries: 1, AllInquiries: 6},
		expect.Value(store.CountInquiries(t.Context(), InquiryQuery{}))(t))
	expect.Same(t, "marked", []time.Time{done, answered}, marked())
	expect.OK(t, store.MarkInquiry(t.Context(), "inq_0", time.Time{}, time.Time{}))
	expect.Same(t, "new again", []time.Time{{}, {}}, marked())
	expect.Same(t, "note", "rings back on\uFFFD Friday", expect.Value(store.Inquiry(t.Context(), "inq_4"))(t).Note)
	expect.Error(t, "no such inquiry", store.MarkInquiry(t.Context(), "inq_9", answered, done), ErrNotFound)
	expect.Error(t, "no inquiry to note on", store.NoteInquiry(t.Context(), "inq_9", "x"), ErrNotFound)
	expect.Same(t, "by state", map[State]int{Failed: 1, Unknown: 1, Quarantined: 1, Pending: 1},
		expect.Value(store.UnsentInquiries(t.Context()))(t))
	if _, err := store.Inquiries(t.Context(), InquiryQuery{View: "1=1"}); err == nil {
		t.Error("a view that does not exist is found")
	}
}

var longAgo = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (at Options) TestAddInquiryWithKey(t *testing.T) {
	store := openAt(t, at)
	key := Key{Email: "ada@example.com", Hash: "hash", Fingerprint: "first"}
	for _, step := range []struct {
		name string
		n    int
		key  Key
		want string // the inquiry that is returned
		err  error
	}{
		{"the first", 1, key, "inq_1", nil},
		{"the key again", 2, key, "inq_1", nil},
		{"the key with another request", 2, Key{"ada@example.com", "hash", "second"}, "", ErrKeyReused},
		{"the key of another address", 3, Key{"eve@example.com", "hash", "first"}, "inq_3", nil},
	} {
		got, err := store.AddInquiry(t.Context(), sample(step.n), step.key)
		expect.Error(t, step.name, err, step.err)
		expect.Same(t, step.name, step.want, got.ID)
	}
	expect.Same(t, "inquiries", []string{"inq_3", "inq_1"}, ids(t, store, InquiryQuery{}))
	expect.Same(t, "by its key", sample(1), expect.Value(store.InquiryByKey(t.Context(), key, longAgo))(t))
	for _, unknown := range []Key{{}, {Hash: "other"}, {"grace@example.com", "hash", "first"}} {
		_, err := store.InquiryByKey(t.Context(), unknown, longAgo)
		expect.Error(t, fmt.Sprint("by ", unknown), err, ErrNotFound)
	}
}

// An old key is free again, and goes with its inquiry.
func (at Options) TestKeysEnd(t *testing.T) {
	store := openAt(t, at)
	for n := range 3 {
		expect.Value(store.AddInquiry(t.Context(), in(Sent, n), Key{Hash: fmt.Sprint(n)}))(t)
	}
	later := sample(3)
	later.CreatedAt = sample(1).CreatedAt.Add(contract.KeyLifetime)
	for hash, want := range map[string]error{"1": nil, "0": ErrNotFound} { // of that very time, and older
		expect.Error(t, "key "+hash, expect.ErrorOf(store.InquiryByKey(t.Context(), Key{Hash: hash}, later.CreatedAt)), want)
	}
	for _, step := range [][2]string{{"1", "inq_1"}, {"0", "inq_3"}} { // an older key is free
		expect.Same(t, "under key "+step[0],
			step[1], expect.Value(store.AddInquiry(t.Context(), later, Key{Hash: step[0]}))(t).ID)
	}
	left := func() (n int) {
		expect.OK(t, store.db.QueryRow(`SELECT COUNT(*) FROM inquiry_keys`).Scan(&n))
		return n
	}
	expect.OK(t, store.pruneExpired(t.Context(), sample(2).CreatedAt.Add(contract.KeyLifetime)))
	expect.Same(t, "keys", 2, left())
	prune(t, store, sample(3).CreatedAt)
	expect.Same(t, "keys after their inquiries", 1, left())
}

// Of equal requests, or those with one key, on two instances at once one is stored, and all get it.
func (at Options) TestOneIsStored(t *testing.T) {
	stored := 0
	for name, key := range map[string]func(n int) Key{
		"one key":        func(int) Key { return Key{Hash: "hash"} },
		"equal requests": func(n int) Key { return Key{Hash: fmt.Sprint(n)} },
	} {
		stores := []*Store{openAt(t, at), openAt(t, at)}
		failed := sample(99)
		if name == "equal requests" {
			failed.Equal = "equal"
			add(t, stores[0], failed)
			failed.State, failed.RetryAt = Failed, noon
			expect.OK(t, stores[0].SettleInquiry(t.Context(), failed))
		}
		got := make([]string, 16)
		var wait sync.WaitGroup
		for n := range got {
			wait.Go(func() {
				inquiry := sample(n)
				inquiry.Equal, inquiry.Limit = failed.Equal, SendLimit{PerDay: 1, Network: "192.0.2.0/24", PerNetwork: 1}
				got[n] = expect.Value(stores[n%2].AddInquiry(t.Context(), inquiry, key(n)))(t).ID
			})
		}
		wait.Wait()
		stored++
		expect.Same(t, name, slices.Repeat(got[:1], len(got)), got)
		expect.Same(t, name+": stored", stored, len(ids(t, stores[0], InquiryQuery{})))
		for n := range got {
			expect.Same(t, fmt.Sprintf("%s: by key %d", name, n),
				got[n], expect.Value(stores[1].InquiryByKey(t.Context(), key(n), longAgo))(t).ID)
		}
	}
}

// An equal request joins an inquiry whose mail is still to be sent.
func (at Options) TestEqualInquiry(t *testing.T) {
	store := openAt(t, at)
	add := func(when string, n int, want string) {
		t.Helper()
		inq := sample(n)
		inq.Equal = "equal"
		expect.Same(t, when, want, expect.Value(store.AddInquiry(t.Context(), inq, Key{Hash: fmt.Sprint(n)}))(t).ID)
	}
	settle := func(n int, state State, retry time.Time) {
		t.Helper()
		inq := in(state, n)
		inq.RetryAt = retry
		expect.OK(t, store.SettleInquiry(t.Context(), inq))
	}
	add("the first", 4, "inq_4")
	add("while its first delivery is under way, each counts by itself", 0, "inq_0")
	settle(0, Failed, noon)
	add("when it failed and is tried again", 1, "inq_0")
	expect.Value(store.ClaimDue(t.Context(), Lease{"first", noon.Add(time.Hour)}, Mail{}, longAgo, noon))(t)
	add("while it is tried again", 2, "inq_0")
	settle(0, Sent, time.Time{})
	add("when it is sent", 3, "inq_3")
	settle(3, Failed, time.Time{})
	add("when it failed for good", 5, "inq_5")
	expect.Value(store.db.Exec(`UPDATE inquiries SET lease_until = 0 WHERE id = 'inq_5'`))(t)
	add("when its delivery was interrupted", 6, "inq_5")
	expect.Same(t, "inquiries", []string{"inq_5", "inq_4", "inq_3", "inq_0"}, ids(t, store, InquiryQuery{}))
	for key, want := range map[string]string{"1": "inq_0", "2": "inq_0", "3": "inq_3", "6": "inq_5"} {
		expect.Same(t, "by key "+key, want, expect.Value(store.InquiryByKey(t.Context(), Key{Hash: key}, longAgo))(t).ID)
	}
}

func (at Options) TestClaimInquiry(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 5)
	for n, tt := range []struct {
		state State
		now   time.Time
		err   error
	}{
		{Failed, leaseEnd.Add(-time.Second), nil},
		{Unknown, leaseEnd.Add(-time.Second), nil},
		{Sent, leaseEnd.Add(time.Hour), ErrSent},
		{Pending, leaseEnd, ErrLeased},
		{Pending, leaseEnd.Add(time.Microsecond), nil}, // interrupted
	} {
		what := fmt.Sprint(tt.state, " at ", tt.now)
		if tt.state != Pending {
			inq := in(tt.state, n)
			inq.Detail = "550 no"
			expect.OK(t, store.SettleInquiry(t.Context(), inq))
		}
		want := expect.Value(store.Inquiry(t.Context(), sample(n).ID))(t)
		lease := Lease{"second", leaseEnd.Add(time.Hour)}
		got, err := store.ClaimInquiry(t.Context(), want.ID, lease, Mail{To: "new@desk.example", Text: "New"}, tt.now)
		expect.Error(t, what, err, tt.err)
		if tt.err == nil {
			want = sample(n)
			want.Lease, want.To, want.Text = lease, "new@desk.example", "New"
			expect.Same(t, what+": claimed", want, got)
		}
		expect.Same(t, what+": stored", want, expect.Value(store.Inquiry(t.Context(), want.ID))(t))
	}
}

// Pending ones whose lease has ended come first, then failed ones whose retry is due, each the oldest first.
func (at Options) TestClaimDue(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 9)
	for n, outcome := range []struct {
		state State
		retry time.Time
	}{
		{Sent, noon}, {Unknown, noon},
		{Failed, time.Time{}}, // failed while the setting was off
		{Failed, noon.Add(time.Minute)}, {Failed, noon}, {Failed, noon.Add(time.Hour)},
	} {
		inq := in(outcome.state, n)
		inq.RetryAt = outcome.retry
		expect.OK(t, store.SettleInquiry(t.Context(), inq))
	}
	expect.Value(store.db.Exec(`UPDATE inquiries SET lease_until = $1 WHERE id = 'inq_7'`,
		noon.Add(time.Hour).UnixMicro()))(t)
	due := noon.Add(time.Minute)
	for i, step := range []struct {
		expired, retry time.Time
		want           string
	}{
		{leaseEnd, noon.Add(-time.Second), ""}, {due, due, "inq_6"}, {due, time.Time{}, "inq_8"}, {due, time.Time{}, ""},
		{due, due, "inq_4"}, {due, due, "inq_3"}, {due, due, ""},
	} {
		got, err := store.ClaimDue(t.Context(), Lease{"second", noon.Add(time.Hour)}, Mail{}, step.expired, step.retry)
		expect.Same(t, fmt.Sprintf("step %d: claimed", i),
			[]any{step.want, step.want == ""}, []any{got.ID, errors.Is(err, ErrNotFound)})
	}
	expect.OK(t, store.RetryFailed(t.Context(), due)) // also what was not due or given up
	for _, want := range []string{"inq_2", "inq_5"} {
		got := expect.Value(store.ClaimDue(t.Context(), Lease{"third", noon.Add(time.Hour)}, Mail{}, noon, due))(t)
		expect.Same(t, "brought forward", want, got.ID)
	}
}

// Two programs never claim the same.
func (at Options) TestClaimOnce(t *testing.T) {
	const all = 10
	stores := []*Store{openAt(t, at), openAt(t, at)}
	fill(t, stores[0], all)
	for n := range all {
		addNotifications(t, stores[0], notification(n))
	}
	now := leaseEnd.Add(24 * time.Hour)
	for kind, claim := range map[string]func(store *Store, name string) (id string, err error){
		"inquiry": func(store *Store, name string) (string, error) {
			inquiry, err := store.ClaimDue(t.Context(), Lease{name, now.Add(time.Minute)}, Mail{}, now, time.Time{})
			return inquiry.ID, err
		},
		"notification": func(store *Store, name string) (string, error) {
			n, err := store.ClaimNotification(t.Context(), "ntfy", name, now.Add(time.Hour), now)
			return n.ID, err
		},
	} {
		var mu sync.Mutex
		claims := map[string]int{}
		var wait sync.WaitGroup
		for caller := range 6 {
			wait.Go(func() {
				for range 3 * all { // PostgreSQL may report none to a caller that lost a race
					if id, err := claim(stores[caller%2], fmt.Sprint(caller)); err == nil {
						mu.Lock()
						claims[id]++
						mu.Unlock()
					} else {
						expect.Error(t, "claim", err, ErrNotFound)
					}
				}
			})
		}
		wait.Wait()
		for id, n := range claims {
			expect.Same(t, id+": times claimed", 1, n)
		}
		expect.Same(t, kind+": how many are claimed", all, len(claims))
	}
}

// A sender that was overtaken, or had settled before, changes nothing.
func (at Options) TestSettleInquiry(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 4)
	expect.OK(t, store.SettleInquiry(t.Context(), in(Sent, 0)), store.SettleInquiry(t.Context(), in(Unknown, 2)))
	failed := in(Failed, 1)
	failed.Detail, failed.RetryAt = "550 Empf\xe4nger \x00 unbekannt", noon
	failed.Notifications = []Notification{notification(1)}
	expect.OK(t, store.SettleInquiry(t.Context(), failed))
	overtaken := in(Failed, 3)
	overtaken.Lease.Owner, overtaken.Notifications = "another", []Notification{notification(3)}
	for _, inq := range []Inquiry{overtaken, in(Failed, 0), in(Failed, 9)} { // the others had settled, or are not there
		expect.Error(t, inq.ID, store.SettleInquiry(t.Context(), inq), ErrLeaseLost)
	}
	for id, state := range map[string]State{"inq_0": Sent, "inq_1": Failed, "inq_2": Unknown, "inq_3": Pending} {
		expect.Same(t, id, state, expect.Value(store.Inquiry(t.Context(), id))(t).State)
	}
	got := expect.Value(store.Inquiry(t.Context(), "inq_1"))(t)
	want := in(Failed, 1)
	want.Detail, want.SettledAt, want.RetryAt = "550 Empf\uFFFDnger \uFFFD unbekannt", got.SettledAt, noon
	want.From, want.To = failed.From, failed.To
	expect.Same(t, "after settling", want, got)
	expect.Same(t, "settled now", time.Now(), got.SettledAt, cmpopts.EquateApproxTime(time.Minute))
	expect.AtLeast(t, "age", 0, time.Since(got.SettledAt))
	expect.Same(t, "notifications", []Notification{notification(1)}, allNotifications(t, store))
}

func (at Options) TestTries(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 1)
	settle := func(lease Lease, state State, detail string) error {
		inquiry := in(state, 0)
		inquiry.Detail, inquiry.Lease = detail, lease
		return store.SettleInquiry(t.Context(), inquiry)
	}
	claim := func(lease Lease, now time.Time) {
		t.Helper()
		expect.Value(store.ClaimInquiry(t.Context(), "inq_0", lease, Mail{}, now))(t)
	}
	first, second, third := sample(0).Lease, Lease{"second", leaseEnd}, Lease{"third", leaseEnd}
	expect.OK(t, settle(first, Failed, "550 no\x00"))
	claim(second, leaseEnd)                   // which is interrupted
	claim(third, leaseEnd.Add(2*time.Minute)) // and taken over
	expect.OK(t, settle(third, Sent, ""))
	var got []string
	for _, try := range expect.Value(store.Tries(t.Context(), "inq_0"))(t) {
		line := try.LeaseOwner + " " + string(try.State) + " " + try.Detail
		if try.EndedAt.IsZero() {
			line += " (open)"
		}
		expect.Same(t, line+" has no beginning", false, try.StartedAt.IsZero())
		got = append(got, line)
	}
	expect.Same(t, "tries", []string{"first failed 550 no\uFFFD", "second pending  (open)", "third sent "}, got)
	// What came of a try that was overtaken is noted too.
	expect.Error(t, "a lost lease", settle(second, Unknown, "late"), ErrLeaseLost)
	late := expect.Value(store.Tries(t.Context(), "inq_0"))(t)[1]
	expect.Same(t, "the overtaken try", []any{Unknown, "late"}, []any{late.State, late.Detail})
	expect.Same(t, "tries of nothing", []Attempt{}, expect.Value(store.Tries(t.Context(), "inq_9"))(t))
}

func TestInquiryIndexes(t *testing.T) {
	where, _ := InquiryQuery{}.chosen()
	for _, sql := range []string{endEqual, retryFailed, `SELECT state, done_at, answered_at FROM inquiries ` + where} {
		var step string
		row := openStore(t, t.TempDir()).db.QueryRow(`EXPLAIN QUERY PLAN `+sql, "", 0)
		expect.OK(t, row.Scan(new(int), new(int), new(int), &step))
		expect.Holds(t, sql, step, " INDEX ")
	}
}
