package records

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
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
