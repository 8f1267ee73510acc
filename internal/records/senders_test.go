package records

import (
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// The first sender ends the leases of those who are gone, one that comes while another is there does not.
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
