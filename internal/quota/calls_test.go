package quota

import (
	"context"
	"errors"
	"sync"
	"testing"

	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
)

// kept counts like the records of one instance.
type kept struct {
	mu    sync.Mutex
	calls int
	down  bool
}

func (k *kept) AddModelCall(_ context.Context, _ int64, dailyCap int) (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.down {
		return false, errors.New("the database is down")
	}
	if k.calls >= dailyCap {
		return false, nil
	}
	k.calls++
	return true, nil
}

func (k *kept) AddClientModelCall(ctx context.Context, day int64, _ string, clientCap int) (bool, error) {
	return k.AddModelCall(ctx, day, clientCap)
}

func (k *kept) ModelCalls(context.Context, int64) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.down {
		return 0, errors.New("the database is down")
	}
	return k.calls, nil
}

// TestCalls runs the test of the records' own counter on one instance.
func TestCalls(t *testing.T) {
	t.Parallel()
	calls := Calls{startShared(t, programs.Redis(t)).Store, &kept{calls: -100}}
	modeltest.FollowDays(t, calls)
}

// TestCallsOfAll: two instances at once keep the cap, on a key with a foreign value, and
// the share of each client.
func TestCallsOfAll(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	try(t, direct(t, server), "RPUSH", "frontdesk:model-calls", "x")
	one, two := Calls{startShared(t, server).Store, &kept{calls: -100}}, Calls{startShared(t, server).Store, &kept{calls: -100}}
	modeltest.CountAtOnce(t, one, two)
	lives := direct(t, server).TTL(t.Context(), "frontdesk:model-calls").Val()
	if lives.Hours() < 47 || lives.Hours() > 48 {
		t.Errorf("the count lives for %v, want two days", lives)
	}
	for n, want := range []bool{true, true, false} {
		if got, err := []Calls{one, two}[n%2].AddClientModelCall(t.Context(), 20_001, "192.0.2.1", 2); err != nil || got != want {
			t.Errorf("call %d of a client: %v, %v; want %v", n, got, err, want)
		}
	}
	if got, err := one.AddClientModelCall(t.Context(), 20_001, "192.0.2.2", 2); err != nil || !got {
		t.Errorf("another client: %v, %v", got, err)
	}
}

// TestCallsWithoutOne: when one counter is down, only the other decides, and what Redis
// forgets the records still know.
func TestCallsWithoutOne(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	records := &kept{}
	store := startShared(t, server)
	calls := Calls{store.Store, records}
	want := func(name string, allowed, fails bool) {
		t.Helper()
		got, err := calls.AddModelCall(t.Context(), 20_000, 4)
		if got != allowed || (err != nil) != fails {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	want("both", true, false)
	records.down = true
	want("only Redis", true, false)
	records.down = false
	server.Stop()
	want("only the records", true, false)
	records.down = true
	want("neither", false, true)
	records.down = false
	server.Start()
	store.log.next(t, saysLocal)
	store.log.next(t, saysAgain)
	want("a Redis that forgot", true, false)
	want("a Redis that forgot", true, false)
	want("the cap of the records", false, false)
}

// TestModelCalls reads the count without counting: of all instances while Redis
// works, only of the records without it.
func TestModelCalls(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	records := []*kept{{}, {}}
	instances := []Calls{{startShared(t, server).Store, records[0]}, {startShared(t, server).Store, records[1]}}
	for i := range 3 {
		if allowed, err := instances[i%2].AddModelCall(t.Context(), 20_000, 10); err != nil || !allowed {
			t.Fatalf("call %d: %v, %v", i, allowed, err)
		}
	}
	want := func(name string, day int64, want int, fails bool) {
		t.Helper()
		got, err := instances[0].ModelCalls(t.Context(), day)
		if err != nil != fails || err == nil && got != want {
			t.Errorf("%s: %d, %v; want %d", name, got, err, want)
		}
	}
	for range 2 {
		want("of both instances", 20_000, 3, false)
	}
	want("after a clock was set back", 19_999, 3, false)
	records[0].calls = 7
	want("the records know more", 20_000, 7, false)
	records[0].down = true
	want("only Redis", 20_000, 3, false)
	want("only Redis, the next day", 20_001, 0, false)
	server.Stop()
	want("neither", 20_000, 0, true)
	records[0].down = false
	want("only the records", 20_000, 7, false)
}
