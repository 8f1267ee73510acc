package records

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// settled brings the nth inquiry of a test to a state, after a reply in whatever bytes.
func settled(t *testing.T, store *Store, n int, state State) {
	t.Helper()
	inq := sample(n)
	inq.State, inq.Detail = state, "550 Empf\xe4nger \x00 unbekannt"
	expect.OK(t, store.SettleInquiry(t.Context(), inq))
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
			settled(t, store, n, tt.state)
		}
		want, err := store.Inquiry(t.Context(), sample(n).ID)
		expect.OK(t, err)
		lease := Lease{Owner: "second", Until: leaseEnd.Add(time.Hour)}
		got, err := store.ClaimInquiry(t.Context(), want.ID, lease, tt.now)
		expect.Error(t, what, err, tt.err)
		if tt.err == nil {
			want = sample(n)
			want.Lease = lease
			expect.Same(t, what+": claimed", want, got)
		}
		after, err := store.Inquiry(t.Context(), want.ID)
		expect.OK(t, err)
		expect.Same(t, what+": stored", want, after)
	}
}

// TestClaimDue takes what is pending under an ended lease, oldest first, then the failed
// mails whose retry is due, longest first, and nothing else.
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
		inq := sample(n)
		inq.State, inq.RetryAt = outcome.state, outcome.retry
		expect.OK(t, store.SettleInquiry(t.Context(), inq))
	}
	expect.OK(t, expect.ErrorOf(store.db.Exec(`UPDATE inquiries SET lease_until = $1 WHERE id = 'inq_7'`, noon.Add(time.Hour).UnixMicro())))
	due := noon.Add(time.Minute)
	for i, step := range []struct {
		expired, retry time.Time
		want           string
	}{
		{leaseEnd, noon.Add(-time.Second), ""},
		{due, due, "inq_6"}, {due, time.Time{}, "inq_8"}, {due, time.Time{}, ""}, {due, due, "inq_4"}, {due, due, "inq_3"}, {due, due, ""},
	} {
		got, err := store.ClaimDue(t.Context(), Lease{"second", noon.Add(time.Hour)}, step.expired, step.retry)
		if got.ID != step.want || errors.Is(err, ErrNotFound) != (step.want == "") {
			t.Errorf("step %d: claimed %q (%v), want %q", i, got.ID, err, step.want)
		}
	}
	expect.OK(t, store.RetryFailed(t.Context(), due)) // which brings forward what was not due, and what was given up
	for _, want := range []string{"inq_2", "inq_5"} {
		got, err := store.ClaimDue(t.Context(), Lease{"third", noon.Add(time.Hour)}, noon, due)
		expect.OK(t, err)
		expect.Same(t, "brought forward", want, got.ID)
	}
}

// Two programs claim what many requests left behind, and nothing is given out
// twice.
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
			inquiry, err := store.ClaimDue(t.Context(), Lease{name, now.Add(time.Minute)}, now, time.Time{})
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
					id, err := claim(stores[caller%2], fmt.Sprint(caller))
					if err == nil {
						mu.Lock()
						claims[id]++
						mu.Unlock()
					} else if !errors.Is(err, ErrNotFound) {
						t.Error(err)
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

// The first sender ends the leases of those who are gone, one that
// comes while another is there does not.
func TestJoinSenders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	fill(t, store, 1)
	claimable := func() bool {
		_, err := store.ClaimDue(t.Context(), sample(0).Lease, leaseEnd.Add(-time.Second), time.Time{})
		return err == nil
	}
	join := func() func() {
		t.Helper()
		return expect.Value(openStore(t, dir).JoinSenders(t.Context(), dir))(t)
	}
	leaveFirst := join()
	if !claimable() {
		t.Error("the first sender leaves a lease of somebody who is gone")
	}
	leaveSecond := join()
	leaveFirst()
	leaveThird := join()
	if claimable() {
		t.Error("a lease is ended while its owner may live")
	}
	leaveSecond()
	leaveThird()
	defer join()()
	if !claimable() {
		t.Error("when all were gone, the next sender leaves a lease")
	}
}

// TestSettleInquiry stores what a mail server replied, in whatever bytes, together with the
// notifications; a sender that was overtaken, or had settled before, changes nothing.
func (at Options) TestSettleInquiry(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 4)
	settled(t, store, 0, Sent)
	settled(t, store, 2, Unknown)
	failed := sample(1)
	failed.State, failed.Detail, failed.RetryAt = Failed, "550 Empf\xe4nger \x00 unbekannt", noon
	failed.Notifications = []Notification{notification(1)}
	expect.OK(t, store.SettleInquiry(t.Context(), failed))
	overtaken, twice, missing := sample(3), sample(0), sample(9)
	overtaken.Lease.Owner, overtaken.Notifications = "another", []Notification{notification(3)}
	for _, inq := range []Inquiry{overtaken, twice, missing} {
		inq.State = Failed
		expect.Error(t, inq.ID, store.SettleInquiry(t.Context(), inq), ErrLeaseLost)
	}
	for want, states := range map[string][]State{
		"inq_0": {Sent}, "inq_1": {Failed}, "inq_2": {Unknown}, "inq_3": {Pending}, "inq_2 inq_1": {Failed, Unknown},
	} {
		expect.Same(t, fmt.Sprint(states), strings.Fields(want), ids(t, store, InquiryQuery{States: states}))
	}
	got := expect.Value(store.Inquiry(t.Context(), "inq_1"))(t)
	want := sample(1)
	want.State, want.Detail, want.SettledAt, want.RetryAt = Failed, "550 Empf\uFFFDnger \uFFFD unbekannt", got.SettledAt, noon
	expect.Same(t, "settling changes more than it should", want, got)
	if age := time.Since(want.SettledAt); age < 0 || age > time.Minute {
		t.Errorf("settled at %v, which is not now", want.SettledAt)
	}
	expect.Same(t, "notifications", []Notification{notification(1)}, allNotifications(t, store))
}

func (at Options) TestTries(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 1)
	settle := func(lease Lease, state State, detail string) error {
		inquiry := sample(0)
		inquiry.State, inquiry.Detail, inquiry.Lease = state, detail, lease
		return store.SettleInquiry(t.Context(), inquiry)
	}
	claim := func(lease Lease, now time.Time) {
		t.Helper()
		expect.OK(t, expect.ErrorOf(store.ClaimInquiry(t.Context(), "inq_0", lease, now)))
	}
	first, second, third := sample(0).Lease, Lease{Owner: "second", Until: leaseEnd}, Lease{Owner: "third", Until: leaseEnd}
	expect.OK(t, settle(first, Failed, "550 no\x00"))
	claim(second, leaseEnd)                   // which is interrupted
	claim(third, leaseEnd.Add(2*time.Minute)) // and taken over
	expect.OK(t, settle(third, Sent, ""))
	tries, err := store.Tries(t.Context(), "inq_0")
	expect.OK(t, err)
	var got []string
	for _, try := range tries {
		line := try.LeaseOwner + " " + string(try.State) + " " + try.Detail
		if try.EndedAt.IsZero() {
			line += " (open)"
		}
		if try.StartedAt.IsZero() {
			t.Errorf("%s has no beginning", line)
		}
		got = append(got, line)
	}
	expect.Same(t, "tries", []string{"first failed 550 no\uFFFD", "second pending  (open)", "third sent "}, got)
	// What came of a try that was overtaken is noted too.
	expect.Error(t, "a lost lease", settle(second, Unknown, "late"), ErrLeaseLost)
	if tries, err = store.Tries(t.Context(), "inq_0"); err != nil || tries[1].State != Unknown || tries[1].Detail != "late" {
		t.Errorf("the overtaken try is %+v, %v", tries[1], err)
	}
	if none, err := store.Tries(t.Context(), "inq_9"); err != nil || none == nil || len(none) != 0 {
		t.Errorf("tries of nothing: %v, %v", none, err)
	}
}
