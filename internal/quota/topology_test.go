package quota

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

// TestClusterIsRefused asks a real node of a Redis Cluster.
func TestClusterIsRefused(t *testing.T) {
	t.Parallel()
	_, bus := programs.FreeAddr(t) // by itself Redis takes its port plus 10,000, which the system may have given out
	node := programs.Redis(t, "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-port", bus)
	address, err := Parse(node.URL)
	expect.OK(t, err)
	for name, got := range map[string]error{"serve": address.RefuseCluster(t.Context()), "doctor": address.Check(t.Context())} {
		expect.Error(t, name, got, errCluster)
	}
	single, err := Parse(programs.Redis(t).URL)
	expect.OK(t, err)
	if err := single.RefuseCluster(t.Context()); err != nil {
		t.Errorf("a single server: %v", err)
	}
}

// TestSentinel takes a decision in the master that a real sentinel names.
func TestSentinel(t *testing.T) {
	t.Parallel()
	path := programs.Find(t, "redis-server", "apt-get install redis-server")
	master := programs.Redis(t)
	host, port, err := net.SplitHostPort(master.Addr)
	expect.OK(t, err)
	at, sentinelPort := programs.FreeAddr(t)
	settings := filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor desk %s %s 1\n", sentinelPort, host, port)
	expect.OK(t, os.WriteFile(settings, []byte(text), 0o600))
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
