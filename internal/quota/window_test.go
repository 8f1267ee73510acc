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

// TestGreedyClient asks two instances in turn as fast as it can, over the borders of
// several windows: never are more than the quota accepted in one.
func TestGreedyClient(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	limiters := []*limits.Limiter{limits.NewShared(short, startShared(t, server)), limits.NewShared(short, startShared(t, server))}
	type span struct{ asked, answered time.Time }
	var accepted []span
	began := time.Now()
	for i := 0; time.Since(began) < 2*short.Window+short.Window/2; i++ {
		asked := time.Now()
		if limiters[i%2].Take(t.Context(), client(1)).Allowed {
			accepted = append(accepted, span{asked, time.Now()})
		}
	}
	for i := short.Quota; i < len(accepted); i++ {
		// The server's clock has microseconds; ours is read before and after it.
		if between := accepted[i].answered.Sub(accepted[i-short.Quota].asked); between < short.Window {
			t.Errorf("%d accepted in %v", short.Quota+1, between)
		}
	}
	if least := 2 * short.Quota; len(accepted) < least {
		t.Errorf("%d accepted in two windows and a half, want at least %d", len(accepted), least)
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

func TestRemainingOnlyLooks(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	one, two := limits.NewShared(contract.AskPolicy, startShared(t, server)), limits.NewShared(contract.AskPolicy, startShared(t, server))
	one.Take(t.Context(), client(1))
	for range 2 * contract.AskPolicy.Quota {
		if got := two.Remaining(t.Context(), client(1)); got != contract.AskPolicy.Quota-1 {
			t.Fatalf("Remaining = %d, want %d", got, contract.AskPolicy.Quota-1)
		}
	}
	if got := two.Remaining(t.Context(), client(2)); got != contract.AskPolicy.Quota {
		t.Errorf("Remaining of another client = %d", got)
	}
}
