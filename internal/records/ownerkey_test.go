package records

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
)

func (at Options) TestOwnerKeys(t *testing.T) {
	store := openAt(t, at)
	has := func(kind OwnerKeyKind, hash string, at time.Time, want bool) {
		t.Helper()
		expect.Same(t, fmt.Sprintf("%s %s at %v", kind, hash, at),
			want, expect.Value(store.HasOwnerKey(t.Context(), kind, hash, at))(t))
	}
	expect.OK(t, store.AddOwnerKey(t.Context(), SignInLink, "a", noon.Add(time.Minute)),
		store.AddOwnerKey(t.Context(), OwnerSession, "b", noon.Add(time.Hour)))
	has(SignInLink, "a", noon, true)
	has(OwnerSession, "a", noon, false)
	has(SignInLink, "a", noon.Add(time.Minute), false)
	has(SignInLink, "c", noon, false)
	var signedIn atomic.Int32 // of eight browsers that use a link at once
	var browsers sync.WaitGroup
	for range 8 {
		browsers.Go(func() {
			used, err := store.UseOwnerKey(t.Context(), SignInLink, "a", noon)
			if expect.Error(t, "use a link", err, nil); used {
				signedIn.Add(1)
			}
		})
	}
	browsers.Wait()
	expect.Same(t, "uses of a link", 1, signedIn.Load())
	expect.Same(t, "use of a key that has expired",
		false, expect.Value(store.UseOwnerKey(t.Context(), OwnerSession, "b", noon.Add(time.Hour)))(t))
	has(OwnerSession, "b", noon, true)
	prune(t, store, noon)
	has(OwnerSession, "b", noon, true)
	prune(t, store, noon.Add(time.Hour))
	has(OwnerSession, "b", noon, false)
}

// The first sender ends the leases of those who are gone; a second one does not.
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
