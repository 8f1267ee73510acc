package quota

import (
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/limits"
	"frontdesk/programs"
)

// short is a policy whose window a test can wait for.
var short = contract.Policy{Name: "short", Quota: 3, Window: 2 * time.Second}

// TestManyInstances has four instances ask for one client 64 times at once: the
// quota passes, and each of these is told a different remainder.
func TestManyInstances(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	const instances, each = 4, 64
	var told [contract.MaxQuota]atomic.Int32
	var allowed atomic.Int32
	var group sync.WaitGroup
	for range instances {
		limiter := limits.NewShared(contract.AskPolicy, startShared(t, server))
		for range each {
			group.Go(func() {
				if decision := limiter.Take(t.Context(), client(1)); decision.Allowed {
					allowed.Add(1)
					told[decision.Remaining].Add(1)
				}
			})
		}
	}
	group.Wait()
	if n := allowed.Load(); int(n) != contract.AskPolicy.Quota {
		t.Errorf("%d of %d at once are allowed, want %d", n, instances*each, contract.AskPolicy.Quota)
	}
	for remaining := range told {
		if n := told[remaining].Load(); n != 1 {
			t.Errorf("%d requests were told that %d remain, want 1", n, remaining)
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
	if want := 3 * short.Quota; len(accepted) != want {
		t.Errorf("%d accepted in two windows and a half, want %d", len(accepted), want)
	}
}

// TestWaitIsEnough waits as it was told and is accepted, by the instance that
// refused as by another.
func TestWaitIsEnough(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	one, two := limits.NewShared(short, startShared(t, server)), limits.NewShared(short, startShared(t, server))
	for _, tt := range []struct {
		name         string
		takes, tells *limits.Limiter
		client       limits.Client
	}{
		{"one instance", one, one, client(1)},
		{"another instance", one, two, client(2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for range short.Quota {
				tt.takes.Take(t.Context(), tt.client)
			}
			refused := tt.tells.Take(t.Context(), tt.client)
			if refused.Allowed || refused.RetryAfter != short.Window {
				t.Fatalf("at once: %+v, want a refusal for the window", refused)
			}
			early := time.After(refused.RetryAfter * 3 / 4)
			late := time.After(refused.RetryAfter)
			<-early
			if got := tt.tells.Take(t.Context(), tt.client); got.Allowed || got.RetryAfter != time.Second {
				t.Errorf("half a second early: %+v, want a refusal for 1s", got)
			}
			<-late
			if got := tt.tells.Take(t.Context(), tt.client); !got.Allowed {
				t.Errorf("after waiting as told: %+v", got)
			}
		})
	}
}

// TestKeys looks at what Redis holds of a client: no address, and for a window.
func TestKeys(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	inside := direct(t, server)
	limiter := limits.NewShared(short, startShared(t, server))
	expired := time.After(short.Window + 100*time.Millisecond)
	limiter.Take(t.Context(), client(77))
	keys := inside.Keys(t.Context(), "*:short:*").Val()
	if len(keys) != 1 || !strings.HasPrefix(keys[0], "{frontdesk}:") || strings.Contains(keys[0], "192.0.2") {
		t.Fatalf("keys = %q, want one of a hash", keys)
	}
	if lives := inside.PTTL(t.Context(), keys[0]).Val(); lives <= 0 || lives > short.Window {
		t.Errorf("the key lives for %v, want at most %v", lives, short.Window)
	}
	<-expired
	if n := inside.DBSize(t.Context()).Val(); n != 0 {
		t.Errorf("%d keys are left after the window", n)
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

// TestClock runs the script as a user whom Redis refuses its clock, as some vendors
// do: the caller's counts, and one that is set back costs no more than a window.
func TestClock(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	try(t, direct(t, server), "ACL", "SETUSER", "desk", "on", ">p#/w", "~{frontdesk}:*", "+@all", "-time")
	store := startInstance(t, "redis://desk:p%23%2Fw@"+server.Addr+"/3", patient)
	store.log.next(t, saysShared)
	const second, noon = int64(1_000_000), int64(1_800_000_000_000_000)
	const window = 60 * second
	for i, step := range []struct {
		now                 int64
		accepted, used, age int64
	}{
		{noon, 1, 1, 0},
		{noon + 1, 1, 2, 1},
		{noon + 2, 0, 2, 2},
		{noon + window - 1, 0, 2, window - 1},
		{noon + window, 1, 2, window - 1},
		{noon + window + 1, 1, 2, 1},
		{noon - 3600*second, 0, 2, 0}, // an hour back
		{noon - 3590*second, 0, 2, 10 * second},
		{noon - 3540*second, 1, 1, 0},
	} {
		got, ok := store.call(t.Context(), windowScript, "short:clock", 2, window, step.now)
		if !ok || len(got) != 3 || got[0] != step.accepted || got[1] != step.used || got[2] != step.age {
			t.Fatalf("step %d: %v, %v; want %+v", i, got, ok, step)
		}
	}
}

// TestForeignKeys meets keys that are not as we left them.
func TestForeignKeys(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	inside := direct(t, server)
	store := startShared(t, server)
	limiter := limits.NewShared(contract.AskPolicy, store)
	limiter.Take(t.Context(), client(1))
	key := inside.Keys(t.Context(), "*:ask:*").Val()[0]
	for _, tt := range []struct {
		name    string
		command []any
	}{
		{"a list", []any{"RPUSH", key, "1"}},
		{"a sorted set", []any{"ZADD", key, "1", "x"}},
		{"text", []any{"SET", key, "hello there"}},
		{"huge numbers", []any{"SET", key, strings.Repeat("9", 400)}},
	} {
		try(t, inside, "DEL", key)
		try(t, inside, tt.command...)
		if _, ok := store.Take(t.Context(), contract.AskPolicy, "another", 1); !ok {
			t.Fatalf("%s: Redis is given up", tt.name)
		}
		fresh := limits.NewShared(contract.AskPolicy, store)
		if !fresh.Take(t.Context(), client(1)).Allowed {
			t.Errorf("%s: the client is refused", tt.name)
		}
		try(t, inside, "DEL", "{frontdesk}:ask:"+hashed("another"))
	}
	if !store.Shared() {
		t.Error("Redis is given up")
	}
	store.log.nothing(t)
}

// TestScriptFlush forgets the scripts, as a restart or a failover does.
func TestScriptFlush(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	store := startShared(t, server)
	limiter := limits.NewShared(contract.AskPolicy, store)
	for i := range contract.AskPolicy.Quota {
		try(t, direct(t, server), "SCRIPT", "FLUSH")
		if got := limiter.Take(t.Context(), client(1)); got.Remaining != contract.AskPolicy.Quota-1-i || !store.Shared() {
			t.Fatalf("request %d: %+v, shared %v", i+1, got, store.Shared())
		}
	}
	store.log.nothing(t)
}

// BenchmarkTake measures decisions on new clients, which Redis has to write.
func BenchmarkTake(b *testing.B) {
	limiter := limits.NewShared(contract.AskPolicy, startShared(b, programs.Redis(b)))
	var clients atomic.Uint32
	take := func() {
		n := clients.Add(1)
		limiter.Take(b.Context(), limits.ClientOf(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})))
	}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			take()
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.SetParallelism(16)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				take()
			}
		})
	})
}
