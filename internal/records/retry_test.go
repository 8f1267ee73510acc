package records

import (
	"errors"
	"testing"
	"time"
)

// TestClaimRetry: only a failed inquiry whose retry is due is claimed, the one that has
// waited longest first.
func TestClaimRetry(t *testing.T) { eachDatabase(t, testClaimRetry) }

func testClaimRetry(t *testing.T, at Options) {
	store := openAt(t, at)
	fill(t, store, 6)
	for n, outcome := range []struct {
		state State
		retry time.Time
	}{
		{Failed, noon.Add(time.Minute)},
		{Failed, time.Time{}}, // failed while the setting was off
		{Unknown, noon},
		{Sent, noon},
		{Failed, noon},
	} {
		inq := sample(n)
		inq.State, inq.RetryAt = outcome.state, outcome.retry
		must(t, store.SettleInquiry(t.Context(), inq))
	}
	lease := Lease{Owner: "retry", Until: noon.Add(time.Hour)}
	for i, step := range []struct {
		after time.Duration
		want  string
	}{
		{-time.Second, ""}, {time.Minute, "inq_4"}, {time.Minute, "inq_0"}, {time.Hour, ""},
	} {
		got, err := store.ClaimRetry(t.Context(), lease, noon.Add(step.after))
		if got.ID != step.want || (step.want == "") != errors.Is(err, ErrNotFound) {
			t.Errorf("step %d: claimed %q, %v; want %q", i, got.ID, err, step.want)
		}
	}
}

// TestQueuedInquiry: one inquiry at a time waits for its mail among equal requests.
func TestQueuedInquiry(t *testing.T) { eachDatabase(t, testQueuedInquiry) }

func testQueuedInquiry(t *testing.T, at Options) {
	store := openAt(t, at)
	equal := NewKey("ada@example.com", "equal", []byte("request"))
	add := func(n int) error {
		inq := sample(n)
		inq.Equal = equal
		return store.AddInquiryOnce(t.Context(), inq, Key{}, inq.CreatedAt.Add(-24*time.Hour), nil)
	}
	settle := func(n int, state State, retry time.Time) {
		t.Helper()
		inq := sample(n)
		inq.State, inq.RetryAt = state, retry
		must(t, store.SettleInquiry(t.Context(), inq))
	}
	check := func(when, want string) {
		t.Helper()
		got, err := store.InquiryByKey(t.Context(), equal, sample(0).CreatedAt.Add(-time.Hour))
		if err == nil && !got.Queued() {
			err = ErrNotFound
		}
		if got.ID != want && err == nil || (want == "") != errors.Is(err, ErrNotFound) {
			t.Errorf("%s: queued %q, %v; want %q", when, got.ID, err, want)
		}
	}
	check("of an empty store", "")
	must(t, add(0))
	check("while its mail is under way", "inq_0")
	if err := add(1); !errors.Is(err, ErrQueued) {
		t.Errorf("an equal one: %v, want %v", err, ErrQueued)
	}
	if _, err := store.Inquiry(t.Context(), "inq_1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the equal one is stored: %v", err)
	}
	settle(0, Failed, noon)
	check("when it failed and is tried again", "inq_0")
	if err := add(1); !errors.Is(err, ErrQueued) {
		t.Errorf("an equal one: %v, want %v", err, ErrQueued)
	}
	if _, err := store.ClaimRetry(t.Context(), Lease{Owner: "first", Until: noon.Add(time.Hour)}, noon); err != nil {
		t.Fatal(err)
	}
	check("while it is tried again", "inq_0")
	settle(0, Sent, time.Time{})
	check("when it is sent", "")
	if err := add(1); err != nil {
		t.Errorf("an equal one after the mail was sent: %v", err)
	}
	settle(1, Failed, time.Time{})
	check("when it failed for good", "")
	if err := add(2); err != nil {
		t.Errorf("an equal one after the last retry: %v", err)
	}
	late := sample(3)
	late.Equal, late.CreatedAt = equal, sample(2).CreatedAt.Add(25*time.Hour)
	if err := store.AddInquiryOnce(t.Context(), late, Key{}, late.CreatedAt.Add(-24*time.Hour), nil); err != nil {
		t.Errorf("an equal one a day later: %v", err)
	}
}

// TestBindKey: a key can be given to an inquiry that is stored, and then finds it.
func TestBindKey(t *testing.T) { eachDatabase(t, testBindKey) }

func testBindKey(t *testing.T, at Options) {
	store := openAt(t, at)
	fill(t, store, 2)
	key := NewKey("ada@example.com", "key", []byte("request"))
	since := time.Now().Add(-time.Hour)
	must(t, store.BindKey(t.Context(), key, "inq_1", since))
	if err := store.BindKey(t.Context(), key, "inq_0", since); !errors.Is(err, ErrKeyTaken) {
		t.Errorf("bound again: %v, want %v", err, ErrKeyTaken)
	}
	if found, err := store.InquiryByKey(t.Context(), key, since); err != nil || found.ID != "inq_1" {
		t.Errorf("found %q, %v; want inq_1", found.ID, err)
	}
}
