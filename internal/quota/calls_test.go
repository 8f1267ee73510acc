package quota

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
)

var errDown = errors.New("the database is down")

type kept struct {
	mu    sync.Mutex
	calls int
	down  bool
}

func (k *kept) AddModelCall(_ context.Context, _ int64, _ string, most int) (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.down {
		return false, errDown
	}
	if k.calls >= most {
		return false, nil
	}
	k.calls++
	return true, nil
}

func (k *kept) ModelCalls(context.Context, int64) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.down {
		return 0, errDown
	}
	return k.calls, nil
}

// Two instances count as the records do, and each client has its share.
func TestCallsOfAll(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	one, two := Calls{startShared(t, server).Store, &kept{calls: -100}}, Calls{startShared(t, server).Store, &kept{calls: -100}}
	modeltest.CountAtOnce(t, one, two)
	modeltest.FollowDays(t, Calls{startShared(t, programs.Redis(t)).Store, &kept{calls: -100}})
	lives := direct(t, server).TTL(t.Context(), "frontdesk:model-calls:20000").Val()
	expect.AtLeast(t, "the count lives", 47*time.Hour, lives)
	expect.AtMost(t, "the count lives", 48*time.Hour, lives)
	for n, want := range []bool{true, true, false} {
		expect.Same(t, fmt.Sprintf("call %d of a client", n),
			want, expect.Value([]Calls{one, two}[n%2].AddModelCall(t.Context(), 20_001, "192.0.2.1", 2))(t))
	}
	expect.Same(t, "another client", true, expect.Value(one.AddModelCall(t.Context(), 20_001, "192.0.2.2", 2))(t))
}

// When one counter is down, only the other decides and counts, and what one forgets the other still knows.
func TestCallsWithoutOne(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	records := &kept{}
	store := startShared(t, server)
	calls := Calls{store.Store, records}
	want := func(name string, allowed, fails bool, counted int) {
		t.Helper()
		got, err := calls.AddModelCall(t.Context(), 20_000, "", 4)
		expect.Same(t, name, []any{allowed, fails}, []any{got, err != nil})
		if n, err := calls.ModelCalls(t.Context(), 20_000); (err != nil) != fails || err == nil && n != counted {
			t.Errorf("%s: %d calls are counted, %v; want %d", name, n, err, counted)
		}
	}
	want("both", true, false, 1)
	records.down = true
	want("only Redis", true, false, 2)
	records.down = false
	server.Stop()
	want("only the records", true, false, 2)
	records.down = true
	want("neither", false, true, 0)
	records.down = false
	server.Start()
	store.log.next(t, saysLocal)
	store.log.next(t, saysAgain)
	want("a Redis that forgot", true, false, 3)
	want("a Redis that forgot", true, false, 4)
	want("the cap of the records", false, false, 4)
	records.calls = 0
	want("records that forgot", true, false, 4)
}
