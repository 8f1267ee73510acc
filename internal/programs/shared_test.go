package programs

import (
	"testing"

	"frontdesk/internal/expect"
)

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
