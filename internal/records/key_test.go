package records

import (
	"fmt"
	"slices"
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
	if _, err := store.AddInquiry(t.Context(), sample(1), Key{Hash: "other"}); err == nil {
		t.Error("an inquiry is stored twice")
	}
	expect.Same(t, "inquiries", []string{"inq_3", "inq_1"}, ids(t, store, InquiryQuery{}))
	expect.Same(t, "by its key", sample(1), expect.Value(store.InquiryByKey(t.Context(), key, longAgo))(t))
	for _, unknown := range []Key{{}, {Hash: "other"}, {"grace@example.com", "hash", "first"}} {
		expect.Error(t, fmt.Sprint("by ", unknown), expect.ErrorOf(store.InquiryByKey(t.Context(), unknown, longAgo)), ErrNotFound)
	}
}

// An old key is free again, and goes with its inquiry.
func (at Options) TestKeysEnd(t *testing.T) {
	store := openAt(t, at)
	for n := range 3 {
		expect.OK(t, expect.ErrorOf(store.AddInquiry(t.Context(), sample(n), Key{Hash: fmt.Sprint(n)})))
	}
	later := sample(3)
	later.CreatedAt = sample(1).CreatedAt.Add(contract.KeyLifetime)
	expect.Error(t, "a key of that very time", expect.ErrorOf(store.InquiryByKey(t.Context(), Key{Hash: "1"}, later.CreatedAt)), nil)
	expect.Error(t, "an older key", expect.ErrorOf(store.InquiryByKey(t.Context(), Key{Hash: "0"}, later.CreatedAt)), ErrNotFound)
	for _, step := range [][2]string{{"1", "inq_1"}, {"0", "inq_3"}} { // an older key is free
		expect.Same(t, "under key "+step[0], step[1], expect.Value(store.AddInquiry(t.Context(), later, Key{Hash: step[0]}))(t).ID)
	}
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

// Of requests with one key, or of equal ones with keys of their own, on two
// instances at once, one is stored, and all get it. The daily limit counts one.
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
			expect.OK(t, expect.ErrorOf(stores[0].AddInquiry(t.Context(), failed, Key{})))
			failed.State, failed.RetryAt = Failed, noon
			expect.OK(t, stores[0].SettleInquiry(t.Context(), failed))
		}
		got := make([]string, 16)
		var wait sync.WaitGroup
		for n := range got {
			wait.Go(func() {
				inquiry := sample(n)
				inquiry.Equal, inquiry.Limit = failed.Equal, SendLimit{PerDay: 1, Network: "192.0.2.0/24", PerNetwork: 1}
				stored, err := stores[n%2].AddInquiry(t.Context(), inquiry, key(n))
				expect.OK(t, err)
				got[n] = stored.ID
			})
		}
		wait.Wait()
		stored++
		expect.Same(t, name, slices.Repeat(got[:1], len(got)), got)
		expect.Same(t, name+": stored", stored, len(ids(t, stores[0], InquiryQuery{})))
		for n := range got {
			if found, err := stores[1].InquiryByKey(t.Context(), key(n), longAgo); err != nil || found.ID != got[n] {
				t.Errorf("%s: by key %d: %s, %v; want %s", name, n, found.ID, err, got[n])
			}
		}
	}
}

func (at Options) TestAddWorkspaceWithKey(t *testing.T) {
	store := openAt(t, at)
	key, first := NewKey("Ada@Example.com", "k", Fingerprint("request")), draft(1)
	other := NewKey("ada@example.com", "k", Fingerprint("other"))
	expect.OK(t, expect.ErrorOf(store.AddWorkspace(t.Context(), first, key)))
	expect.Same(t, "the key again", first, expect.Value(store.AddWorkspace(t.Context(), draft(2), key))(t))
	expect.Error(t, "the key with another request", expect.ErrorOf(store.AddWorkspace(t.Context(), draft(2), other)), ErrKeyReused)
	expect.Same(t, "workspaces", []Workspace{first}, expect.Value(store.Workspaces(t.Context()))(t))
	found := expect.Value(store.WorkspaceByKey(t.Context(), NewKey("ada@EXAMPLE.com", "k", Fingerprint("request")), longAgo))(t)
	expect.Same(t, "by another case of the address", first, found)
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
		inq := sample(n)
		inq.State, inq.RetryAt = state, retry
		expect.OK(t, store.SettleInquiry(t.Context(), inq))
	}
	add("the first", 4, "inq_4")
	add("while its first delivery is under way, each counts by itself", 0, "inq_0")
	settle(0, Failed, noon)
	add("when it failed and is tried again", 1, "inq_0")
	expect.OK(t, expect.ErrorOf(store.ClaimDue(t.Context(), Lease{Owner: "first", Until: noon.Add(time.Hour)}, longAgo, noon)))
	add("while it is tried again", 2, "inq_0")
	settle(0, Sent, time.Time{})
	add("when it is sent", 3, "inq_3")
	settle(3, Failed, time.Time{})
	add("when it failed for good", 5, "inq_5")
	expect.OK(t, expect.ErrorOf(store.db.Exec(`UPDATE inquiries SET lease_until = 0 WHERE id = 'inq_5'`)))
	add("when its delivery was interrupted", 6, "inq_5")
	expect.Same(t, "inquiries", []string{"inq_5", "inq_4", "inq_3", "inq_0"}, ids(t, store, InquiryQuery{}))
	for key, want := range map[string]string{"1": "inq_0", "2": "inq_0", "3": "inq_3", "6": "inq_5"} {
		expect.Same(t, "by key "+key, want, expect.Value(store.InquiryByKey(t.Context(), Key{Hash: key}, longAgo))(t).ID)
	}
}
