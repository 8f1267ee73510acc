package records

import (
	"fmt"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
)

func (at Options) TestDayTotals(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 3) // on one day
	day := sample(0).CreatedAt.Unix() / secondsOfDay
	for range 2 {
		expect.OK(t, store.AddDayTotals(t.Context(), day, map[string]int{"answered": 2, "refused": 1}))
	}
	expect.OK(t, store.AddDayTotals(t.Context(), day-500, map[string]int{"answered": 9}))
	got := expect.Value(store.DayTotals(t.Context(), day, time.UTC))(t)
	expect.Same(t, "totals", map[int64]map[string]int{day: {"answered": 4, "refused": 2, InquiriesOfDay: 3}}, got)
	expect.OK(t, store.pruneExpired(t.Context(), sample(0).CreatedAt))
	expect.Same(t, "after the pruning", 1, len(expect.Value(store.DayTotals(t.Context(), 0, time.UTC))(t)))
	for i, month := range []time.Month{6, 12} { // 22:30 UTC is the next day in Berlin only in summer
		inq := sample(3 + i)
		inq.CreatedAt = time.Date(2025, month, 30, 22, 30, 0, 0, time.UTC)
		add(t, store, inq)
	}
	got = expect.Value(store.DayTotals(t.Context(), 0, expect.Value(time.LoadLocation("Europe/Berlin"))(t)))(t)
	for _, on := range []string{"2025-07-01", "2025-12-30"} {
		at := expect.Value(time.Parse(time.DateOnly, on))(t)
		expect.Same(t, on, 1, got[DayOf(at)][InquiriesOfDay])
	}
}

// Two programs share a count, which ends with its day.
func (at Options) TestLimitsOfADay(t *testing.T) {
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
		got := expect.Value(stores[i%2].AddModelCall(t.Context(), step.day, step.client, step.most))(t)
		expect.Same(t, fmt.Sprint("call ", i), step.want, got)
	}
	expect.OK(t, stores[0].pruneExpired(t.Context(), time.Unix(20_003*secondsOfDay, 0)))
	days := textsOf(t, stores[0].db, `SELECT DISTINCT CAST(day AS TEXT) FROM day_totals`)
	expect.Same(t, "days that are left", []string{"20001"}, days)
	for i, step := range []struct{ first, undo bool }{{true, true}, {true, false}, {false, false}, {false, false}} {
		first := expect.Value(stores[i%2].ClaimNotice(t.Context(), "sends", 20_001, 20_001+int64(i/3)))(t)
		expect.Same(t, fmt.Sprint("notice ", i), step.first, first)
		if step.undo {
			expect.OK(t, stores[1].ReleaseNotice(t.Context(), "sends", 20_001))
		}
	}
}

func (at Options) TestModelCalls(t *testing.T) {
	store := openAt(t, at)
	modeltest.FollowDays(t, store)
	for day, want := range map[int64]int{20_000: 3, 20_001: 2, 20_002: 0} {
		expect.Same(t, fmt.Sprint("calls of day ", day), want, expect.Value(store.ModelCalls(t.Context(), day))(t))
	}
}

func (at Options) TestModelCallsAtOnce(t *testing.T) {
	modeltest.CountAtOnce(t, openAt(t, at), openAt(t, at))
}
