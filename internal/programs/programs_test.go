package programs

import "testing"

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
