package records

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

var longAgo = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (at Options) TestAddInquiryWithKey(t *testing.T) {
	store := openAt(t, at)
	key := Key{Email: "ada@example.com", Hash: "hash", Fingerprint: "first"}
	expect.OK(t, store.AddInquiry(t.Context(), sample(1), Claim{Key: key}))
	expect.Error(t, "the key again", store.AddInquiry(t.Context(), sample(2), Claim{Key: Key{"ada@example.com", "hash", "second"}}), ErrKeyTaken)
	if err := store.AddInquiry(t.Context(), sample(1), Claim{Key: Key{Hash: "other"}}); err == nil {
		t.Error("an inquiry is stored twice")
	}
	expect.Same(t, "inquiries", []string{"inq_1"}, ids(t, store, InquiryQuery{}))
	expect.Error(t, "the key of another address", store.AddInquiry(t.Context(), sample(3), Claim{Key: Key{"eve@example.com", "hash", "first"}}), nil)
	got, err := store.InquiryByKey(t.Context(), key, longAgo)
	if err != nil {
		t.Error(err)
	}
	expect.Error(t, "the key with another request", expect.ErrorOf(store.InquiryByKey(t.Context(), Key{"ada@example.com", "hash", "second"}, longAgo)), ErrKeyReused)
	expect.Error(t, "the key of another address", expect.ErrorOf(store.InquiryByKey(t.Context(), Key{"grace@example.com", "hash", "first"}, longAgo)), ErrNotFound)
	expect.Same(t, "by its key", sample(1), got)
	expect.Error(t, "the key of a request that was not stored", expect.ErrorOf(store.InquiryByKey(t.Context(), Key{Hash: "other"}, longAgo)), ErrNotFound)
}

// TestKeysEnd: an old key is free again, and goes with its inquiry.
func (at Options) TestKeysEnd(t *testing.T) {
	store := openAt(t, at)
	for n := range 3 {
		expect.OK(t, store.AddInquiry(t.Context(), sample(n), Claim{Key: Key{Hash: fmt.Sprint(n)}}))
	}
	later := sample(3)
	later.CreatedAt = sample(1).CreatedAt.Add(contract.KeyLifetime)
	expect.Error(t, "a key of that very time", expect.ErrorOf(store.InquiryByKey(t.Context(), Key{Hash: "1"}, later.CreatedAt)), nil)
	expect.Error(t, "an older key", expect.ErrorOf(store.InquiryByKey(t.Context(), Key{Hash: "0"}, later.CreatedAt)), ErrNotFound)
	expect.Error(t, "a key of that very time", store.AddInquiry(t.Context(), later, Claim{Key: Key{Hash: "1"}}), ErrKeyTaken)
	expect.Error(t, "an older key", store.AddInquiry(t.Context(), later, Claim{Key: Key{Hash: "0"}}), nil)
	left := func() (n int) {
		t.Helper()
		expect.OK(t, store.db.QueryRow(`SELECT COUNT(*) FROM inquiry_keys`).Scan(&n))
		return n
	}
	if err := store.pruneSecrets(t.Context(), sample(2).CreatedAt.Add(contract.KeyLifetime)); err != nil || left() != 2 {
		t.Errorf("%d keys are left (%v), want two", left(), err)
	}
	if _, err := store.Prune(t.Context(), Retention{}, sample(3).CreatedAt); err != nil || left() != 1 {
		t.Errorf("%d keys are left after their inquiries (%v), want one", left(), err)
	}
}

// slotFunc is a slot that is taken by a function.
type slotFunc func() error

func (f slotFunc) Take(context.Context) error { return f() }

// TestOneIsAdmitted: of requests with one key on two instances at once, one takes its
// slot while the others wait. A refusal leaves nothing, and the key free.
func (at Options) TestOneIsAdmitted(t *testing.T) {
	stores := []*Store{openAt(t, at), openAt(t, at)}
	refused := errors.New("refused")
	limited := func(n int) Inquiry {
		inquiry := sample(n)
		inquiry.Limit = SendLimit{PerDay: 1, Network: "192.0.2.0/24", PerNetwork: 1}
		return inquiry
	}
	refusal := stores[0].AddInquiry(t.Context(), limited(99), Claim{Key: Key{Hash: "hash"}, Slot: slotFunc(func() error { return refused })})
	if !errors.Is(refusal, refused) || len(ids(t, stores[0], InquiryQuery{})) != 0 {
		t.Errorf("refused: %v, with %v stored; want nothing stored", refusal, ids(t, stores[0], InquiryQuery{}))
	}
	var asked atomic.Int32
	results := make([]error, 16)
	var wait sync.WaitGroup
	for n := range results {
		wait.Go(func() {
			// The daily limit has room for one too, and is not what the others hear.
			results[n] = stores[n%2].AddInquiry(t.Context(), limited(n), Claim{Key: Key{Hash: "hash"}, Slot: slotFunc(func() error {
				asked.Add(1)
				return nil
			})})
		})
	}
	wait.Wait()
	taken := 0
	for _, err := range results {
		if errors.Is(err, ErrKeyTaken) {
			taken++
		}
	}
	if asked.Load() != 1 || len(ids(t, stores[0], InquiryQuery{})) != 1 || taken != len(results)-1 {
		t.Errorf("%d were asked and %d found the key taken, want 1 and %d: %v", asked.Load(), taken, len(results)-1, results)
	}
}

// TestAddWorkspaceWithKey: workspaces have keys of their own, by the rules of inquiries.
func (at Options) TestAddWorkspaceWithKey(t *testing.T) {
	store := openAt(t, at)
	key, first := NewKey("Ada@Example.com", "k", []byte("request")), draft(1)
	expect.OK(t, store.AddWorkspace(t.Context(), first, Claim{Key: key}))
	expect.Error(t, "the key again", store.AddWorkspace(t.Context(), draft(2), Claim{Key: key}), ErrKeyTaken)
	found := expect.Value(store.WorkspaceByKey(t.Context(), NewKey("ada@EXAMPLE.com", "k", []byte("request")), longAgo))(t)
	expect.Same(t, "by another case of the address", first, found)
	other := NewKey("ada@example.com", "k", []byte("other"))
	expect.Error(t, "another request", expect.ErrorOf(store.WorkspaceByKey(t.Context(), other, longAgo)), ErrKeyReused)
	expect.OK(t, store.pruneSecrets(t.Context(), first.CreatedAt.Add(contract.KeyLifetime+time.Hour)))
	expect.Error(t, "a pruned key", expect.ErrorOf(store.WorkspaceByKey(t.Context(), key, longAgo)), ErrNotFound)
}

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

// TestQueuedInquiry: one inquiry at a time waits for its mail among equal requests.
func (at Options) TestQueuedInquiry(t *testing.T) {
	store := openAt(t, at)
	equal := NewKey("ada@example.com", "equal", []byte("request"))
	add := func(n int) error {
		inq := sample(n)
		inq.Equal = equal
		return store.AddInquiry(t.Context(), inq, Claim{})
	}
	settle := func(n int, state State, retry time.Time) {
		t.Helper()
		inq := sample(n)
		inq.State, inq.RetryAt = state, retry
		expect.OK(t, store.SettleInquiry(t.Context(), inq))
	}
	check := func(when, want string) {
		t.Helper()
		got, err := store.InquiryByKey(t.Context(), equal, sample(0).CreatedAt.Add(-time.Hour))
		if err == nil && !got.Queued(leaseEnd) {
			err = ErrNotFound
		}
		if got.ID != want && err == nil || (want == "") != errors.Is(err, ErrNotFound) {
			t.Errorf("%s: queued %q, %v; want %q", when, got.ID, err, want)
		}
	}
	check("of an empty store", "")
	expect.OK(t, add(4))
	check("while its mail is under way", "")
	expect.Error(t, "an equal one at the same time counts by itself", add(0), nil)
	settle(0, Failed, noon)
	check("when it failed and is tried again", "inq_0")
	expect.Error(t, "an equal one", add(1), ErrQueued)
	expect.Error(t, "the equal one is stored", expect.ErrorOf(store.Inquiry(t.Context(), "inq_1")), ErrNotFound)
	expect.OK(t, expect.ErrorOf(store.ClaimDue(t.Context(), Lease{Owner: "first", Until: noon.Add(time.Hour)}, longAgo, noon)))
	check("while it is tried again", "inq_0")
	settle(0, Sent, time.Time{})
	check("when it is sent", "")
	expect.Error(t, "an equal one after the mail was sent", add(1), nil)
	settle(1, Failed, time.Time{})
	check("when it failed for good", "")
	expect.Error(t, "an equal one after the last retry", add(2), nil)
	late := sample(3)
	late.Equal, late.CreatedAt = equal, sample(2).CreatedAt.Add(25*time.Hour)
	expect.Error(t, "an equal one a day later", store.AddInquiry(t.Context(), late, Claim{}), nil)
}
