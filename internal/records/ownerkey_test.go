package records

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

func (at Options) TestOwnerKeys(t *testing.T) {
	store := openAt(t, at)
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	has := func(kind OwnerKeyKind, hash string, at time.Time, want bool) {
		t.Helper()
		if got, err := store.HasOwnerKey(t.Context(), kind, hash, at); err != nil || got != want {
			t.Errorf("%s %s at %v: %v, %v; want %v", kind, hash, at, got, err, want)
		}
	}
	expect.OK(t, store.AddOwnerKey(t.Context(), SignInLink, "a", now.Add(time.Minute)), store.AddOwnerKey(t.Context(), OwnerSession, "b", now.Add(time.Hour)))
	has(SignInLink, "a", now, true)
	has(OwnerSession, "a", now, false)
	has(SignInLink, "a", now.Add(time.Minute), false)
	has(SignInLink, "c", now, false)
	var signedIn atomic.Int32 // of eight browsers that use a link at once
	var browsers sync.WaitGroup
	for range 8 {
		browsers.Go(func() {
			used, err := store.UseOwnerKey(t.Context(), SignInLink, "a", now)
			if expect.Error(t, "use a link", err, nil); used {
				signedIn.Add(1)
			}
		})
	}
	browsers.Wait()
	expect.Same(t, "uses of a link", 1, signedIn.Load())
	if used, err := store.UseOwnerKey(t.Context(), OwnerSession, "b", now.Add(time.Hour)); used || err != nil {
		t.Errorf("a key that has expired: %v, %v", used, err)
	}
	has(OwnerSession, "b", now, true)
	expect.OK(t, expect.ErrorOf(store.Prune(t.Context(), Retention{}, now)))
	has(OwnerSession, "b", now, true)
	expect.OK(t, expect.ErrorOf(store.Prune(t.Context(), Retention{}, now.Add(time.Hour))))
	has(OwnerSession, "b", now, false)
}
