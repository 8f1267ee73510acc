package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// confined is how a process gets no more memory than a limit.
type confined struct {
	how      string // for the log of the test
	enforced bool   // by the kernel, which would kill the process
	command  []string
	environ  []string
	used     string // the file in which the kernel counts the most that was used
}

// confine limits the memory of a process by a cgroup of its own. Where the test may not
// make one, the process gets the settings that it would derive from it, and what it
// uses is only looked at.
func confine(t *testing.T, limit int64) confined {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skipf("a shell puts the process into its cgroup: %v", err)
	}
	for _, version := range []struct {
		name, parent, limit, used string
	}{
		{"cgroup v2", "/sys/fs/cgroup", "memory.max", "memory.peak"},
		{"cgroup v1", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"},
	} {
		dir, err := os.MkdirTemp(version.parent, "frontdesk-test-")
		if err != nil {
			continue
		}
		limitFile := filepath.Join(dir, version.limit)
		if _, err = os.Stat(limitFile); err == nil { // the kernel made it
			err = os.WriteFile(limitFile, []byte(strconv.FormatInt(limit, 10)), 0o600)
		}
		if err != nil {
			_ = os.Remove(dir)
			continue
		}
		t.Cleanup(func() { // after the process has ended
			if err := os.Remove(dir); err != nil {
				t.Error(err)
			}
		})
		return confined{
			how: version.name, enforced: true, used: filepath.Join(dir, version.used),
			command: []string{shell, "-c", `echo $$ > "$0" && exec "$@"`, filepath.Join(dir, "cgroup.procs")},
		}
	}
	return confined{how: "no cgroup: resident memory is looked at", environ: []string{
		fmt.Sprintf("GOMEMLIMIT=%d", limit/10*9),
		fmt.Sprintf("FRONTDESK_MAX_CONNECTIONS=%d", limit/4/(256<<10)), // a quarter of the memory, as by default
	}}
}

// watch returns the most memory that the process has used since.
func (c confined) watch(t *testing.T, p *process) (most func() int64) {
	t.Helper()
	if c.enforced {
		return func() int64 {
			text, _ := os.ReadFile(c.used) // Linux before 5.19 does not count it in cgroup v2
			n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			if err != nil {
				return p.memory()
			}
			return n
		}
	}
	var highest atomic.Int64
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	look := func() int64 {
		highest.Store(max(highest.Load(), p.memory()))
		return highest.Load()
	}
	go func() {
		beat := time.NewTicker(10 * time.Millisecond)
		defer beat.Stop()
		for {
			select {
			case <-stop:
				return
			case <-beat.C:
				look()
			}
		}
	}()
	return look
}
