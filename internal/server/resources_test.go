package server

import (
	"os"
	"path/filepath"
	"testing"

	"frontdesk/internal/expect"
)

func TestGoMemory(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, tt := range []struct {
		name        string
		limit, want uint64
	}{
		{"none", 0, 0},
		{"a tiny one keeps two thirds", 60 * mib, 40 * mib},
		{"without the encoder", 128 * mib, 88 * mib},
		{"with the encoder", 256 * mib, 216 * mib},
		{"a tenth of a large one is left", 1000 * mib, 900 * mib},
	} {
		if got := goMemory(tt.limit); got != tt.want {
			t.Errorf("%s: goMemory(%d MiB) = %d, want %d", tt.name, tt.limit/mib, got, tt.want)
		}
	}
}

// The limit is found with hybrid cgroups and in a container, whose own
// cgroup is the root.
func TestMemoryHigh(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for dir, text := range map[string]string{"": "700\n", "other.slice/low": "200\n", "desk.service": "max\n"} {
		expect.OK(t, os.MkdirAll(filepath.Join(root, dir), 0o700), os.WriteFile(filepath.Join(root, dir, "memory.high"), []byte(text), 0o600))
	}
	for own, want := range map[string]uint64{"0::/desk.service\n": 0, "4:memory:/x\n0::/other.slice/low\n": 200, "0::/\n": 700, "0::/none\n": 0} {
		expect.Same(t, own+": memory.high", want, memoryHigh(root, own))
	}
}
