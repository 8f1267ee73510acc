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

// memory is a Shared store in the test's own memory.
type memory struct {
	mu   sync.Mutex
	log  []time.Time // of the one client
	down bool
}

func (m *memory) Take(_ context.Context, policy contract.Policy, _ string, quota int) (Use, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return Use{}, false
	}
	m.log = slices.DeleteFunc(m.log, func(at time.Time) bool { return time.Since(at) >= policy.Window })
	use := Use{Accepted: len(m.log) < quota}
	if use.Accepted {
		m.log = append(m.log, time.Now())
	}
	if use.Used = len(m.log); use.Used > 0 {
		use.Wait = policy.Window - time.Since(m.log[0])
	}
	return use, true
}

func (m *memory) set(down bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = down
}

// TestSharedStory follows a client over two instances with one store.
func TestSharedStory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		one, two := NewShared(contract.AskPolicy, store), NewShared(contract.AskPolicy, store)
		for i, l := range []*Limiter{one, one, two, one, two} {
			if got, want := l.Take(t.Context(), client(1)), (Decision{Allowed: true, Remaining: 4 - i}); got != want {
				t.Fatalf("request %d: %+v, want %+v", i+1, got, want)
			}
			time.Sleep(time.Second)
		}
		refused := two.Take(t.Context(), client(1))
		if want := (Decision{RetryAfter: 55 * time.Second}); refused != want {
			t.Fatalf("one past the quota: %+v, want %+v", refused, want)
		}
		if got := two.Remaining(t.Context(), client(1)); got != 0 {
			t.Errorf("Remaining = %d, want what all instances leave: 0", got)
		}
		time.Sleep(refused.RetryAfter)
		if got, want := two.Take(t.Context(), client(1)), (Decision{Allowed: true}); got != want {
			t.Errorf("after waiting for RetryAfter: %+v, want %+v", got, want)
		}
	})
}

// TestRefusalIsGivenBack shows that what the store refuses takes no slot of the
// instance either.
func TestRefusalIsGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		one, two := NewShared(contract.AskPolicy, store), NewShared(contract.AskPolicy, store)
		for range contract.AskPolicy.Quota {
			one.Take(t.Context(), client(1))
		}
		for range 3 * contract.AskPolicy.Quota {
			if two.Take(t.Context(), client(1)).Allowed {
				t.Fatal("a request past the quota is allowed")
			}
		}
		store.set(true)
		expect.Same(t, "Remaining of the instance by itself", contract.AskPolicy.Quota, two.Remaining(t.Context(), client(1)))
	})
}

// TestWaitAfterOutage: of two waits the client gets the longer one, because the instance
// remembers what it accepted while the store was down.
func TestWaitAfterOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		l := NewShared(contract.ContactPolicy, store)
		store.set(true)
		for range contract.ContactPolicy.Quota {
			l.Take(t.Context(), client(1))
		}
		store.set(false)
		time.Sleep(20 * time.Second)
		other := NewShared(contract.ContactPolicy, store)
		other.Take(t.Context(), client(1))
		refused := l.Take(t.Context(), client(1))
		if want := (Decision{RetryAfter: 40 * time.Second}); refused != want {
			t.Fatalf("past the instance's quota: %+v, want %+v", refused, want)
		}
		time.Sleep(refused.RetryAfter)
		if !l.Take(t.Context(), client(1)).Allowed {
			t.Error("a client that waited for RetryAfter is refused")
		}
	})
}

// says is a store that always gives the same answer.
type says Use

func (s says) Take(context.Context, contract.Policy, string, int) (Use, bool) { return Use(s), true }

// TestNonsense: whatever the store answers, every decision stays within the policy.
func TestNonsense(t *testing.T) {
	t.Parallel()
	quota, window := contract.AskPolicy.Quota, contract.AskPolicy.Window
	for _, tt := range []struct {
		name string
		says Use
		want Decision
	}{
		{"fewer than none", Use{Accepted: true, Used: -7}, Decision{Allowed: true, Remaining: quota}},
		{"more than all", Use{Accepted: true, Used: 99}, Decision{Allowed: true}},
		{"a wait that is over", Use{Used: 99, Wait: -time.Hour}, Decision{RetryAfter: time.Second}},
		{"an endless wait", Use{Used: 99, Wait: time.Hour}, Decision{RetryAfter: window}},
		{"refused for nothing", Use{}, Decision{RetryAfter: time.Second}},
	} {
		l := NewShared(contract.AskPolicy, says(tt.says))
		if got := l.Take(t.Context(), client(1)); got != tt.want {
			t.Errorf("%s: Take = %+v, want %+v", tt.name, got, tt.want)
		}
		if got := l.Remaining(t.Context(), client(1)); got < 0 || got > quota {
			t.Errorf("%s: Remaining = %d", tt.name, got)
		}
	}
}
