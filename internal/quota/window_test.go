package quota

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

// short is a policy whose window a test can wait for.
var short = contract.Policy{Name: "short", Quota: 3, Window: time.Second}

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
				if decision := limiter.Take(t.Context(), client(1)); decision.Allowed {
					allowed.Add(1)
					reported[decision.Remaining].Add(1)
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

// TestWaitIsEnough: a client that waits for RetryAfter is accepted, by the instance that
// refused it and by another.
func TestWaitIsEnough(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	one, two := limits.NewShared(short, startShared(t, server)), limits.NewShared(short, startShared(t, server))
	for _, tt := range []struct {
		name           string
		takes, refuses *limits.Limiter
		client         limits.Client
	}{
		{"one instance", one, one, client(1)},
		{"another instance", one, two, client(2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			for range short.Quota {
				tt.takes.Take(t.Context(), tt.client)
			}
			refused := tt.refuses.Take(t.Context(), tt.client)
			if refused.Allowed || refused.RetryAfter != short.Window {
				t.Fatalf("at once: %+v, want a refusal for the window", refused)
			}
			early := time.After(refused.RetryAfter * 3 / 4)
			late := time.After(refused.RetryAfter)
			<-early
			if got := tt.refuses.Take(t.Context(), tt.client); got.Allowed && time.Since(began) < short.Window {
				t.Errorf("a quarter of the window early: %+v, want a refusal", got)
			}
			<-late
			if got := tt.refuses.Take(t.Context(), tt.client); !got.Allowed {
				t.Errorf("after waiting for RetryAfter: %+v", got)
			}
		})
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
