package records

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
)

// The first sender ends the leases of those who are gone; one beside another does not.
func TestJoinSenders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	fill(t, store, 1)
	claimable := func() bool {
		_, err := store.ClaimDue(t.Context(), sample(0).Lease, Mail{}, leaseEnd.Add(-time.Second), time.Time{})
		return err == nil
	}
	join := func() func() {
		t.Helper()
		return expect.Value(openStore(t, dir).JoinSenders(t.Context(), dir))(t)
	}
	leaveFirst := join()
	expect.Same(t, "the first sender ends a lease", true, claimable())
	leaveSecond := join()
	leaveFirst()
	leaveThird := join()
	expect.Same(t, "the third ends one whose owner may live", false, claimable())
	leaveSecond()
	leaveThird()
	defer join()()
	expect.Same(t, "when all were gone, the next ends one", true, claimable())
}

// A process that failed to end the leases still counts as a sender.
func TestJoinSendersWhileLocked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		store, command := openStore(t, dir), openStore(t, dir)
		fill(t, store, 1)
		holder := hold(t, filepath.Join(dir, FileName), `BEGIN IMMEDIATE`)
		leave, err := store.JoinSenders(t.Context(), dir)
		defer leave()
		expect.Says(t, "JoinSenders", err, "end leases")
		expect.Value(holder.Exec(`ROLLBACK`))(t)
		defer expect.Value(command.JoinSenders(t.Context(), dir))(t)()
		_, err = store.ClaimDue(t.Context(), sample(0).Lease, Mail{}, leaseEnd.Add(-time.Second), time.Time{})
		expect.Error(t, "ClaimDue", err, ErrNotFound)
	})
}
