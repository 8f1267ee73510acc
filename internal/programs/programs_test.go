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

// TestShared starts once for several tests, and ends what was started with Close.
func TestShared(t *testing.T) {
	var shared Shared
	var started, ended int
	start := func(t testing.TB) *Server {
		started++
		t.Cleanup(func() { ended++ })
		return &Server{URL: "redis://one"}
	}
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			if got := shared.Get(t, start); got.URL != "redis://one" {
				t.Errorf("server = %+v", got)
			}
		})
	}
	if started != 1 || ended != 0 {
		t.Errorf("started %d times, ended %d, want it to last", started, ended)
	}
	shared.Close()
	expect.Same(t, "ends by Close", 1, ended)
}

// TestSharedIsMissing skips every test that needs what is not there.
func TestSharedIsMissing(t *testing.T) {
	var shared Shared
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() {
				if !t.Skipped() {
					t.Error("it is not skipped")
				}
			})
			shared.Get(t, func(t testing.TB) *Server { t.SkipNow(); return nil })
		})
	}
	shared.Close()
}
