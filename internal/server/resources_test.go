package server

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"frontdesk/internal/expect"
)

func TestGoMemory(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for limit, want := range map[uint64]uint64{
		0: 0, 128: 88, 256: 216, // without and with the encoder
		60: 40, 1000: 900, // two thirds of a tiny one, and nine tenths of a large one
	} {
		expect.Same(t, fmt.Sprint(limit, " MiB"), want*mib, goMemory(limit*mib))
	}
}

// Also with hybrid cgroups, and in a container, whose own cgroup is the root.
func TestMemoryHigh(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for dir, text := range map[string]string{"": "700\n", "other.slice/low": "200\n", "desk.service": "max\n"} {
		dir = filepath.Join(root, dir)
		expect.OK(t, os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "memory.high"), []byte(text), 0o600))
	}
	for own, want := range map[string]uint64{
		"0::/desk.service\n": 0, "4:memory:/x\n0::/other.slice/low\n": 200, "0::/\n": 700, "0::/none\n": 0,
	} {
		expect.Same(t, own+": memory.high", want, memoryHigh(root, own))
	}
}
