package modeltest

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
)

// Counter counts the calls of a day up to a cap.
type Counter interface {
	AddModelCall(ctx context.Context, day int64, client string, most int) (allowed bool, err error)
}

// FollowDays takes a counter that has counted nothing through days and caps.
func FollowDays(t testing.TB, counter Counter) {
	t.Helper()
	for i, step := range []struct {
		day      int64
		dailyCap int
		want     bool
	}{
		{20_000, 2, true}, {20_000, 2, true}, {20_000, 2, false},
		{20_000, 3, true},  // the cap was raised
		{20_000, 1, false}, // and lowered
		{20_001, 2, true},  // the next day
		{20_000, 3, false}, // a clock that was set back counts on the day it shows
		{20_001, 2, true},
		{20_002, 0, false}, // no call at all
	} {
		got, err := counter.AddModelCall(t.Context(), step.day, "", step.dailyCap)
		if err != nil || got != step.want {
			t.Fatalf("call %d, on day %d with a cap of %d: %v, %v; want %v", i, step.day, step.dailyCap, got, err, step.want)
		}
	}
}

// CountAtOnce has three times as many calls made at once as the cap allows, through
// all of the counters, which share a count.
func CountAtOnce(t testing.TB, counters ...Counter) {
	t.Helper()
	const dailyCap = 20
	var allowed atomic.Int32
	var group sync.WaitGroup
	places := make(chan bool, 8) // each counter has two seconds for a call, also on a busy machine
	for i := range 3 * dailyCap {
		places <- true
		group.Go(func() {
			defer func() { <-places }()
			ok, err := counters[i%len(counters)].AddModelCall(t.Context(), 20_000, "", dailyCap)
			if err != nil {
				t.Error(err)
			}
			if ok {
				allowed.Add(1)
			}
		})
	}
	group.Wait()
	if n := allowed.Load(); n != dailyCap {
		t.Errorf("%d calls are allowed, want %d", n, dailyCap)
	}
}
