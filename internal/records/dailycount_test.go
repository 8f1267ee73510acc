package records

import (
	"testing"
	"time"
)

// TestClientModelCalls: two programs share the count of a client.
func TestClientModelCalls(t *testing.T) { eachDatabase(t, testClientModelCalls) }

func testClientModelCalls(t *testing.T, at Options) {
	stores := []*Store{openAt(t, at), openAt(t, at)}
	for i, step := range []struct {
		day    int64
		client string
		most   int
		want   bool
	}{
		{20_000, "192.0.2.1", 2, true}, {20_000, "192.0.2.1", 2, true}, {20_000, "192.0.2.1", 2, false},
		{20_000, "192.0.2.2", 2, true},
		{20_001, "192.0.2.1", 2, true},
		{20_001, "192.0.2.3", 0, false},
	} {
		got, err := stores[i%2].AddClientModelCall(t.Context(), step.day, step.client, step.most)
		if err != nil || got != step.want {
			t.Errorf("call %d: %v, %v; want %v", i, got, err, step.want)
		}
	}
	must(t, stores[0].pruneCounts(t.Context(), time.Unix(20_003*secondsOfDay, 0)))
	var days int
	if err := stores[0].db.QueryRow(`SELECT COUNT(DISTINCT day) FROM day_totals`).Scan(&days); err != nil || days != 1 {
		t.Errorf("counts of %d days are left (%v), want those of one", days, err)
	}
}

func TestFirstNotice(t *testing.T) { eachDatabase(t, testFirstNotice) }

func testFirstNotice(t *testing.T, at Options) {
	stores := []*Store{openAt(t, at), openAt(t, at)}
	for i, want := range []bool{true, false, false} {
		if got, err := stores[i%2].FirstNotice(t.Context(), "sends"); err != nil || got != want {
			t.Errorf("notice %d: %v, %v; want %v", i, got, err, want)
		}
	}
}
