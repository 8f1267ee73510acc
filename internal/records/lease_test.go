package records

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// settled brings the nth inquiry of a test to a state.
func settled(t *testing.T, store *Store, n int, state State) {
	t.Helper()
	inq := sample(n)
	inq.State, inq.Detail = state, "because"
	must(t, store.SettleInquiry(t.Context(), inq))
}

func TestClaimInquiry(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		state State
		now   time.Time
		err   error
	}{
		{"failed", Failed, leaseEnd.Add(-time.Second), nil},
		{"unknown", Unknown, leaseEnd.Add(-time.Second), nil},
		{"sent", Sent, leaseEnd.Add(time.Hour), ErrSent},
		{"under way", Pending, leaseEnd, ErrLeased},
		{"interrupted", Pending, leaseEnd.Add(time.Microsecond), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachDatabase(t, func(t *testing.T, at Options) {
				store := openAt(t, at)
				fill(t, store, 2)
				if tt.state != Pending {
					settled(t, store, 1, tt.state)
				}
				before, err := store.Inquiry(t.Context(), "inq_1")
				must(t, err)
				lease := Lease{Owner: "second", Until: leaseEnd.Add(time.Hour)}
				got, err := store.ClaimInquiry(t.Context(), "inq_1", lease, tt.now, nil)
				if !errors.Is(err, tt.err) {
					t.Fatalf("error = %v, want %v", err, tt.err)
				}
				want := before
				if tt.err == nil {
					want = sample(1)
					want.Lease = lease
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("claimed (-want +got):\n%s", diff)
					}
				}
				if after, err := store.Inquiry(t.Context(), "inq_1"); err != nil || !cmp.Equal(want, after) {
					t.Errorf("stored (-want +got):\n%s%v", cmp.Diff(want, after), err)
				}
			})
		})
	}
}

// TestClaimInterrupted takes what is pending under an ended lease, oldest first, and
// nothing else.
func TestClaimInterrupted(t *testing.T) { eachDatabase(t, testClaimInterrupted) }

func testClaimInterrupted(t *testing.T, at Options) {
	store := openAt(t, at)
	fill(t, store, 6)
	for n, state := range []State{Sent, Failed, Unknown} {
		settled(t, store, n, state)
	}
	if _, err := store.db.Exec(`UPDATE inquiries SET lease_until = $1 WHERE id = 'inq_4'`, leaseEnd.Add(time.Hour).UnixMicro()); err != nil {
		t.Fatal(err)
	}
	now := leaseEnd.Add(time.Second)
	for _, want := range []string{"inq_3", "inq_5", ""} {
		got, err := store.ClaimInterrupted(t.Context(), Lease{"second", now.Add(time.Minute)}, now)
		if got.ID != want || errors.Is(err, ErrNotFound) != (want == "") {
			t.Errorf("claimed %q (%v), want %q", got.ID, err, want)
		}
	}
}

// TestClaimOnce: two programs claim what many requests left behind, and no inquiry
// is given out twice.
func TestClaimOnce(t *testing.T) { eachDatabase(t, testClaimOnce) }

func testClaimOnce(t *testing.T, at Options) {
	const inquiries = 20
	stores := []*Store{openAt(t, at), openAt(t, at)}
	fill(t, stores[0], inquiries)
	now := leaseEnd.Add(time.Second)
	var mu sync.Mutex
	claims := map[string]int{}
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for {
				inq, err := stores[n%2].ClaimInterrupted(t.Context(), Lease{"x", now.Add(time.Minute)}, now)
				if errors.Is(err, ErrNotFound) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				claims[inq.ID]++
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for id, n := range claims {
		if n != 1 {
			t.Errorf("%s is claimed %d times", id, n)
		}
	}
	if len(claims) != inquiries {
		t.Errorf("%d inquiries are claimed, want %d", len(claims), inquiries)
	}
}

// TestJoinSenders: the first sender ends the leases of those who are gone, one that
// comes while another is there does not.
func TestJoinSenders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	fill(t, store, 1)
	claimable := func() bool {
		_, err := store.ClaimInterrupted(t.Context(), sample(0).Lease, leaseEnd.Add(-time.Second))
		return err == nil
	}
	join := func() func() {
		t.Helper()
		leave, err := openStore(t, dir).JoinSenders(t.Context(), dir)
		must(t, err)
		return leave
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
