package quota

import (
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

const busy = 2 * time.Second

// Whatever happened, a client is never without a limit and never shut out.
func wantQuota(t *testing.T, limiter *limits.Limiter, client limits.Client) {
	t.Helper()
	allowed := 0
	for range 3 * limiter.Policy().Quota {
		if limiter.Take(limits.WithClient(t.Context(), client)).Allowed {
			allowed++
		}
	}
	expect.Same(t, "allowed", limiter.Policy().Quota, allowed)
}

// In the service no one waits longer than 100 ms, and Redis stays unused for 5 s.
func TestPause(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	const pause = 500 * time.Millisecond
	store := startInstance(t, server.URL, times{patient.call, pause})
	store.log.next(t, saysShared)
	server.Stop()
	began := time.Now()
	if _, ok := store.Take(t.Context(), limits.Request{Policy: contract.AskPolicy, Client: "x"}); ok {
		t.Fatal("a stopped Redis decides")
	}
	server.Start()
	store.log.next(t, saysLocal)
	store.log.next(t, saysAgain)
	expect.AtLeast(t, "Redis is used again", pause, time.Since(began))
	service := Open(t.Context(), store.address, nil, zerolog.Nop())
	defer service.Close()
	expect.Same(t, "times", []time.Duration{100 * time.Millisecond, 5 * time.Second},
		[]time.Duration{service.times.call, service.times.pause})
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	try(t, direct(t, server), "ACL", "SETUSER", "desk", "on", ">right", "~*", "+@all")
	store := startInstance(t, "redis://desk:hunter2@"+server.Addr, patient)
	line := store.log.next(t, saysLocal)
	expect.Holds(t, "the log", line, "WRONGPASS")
	expect.Lacks(t, "the log", line, "hunter2")
	wantQuota(t, limits.New(contract.AskPolicy, store), client(1))
}

// The user of docs/redis.md may do what frontdesk does.
func TestClusterIsRefused(t *testing.T) {
	t.Parallel()
	user := regexp.MustCompile("`(ACL SETUSER desk [^`]+)`").FindStringSubmatch(expect.File(t, "../../docs/redis.md"))
	checkAs := func(server *programs.Server) error {
		var command []any
		for _, word := range strings.Fields(user[1]) {
			command = append(command, word)
		}
		try(t, direct(t, server), command...)
		return expect.Value(Parse("redis://desk:password@" + server.Addr))(t).Check(t.Context())
	}
	_, bus := programs.FreeAddr(t) // by itself Redis takes its port plus 10,000, which the system may have given out
	node := programs.Redis(t, "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-port", bus)
	expect.Error(t, "a node of a cluster", checkAs(node), ErrCluster)
	expect.OK(t, checkAs(programs.Redis(t)))
}

func TestSentinel(t *testing.T) {
	t.Parallel()
	path := programs.Find(t, "redis-server", "apt-get install redis-server")
	master := programs.Redis(t)
	host, port, err := net.SplitHostPort(master.Addr)
	expect.OK(t, err)
	at, sentinelPort := programs.FreeAddr(t)
	settings := filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nrequirepass pw\nsentinel monitor desk %s %s 1\n", sentinelPort, host, port)
	expect.Write(t, settings, text)
	programs.Listening(t, at, func() *exec.Cmd { return exec.Command(path, settings, "--sentinel") }, func() error {
		conn, err := net.DialTimeout("tcp", at, time.Second)
		if err != nil {
			return err
		}
		return conn.Close()
	})
	for name, found := range map[string]bool{"desk&sentinel_password=pw": true, "desk": false, "unknown&sentinel_password=pw": false} {
		address := expect.Value(Parse("redis://" + at + "/0?master_name=" + name + "&pool_size=2"))(t)
		if err := address.Check(t.Context()); (err == nil) != found {
			t.Errorf("master %s: %v, want an error: %v", name, err, !found)
		}
	}
}

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

// Connecting takes two round trips more. A Redis that is only slow stays in use.
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
	expect.Same(t, "connections", connections, wire.Accepted.Load())
	expect.Same(t, "shared by a slow Redis", true, store.Shared())
	wire.Delay.Store(int64(CallTimeout))
	expect.Same(t, "a slow Redis is right", false, store.address.Check(t.Context()) == nil)
}

// takeAtOnce asks twenty times at once. No one waits longer than one call may take.
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
