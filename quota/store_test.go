package quota

import (
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/limits"
	"frontdesk/programs"
)

// busy is what a bounded wait may take longer on a busy machine.
const busy = 500 * time.Millisecond

// wantQuota uses up a client's requests and fails the test when they are not as many
// as the policy says: whatever happened, it is never unlimited and never closed.
func wantQuota(t *testing.T, limiter *limits.Limiter, who limits.Client) {
	t.Helper()
	allowed := 0
	for range 3 * limiter.Policy().Quota {
		if limiter.Take(t.Context(), who).Allowed {
			allowed++
		}
	}
	if allowed != limiter.Policy().Quota {
		t.Errorf("%d allowed, want %d", allowed, limiter.Policy().Quota)
	}
}

// TestDownAtStart starts without Redis, and uses it once it is there.
func TestDownAtStart(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	server.Stop()
	store := startInstance(t, server.URL, brief)
	limiter := limits.NewShared(contract.AskPolicy, store)
	store.log.next(t, saysLocal)
	wantQuota(t, limiter, client(1))
	if toLocal, toShared := store.Switches(); store.Shared() || toLocal != 1 || toShared != 0 {
		t.Errorf("shared %v, switches %d and %d", store.Shared(), toLocal, toShared)
	}
	store.log.nothing(t) // however often it was probed
	server.Start()
	store.log.next(t, saysAgain)
	wantQuota(t, limiter, client(2))
	if toLocal, toShared := store.Switches(); !store.Shared() || toLocal != 1 || toShared != 1 {
		t.Errorf("shared %v, switches %d and %d", store.Shared(), toLocal, toShared)
	}
}

// TestFaults has Redis fail in each way and get well again.
func TestFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name         string
		break_, mend func(t *testing.T, server *programs.Server)
		pings        bool // PING still succeeds while writing fails
	}{
		{name: "killed",
			break_: func(_ *testing.T, s *programs.Server) { s.Kill() },
			mend:   func(_ *testing.T, s *programs.Server) { s.Start() }},
		{name: "hanging",
			break_: func(_ *testing.T, s *programs.Server) { s.Freeze() },
			mend:   func(_ *testing.T, s *programs.Server) { s.Thaw() }},
		{name: "full", pings: true, // what it holds already is more than it may hold
			break_: func(t *testing.T, s *programs.Server) { try(t, direct(t, s), "CONFIG", "SET", "maxmemory", "64kb") },
			mend:   func(t *testing.T, s *programs.Server) { try(t, direct(t, s), "CONFIG", "SET", "maxmemory", "64mb") }},
		{name: "a read-only replica", pings: true,
			break_: func(t *testing.T, s *programs.Server) { try(t, direct(t, s), "REPLICAOF", "127.0.0.1", "1") },
			mend:   func(t *testing.T, s *programs.Server) { try(t, direct(t, s), "REPLICAOF", "NO", "ONE") }},
		{name: "rights taken", pings: true,
			break_: func(t *testing.T, s *programs.Server) { try(t, direct(t, s), "ACL", "SETUSER", "default", "-get") },
			mend:   func(t *testing.T, s *programs.Server) { try(t, direct(t, s), "ACL", "SETUSER", "default", "+get") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := programs.Redis(t)
			store := startInstance(t, server.URL, brief)
			store.log.next(t, saysShared)
			limiter := limits.NewShared(contract.AskPolicy, store)
			wantQuota(t, limiter, client(1))
			tt.break_(t, server)
			takeAtOnce(t, limiter, client(2))
			store.log.next(t, saysLocal)
			wantFast(t, limiter)
			wantQuota(t, limiter, client(3))
			// Many probes later it is still the one line.
			<-time.After(10 * brief.pause)
			if toLocal, toShared := store.Switches(); toLocal != 1 || toShared != 0 || store.Shared() {
				t.Errorf("switches %d and %d, shared %v", toLocal, toShared, store.Shared())
			}
			if tt.pings {
				try(t, direct(t, server), "PING")
			}
			store.log.nothing(t)
			tt.mend(t, server)
			store.log.next(t, saysAgain)
			wantQuota(t, limiter, client(4))
			if !store.Shared() {
				t.Error("Redis is given up again")
			}
		})
	}
}

// TestSlow has Redis slow, then slower than a request may wait, then well again.
func TestSlow(t *testing.T) {
	t.Parallel()
	line := startLine(t, programs.Redis(t))
	store := startInstance(t, line.url, brief)
	store.log.next(t, saysShared)
	limiter := limits.NewShared(contract.AskPolicy, store)
	line.delay.Store(int64(10 * time.Millisecond))
	took := takeAtOnce(t, limiter, client(1))
	if !store.Shared() || took < 20*time.Millisecond {
		t.Errorf("with 10 ms each way: shared %v after %v", store.Shared(), took)
	}
	line.delay.Store(int64(brief.call))
	takeAtOnce(t, limiter, client(2))
	store.log.next(t, saysLocal)
	wantFast(t, limiter)
	line.delay.Store(0)
	store.log.next(t, saysAgain)
	wantQuota(t, limiter, client(3))
	if !store.Shared() {
		t.Error("Redis is given up again")
	}
}

// takeAtOnce asks twenty times at once: the quota passes, and nobody waits longer
// than one call may take. It returns the longest wait.
func takeAtOnce(t *testing.T, limiter *limits.Limiter, who limits.Client) (longest time.Duration) {
	t.Helper()
	var mu sync.Mutex
	allowed := 0
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			began := time.Now()
			decision := limiter.Take(t.Context(), who)
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			longest = max(longest, took)
			if decision.Allowed {
				allowed++
			}
		})
	}
	group.Wait()
	if allowed != limiter.Policy().Quota || longest > brief.call+busy {
		t.Errorf("%d allowed, want %d; the longest wait was %v", allowed, limiter.Policy().Quota, longest)
	}
	t.Logf("the longest of twenty waits: %v", longest)
	return longest
}

// wantFast shows that nobody waits for a Redis that was given up.
func wantFast(t *testing.T, limiter *limits.Limiter) {
	t.Helper()
	began := time.Now()
	const many = 1000
	for range many {
		limiter.Take(t.Context(), client(9))
	}
	took := time.Since(began)
	t.Logf("a decision without Redis: %v", took/many)
	if took > busy {
		t.Errorf("%d decisions without Redis took %v", many, took)
	}
}

// TestFlapping has Redis stop and start, with nothing kept, and hang and go on, while
// a client asks two instances all the time. The promise is the quota for each
// instance and once more; what is kept is the quota for each instance.
func TestFlapping(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	stores := []instance{startInstance(t, server.URL, brief), startInstance(t, server.URL, brief)}
	for _, store := range stores {
		store.log.next(t, saysShared)
	}
	limiters := []*limits.Limiter{limits.NewShared(contract.AskPolicy, stores[0]), limits.NewShared(contract.AskPolicy, stores[1])}
	allowed := 0
	ask := func() {
		for i := range 4 * contract.AskPolicy.Quota {
			if limiters[i%2].Take(t.Context(), client(1)).Allowed {
				allowed++
			}
		}
	}
	const rounds = 3
	for range rounds {
		for _, flap := range []struct{ down, up func() }{{server.Stop, server.Start}, {server.Freeze, server.Thaw}} {
			ask()
			flap.down()
			ask()
			for _, store := range stores {
				store.log.next(t, saysLocal)
			}
			flap.up()
			for _, store := range stores {
				store.log.next(t, saysAgain)
			}
		}
	}
	ask()
	if most := contract.AskPolicy.Quota * len(stores); allowed > most || allowed < contract.AskPolicy.Quota {
		t.Errorf("%d allowed in one window, want at most %d", allowed, most)
	}
	for _, store := range stores {
		store.log.nothing(t)
		if toLocal, toShared := store.Switches(); toLocal != 2*rounds || toShared != 2*rounds {
			t.Errorf("switches %d and %d, want %d of each", toLocal, toShared, 2*rounds)
		}
	}
}

// TestPause holds the real hysteresis: five seconds from a failure nothing is tried.
func TestPause(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	store := startInstance(t, server.URL, times{patient.call, localPause})
	store.log.next(t, saysShared)
	server.Stop()
	began := time.Now()
	if _, ok := store.Take(t.Context(), contract.AskPolicy, "x", 1); ok {
		t.Fatal("a stopped Redis decides")
	}
	server.Start()
	store.log.next(t, saysLocal)
	store.log.next(t, saysAgain)
	if took := time.Since(began); took < localPause {
		t.Errorf("Redis is used again after %v, want at least %v", took, localPause)
	}
}

// TestWrongPassword is told without the password.
func TestWrongPassword(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	try(t, direct(t, server), "ACL", "SETUSER", "desk", "on", ">right", "~*", "+@all")
	store := startInstance(t, "redis://desk:hunter2@"+server.Addr, brief)
	select {
	case line := <-store.log:
		if !strings.Contains(line, saysLocal) || !strings.Contains(line, "WRONGPASS") || strings.Contains(line, "hunter2") {
			t.Errorf("the log says %s", line)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the log says nothing")
	}
	wantQuota(t, limits.NewShared(contract.AskPolicy, store), client(1))
}
