package records

import (
	"testing"

	"frontdesk/internal/model/modeltest"
)

func TestModelCalls(t *testing.T) { eachDatabase(t, testModelCalls) }

func testModelCalls(t *testing.T, at Options) {
	modeltest.FollowDays(t, openAt(t, at))
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
	must(t, store.Close())
	if _, err := store.ModelCalls(t.Context(), 20_000); err == nil {
		t.Error("no error of a closed store")
	}
}

// TestModelCallsOutliveAProgram counts on after a restart, in the day that was
// counted last.
func TestModelCallsOutliveAProgram(t *testing.T) { eachDatabase(t, testModelCallsOutliveAProgram) }

func testModelCallsOutliveAProgram(t *testing.T, at Options) {
	first, err := Open(t.Context(), at)
	must(t, err)
	if allowed, err := first.AddModelCall(t.Context(), 20_000, 1); err != nil || !allowed {
		t.Fatalf("the first call: %v, %v", allowed, err)
	}
	must(t, first.Close())
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
	modeltest.CountAtOnce(t, openAt(t, at), openAt(t, at))
}
