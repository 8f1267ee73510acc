package records

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestModelCalls(t *testing.T) { eachDatabase(t, testModelCalls) }

func testModelCalls(t *testing.T, at Options) {
	store := openAt(t, at)
	for i, step := range []struct {
		day      int64
		dailyCap int
		want     bool
	}{
		{20_000, 2, true}, {20_000, 2, true}, {20_000, 2, false},
		{20_000, 3, true},  // the cap was raised
		{20_000, 1, false}, // and lowered
		{20_001, 2, true},  // the next day
		{20_000, 2, true},  // a clock set back still means that day
		{19_000, 2, false}, //
		{20_002, 0, false}, // no call at all, and no day begun
		{20_002, -1, false},
		{20_001, 3, true},
	} {
		got, err := store.AddModelCall(t.Context(), step.day, step.dailyCap)
		if err != nil || got != step.want {
			t.Fatalf("call %d, on day %d with a cap of %d: %v, %v; want %v", i, step.day, step.dailyCap, got, err, step.want)
		}
	}
}

// TestModelCallsOfADay reads the count on which further calls go.
func TestModelCallsOfADay(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	count := func(day int64, want int) {
		t.Helper()
		if got, err := store.ModelCalls(t.Context(), day); err != nil || got != want {
			t.Errorf("day %d: %d, %v; want %d", day, got, err, want)
		}
	}
	count(20_000, 0)
	for _, day := range []int64{20_000, 20_000, 20_000, 20_001} {
		if _, err := store.AddModelCall(t.Context(), day, 2); err != nil {
			t.Fatal(err)
		}
	}
	count(20_001, 1)
	count(20_000, 1) // a clock set back means the later day
	count(20_002, 0)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.ModelCalls(t.Context(), 20_000); err == nil {
		t.Error("no error of a closed store")
	}
}

// TestModelCallsOutliveAProgram counts on after a restart, in the day that was
// counted last.
func TestModelCallsOutliveAProgram(t *testing.T) { eachDatabase(t, testModelCallsOutliveAProgram) }

func testModelCallsOutliveAProgram(t *testing.T, at Options) {
	first, err := Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	if allowed, err := first.AddModelCall(t.Context(), 20_000, 1); err != nil || !allowed {
		t.Fatalf("the first call: %v, %v", allowed, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for _, day := range []int64{20_000, 19_999} {
		if allowed, err := openAt(t, at).AddModelCall(t.Context(), day, 1); err != nil || allowed {
			t.Errorf("after a restart on day %d: %v, %v; want the cap reached", day, allowed, err)
		}
	}
}

// TestModelCallsAtOnce: two programs count in one file, and exactly as many calls
// are allowed as the cap says.
func TestModelCallsAtOnce(t *testing.T) { eachDatabase(t, testModelCallsAtOnce) }

func testModelCallsAtOnce(t *testing.T, at Options) {
	const dailyCap, callers = 20, 64
	stores := []*Store{openAt(t, at), openAt(t, at)}
	var allowed atomic.Int32
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() {
			ok, err := stores[i%2].AddModelCall(t.Context(), 20_000, dailyCap)
			if err != nil {
				t.Error(err)
			}
			if ok {
				allowed.Add(1)
			}
		})
	}
	wait.Wait()
	if n := allowed.Load(); n != dailyCap {
		t.Errorf("%d calls are allowed, want %d", n, dailyCap)
	}
}
