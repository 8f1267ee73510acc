package quota

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

// TestManyInstances has four instances ask for one client 64 times at once: the
// quota passes, and each of these gets a different remainder.
func TestManyInstances(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	const instances, each = 4, 64
	var reported [5]atomic.Int32 // the quota of ask
	var allowed atomic.Int32
	var group sync.WaitGroup
	for range instances {
		limiter := limits.NewShared(contract.AskPolicy, startShared(t, server))
		for range each {
			group.Go(func() {
				decision := limiter.Take(t.Context(), client(1))
				if decision.Allowed {
					allowed.Add(1)
					reported[decision.Remaining].Add(1)
				} else if window := contract.AskPolicy.Window; decision.RetryAfter > window || decision.RetryAfter < window/2 {
					t.Errorf("RetryAfter = %v just after the quota was used up", decision.RetryAfter)
				}
			})
		}
	}
	group.Wait()
	if n := allowed.Load(); int(n) != contract.AskPolicy.Quota {
		t.Errorf("%d of %d at once are allowed, want %d", n, instances*each, contract.AskPolicy.Quota)
	}
	for remaining := range reported {
		if n := reported[remaining].Load(); n != 1 {
			t.Errorf("%d answers report that %d remain, want 1", n, remaining)
		}
	}
}

// TestKeys looks at what Redis stores about a client: no address, and nothing that
// outlives the window.
func TestKeys(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	inside := direct(t, server)
	limits.NewShared(contract.AskPolicy, startShared(t, server)).Take(t.Context(), client(77))
	keys := inside.Keys(t.Context(), "*:ask:*").Val()
	if len(keys) != 1 || !strings.HasPrefix(keys[0], "frontdesk:") || strings.Contains(keys[0], "192.0.2") {
		t.Fatalf("keys = %q, want one with a hash", keys)
	}
	if ttl := inside.PTTL(t.Context(), keys[0]).Val(); ttl <= 0 || ttl > contract.AskPolicy.Window {
		t.Errorf("the key expires in %v, want at most %v", ttl, contract.AskPolicy.Window)
	}
}
