package records

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var longAgo = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestAddInquiryOnce(t *testing.T) { eachDatabase(t, testAddInquiryOnce) }

func testAddInquiryOnce(t *testing.T, at Options) {
	store := openAt(t, at)
	key := Key{Hash: "hash", Fingerprint: "first"}
	if err := store.AddInquiryOnce(t.Context(), sample(1), key, longAgo); err != nil {
		t.Fatal(err)
	}
	if err := store.AddInquiryOnce(t.Context(), sample(2), Key{"hash", "second"}, longAgo); !errors.Is(err, ErrKeyTaken) {
		t.Errorf("the key again: %v, want ErrKeyTaken", err)
	}
	if err := store.AddInquiryOnce(t.Context(), sample(1), Key{Hash: "other"}, longAgo); err == nil {
		t.Error("an inquiry is stored twice")
	}
	if diff := cmp.Diff([]string{"inq_1"}, ids(t, store, Filter{})); diff != "" {
		t.Errorf("inquiries (-want +got):\n%s", diff)
	}
	got, fingerprint, err := store.InquiryByKey(t.Context(), "hash", longAgo)
	if err != nil || fingerprint != "first" {
		t.Errorf("fingerprint %q (%v), want that of the first", fingerprint, err)
	}
	if diff := cmp.Diff(sample(1), got); diff != "" {
		t.Errorf("by its key (-want +got):\n%s", diff)
	}
	if _, _, err := store.InquiryByKey(t.Context(), "other", longAgo); !errors.Is(err, ErrNotFound) {
		t.Errorf("the key of a request that was not stored: %v, want ErrNotFound", err)
	}
}

// TestKeysEnd: an old key is free again, and goes with its inquiry.
func TestKeysEnd(t *testing.T) { eachDatabase(t, testKeysEnd) }

func testKeysEnd(t *testing.T, at Options) {
	store := openAt(t, at)
	for n := range 3 {
		if err := store.AddInquiryOnce(t.Context(), sample(n), Key{Hash: fmt.Sprint(n)}, longAgo); err != nil {
			t.Fatal(err)
		}
	}
	moment := sample(1).CreatedAt
	if _, _, err := store.InquiryByKey(t.Context(), "1", moment); err != nil {
		t.Errorf("a key of that very time: %v", err)
	}
	if _, _, err := store.InquiryByKey(t.Context(), "0", moment); !errors.Is(err, ErrNotFound) {
		t.Errorf("an older key: %v, want ErrNotFound", err)
	}
	if err := store.AddInquiryOnce(t.Context(), sample(3), Key{Hash: "1"}, moment); !errors.Is(err, ErrKeyTaken) {
		t.Errorf("a key of that very time: %v, want ErrKeyTaken", err)
	}
	if err := store.AddInquiryOnce(t.Context(), sample(3), Key{Hash: "0"}, moment); err != nil {
		t.Errorf("an older key: %v, want it free", err)
	}
	left := func() (n int) {
		t.Helper()
		if err := store.db.QueryRow(`SELECT COUNT(*) FROM idempotency_keys`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if err := store.PruneKeys(t.Context(), sample(2).CreatedAt); err != nil || left() != 2 {
		t.Errorf("%d keys are left (%v), want two", left(), err)
	}
	if _, err := store.Prune(t.Context(), sample(3).CreatedAt); err != nil || left() != 1 {
		t.Errorf("%d keys are left after their inquiries (%v), want one", left(), err)
	}
}

// TestOneOfManyKeys: requests with one key on two instances at once store one
// inquiry.
func TestOneOfManyKeys(t *testing.T) { eachDatabase(t, testOneOfManyKeys) }

func testOneOfManyKeys(t *testing.T, at Options) {
	stores := []*Store{openAt(t, at), openAt(t, at)}
	results := make([]error, 16)
	var wait sync.WaitGroup
	for n := range results {
		wait.Go(func() {
			results[n] = stores[n%2].AddInquiryOnce(t.Context(), sample(n), Key{Hash: "hash"}, longAgo)
		})
	}
	wait.Wait()
	stored := 0
	for _, err := range results {
		switch {
		case err == nil:
			stored++
		case !errors.Is(err, ErrKeyTaken):
			t.Error(err)
		}
	}
	if n := len(ids(t, stores[0], Filter{})); stored != 1 || n != 1 {
		t.Errorf("%d callers were told that theirs is stored, and %d are; want one", stored, n)
	}
}
