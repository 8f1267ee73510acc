package quota

import (
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

const busy = 2 * time.Second

// wantQuota uses up a client's requests and fails the test when they are not as many as the policy says: whatever
// happened, it is never unlimited and never closed.
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

// Nothing is tried before the pause has passed. In the service no one waits longer than 100 ms, and Redis stays unused
// for 5 s.
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
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor desk %s %s 1\n", sentinelPort, host, port)
	expect.Write(t, settings, text)
	programs.Listening(t, at, func() *exec.Cmd { return exec.Command(path, settings, "--sentinel") }, func() error {
		conn, err := net.DialTimeout("tcp", at, time.Second)
		if err != nil {
			return err
		}
		return conn.Close()
	})
	for name, found := range map[string]bool{"desk": true, "unknown": false} {
		address := expect.Value(Parse("redis://" + at + "/0?master_name=" + name + "&pool_size=2"))(t)
		if err := address.Check(t.Context()); (err == nil) != found {
			t.Errorf("master %s: %v, want an error: %v", name, err, !found)
		}
	}
}
