package quota

import (
	"sync"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	run := func(command ...any) func(*testing.T, *programs.Server) {
		return func(t *testing.T, s *programs.Server) { try(t, direct(t, s), command...) }
	}
	stop, start := func(_ *testing.T, s *programs.Server) { s.Stop() }, func(_ *testing.T, s *programs.Server) { s.Start() }
	for _, tt := range []struct {
		name          string
		breaks, mends func(t *testing.T, server *programs.Server)
		pings         bool // PING still succeeds while writing fails
		atStart       bool // it fails before the store opens
	}{
		{"down at the start", stop, start, false, true},
		{"killed", func(_ *testing.T, s *programs.Server) { s.Kill() }, start, false, false},
		{"hanging", func(_ *testing.T, s *programs.Server) { s.Freeze() }, func(_ *testing.T, s *programs.Server) { s.Thaw() }, false, false},
		// What it holds already is more than it may hold.
		{"full", run("CONFIG", "SET", "maxmemory", "64kb"), run("CONFIG", "SET", "maxmemory", "64mb"), true, false},
		{"a read-only replica", run("REPLICAOF", "127.0.0.1", "1"), run("REPLICAOF", "NO", "ONE"), true, false},
		{"rights taken", run("ACL", "SETUSER", "default", "-get"), run("ACL", "SETUSER", "default", "+get"), true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := programs.Redis(t)
			if tt.atStart {
				tt.breaks(t, server)
			}
			store := startInstance(t, server.URL, brief)
			limiter := limits.New(contract.AskPolicy, store)
			if !tt.atStart {
				store.log.next(t, saysShared)
				wantQuota(t, limiter, client(1))
				tt.breaks(t, server)
			}
			takeAtOnce(t, limiter, client(2))
			store.log.next(t, saysLocal)
			wantQuota(t, limiter, client(3))
			// Many probes later it is still the one line.
			<-time.After(10 * brief.pause)
			expect.Same(t, "shared without Redis", false, store.Shared())
			if tt.pings {
				try(t, direct(t, server), "PING")
			}
			store.log.nothing(t)
			tt.mends(t, server)
			store.log.next(t, saysAgain)
			wantQuota(t, limiter, client(4))
			expect.Same(t, "shared again", true, store.Shared())
		})
	}
}

// All connections are made in advance, because connecting takes two round trips more. A Redis that is only slow stays
// in use.
func TestNoRequestConnects(t *testing.T) {
	t.Parallel()
	wire := programs.NewWire(t, programs.Redis(t).Addr)
	store := startInstance(t, "redis://"+wire.Addr, patient)
	store.log.next(t, saysShared)
	deadline := time.After(10 * time.Second)
	for wire.Accepted.Load() < connections {
		select {
		case <-deadline:
			t.Fatalf("%d connections, want %d", wire.Accepted.Load(), connections)
		case <-time.After(time.Millisecond):
		}
	}
	wire.Delay.Store(int64(20 * time.Millisecond)) // so that all wait at the same time
	takeAtOnce(t, limits.New(contract.AskPolicy, store), client(1))
	expect.Same(t, "connections after twenty requests at once", connections, wire.Accepted.Load())
	expect.Same(t, "shared by a slow Redis", true, store.Shared())
}

// takeAtOnce asks twenty times at once: the quota passes, and no one waits longer than one call may take.
func takeAtOnce(t *testing.T, limiter *limits.Limiter, client limits.Client) {
	t.Helper()
	var mu sync.Mutex
	var longest time.Duration
	allowed := 0
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			began := time.Now()
			decision := limiter.Take(limits.WithClient(t.Context(), client))
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
	expect.Same(t, "allowed", limiter.Policy().Quota, allowed)
	expect.AtMost(t, "the longest of twenty waits", brief.call+busy, longest)
}
