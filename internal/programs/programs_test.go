package programs

import (
	"net"
	"os/exec"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// TestServers starts each server, and stops, starts, kills and freezes it.
func TestServers(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t testing.TB) *Server{
		"redis":    func(t testing.TB) *Server { return Redis(t) },
		"postgres": Postgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := start(t)
			server.Stop()
			if conn, err := net.DialTimeout("tcp", server.Addr, time.Second); err == nil {
				_ = conn.Close()
				t.Error("a stopped server accepts connections")
			}
			server.Start()
			server.Kill()
			server.Start()
			server.Freeze()
			server.Thaw()
			if err := server.ready(); err != nil {
				t.Error("a thawed server does not answer:", err)
			}
		})
	}
}

// skipped catches how Missing ends a test.
type skipped struct {
	testing.TB
	fatal, skip bool
}

func (s *skipped) Helper()               {}
func (s *skipped) Fatalf(string, ...any) { s.fatal = true }
func (s *skipped) Skipf(string, ...any)  { s.skip = true }

func TestMissing(t *testing.T) {
	for ci, want := range map[string]skipped{"true": {fatal: true}, "": {skip: true}} {
		t.Setenv("CI", ci)
		got := skipped{TB: t}
		Missing(&got, "program", "install it")
		if got.fatal != want.fatal || !got.fatal && got.skip != want.skip {
			t.Errorf("CI=%q: fatal %v, skip %v, want %v and %v", ci, got.fatal, got.skip, want.fatal, want.skip)
		}
	}
}

func TestFindOnThePath(t *testing.T) {
	t.Parallel()
	want, err := exec.LookPath("go")
	if err != nil {
		t.Skip("go is not on the PATH")
	}
	expect.Same(t, "Find", want, Find(t, "go", ""))
}

// TestListening waits for a program that it started itself, and for its end.
func TestListening(t *testing.T) {
	t.Parallel()
	addr, port := FreeAddr(t)
	redis := Find(t, "redis-server", "apt-get install redis-server")
	server := Listening(t, addr,
		func() *exec.Cmd { return exec.Command(redis, "--port", port, "--bind", "127.0.0.1", "--save", "") },
		func() error { return redisAnswers(addr) })
	server.Kill()
	if err := redisAnswers(addr); err == nil {
		t.Error("a killed server answers")
	}
}
