package limits

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

type memory struct {
	mu   sync.Mutex
	logs map[string][]time.Time
	down bool
}

func (m *memory) Take(_ context.Context, r Request) (use Use, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return Use{}, false
	}
	if m.logs == nil {
		m.logs = map[string][]time.Time{}
	}
	recent := func(key Key) []time.Time {
		m.logs[key.Name] = slices.DeleteFunc(m.logs[key.Name], func(at time.Time) bool { return time.Since(at) >= r.Policy.Window })
		return m.logs[key.Name]
	}
	use.Accepted, use.At = !r.Peek, time.Now().UnixNano()
	for _, key := range r.Keys() {
		if i := slices.IndexFunc(recent(key), func(at time.Time) bool { return at.UnixNano() == r.GiveBack }); i >= 0 {
			m.logs[key.Name] = slices.Delete(m.logs[key.Name], i, i+1)
		}
		use.Accepted = use.Accepted && len(recent(key)) < key.Policy.Quota
	}
	for _, key := range r.Keys() {
		if use.Accepted {
			m.logs[key.Name] = append(recent(key), time.Now())
		}
		count := Count{Used: len(recent(key))}
		if count.Used > 0 {
			count.Wait = r.Policy.Window - time.Since(m.logs[key.Name][0])
		}
		use.Counts = append(use.Counts, count)
	}
	return use, true
}

func (m *memory) set(down bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = down
}

// Of two waits the client gets the longer one, because the instance remembers what it accepted while the store was
// down.
func TestWaitAfterOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		l := New(contract.ContactPolicy, store)
		store.set(true)
		for range contract.ContactPolicy.Quota {
			l.Take(WithClient(t.Context(), client(1)))
		}
		store.set(false)
		time.Sleep(20 * time.Second)
		other := New(contract.ContactPolicy, store)
		other.Take(WithClient(t.Context(), client(1)))
		refused := l.Take(WithClient(t.Context(), client(1))).Decision
		expect.Same(t, "past the instance's quota", refusedFor(contract.ContactPolicy, 40*time.Second), refused)
		time.Sleep(refused.RetryAfter)
		if !l.Take(WithClient(t.Context(), client(1))).Allowed {
			t.Error("a client that waited for RetryAfter is refused")
		}
	})
}
