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

// confine limits the memory of a process. In make faults that is a cgroup of its own, if
// the test may make one. Otherwise the process gets the settings that it would derive
// from the cgroup, and its resident memory is measured.
func confine(t *testing.T, limit int64) confined {
	t.Helper()
	if whole {
		if place, ok := ownCgroup(t, limit); ok {
			return place
		}
	}
	return confined{how: "no cgroup: resident memory is measured", environ: []string{
		fmt.Sprintf("GOMEMLIMIT=%d", limit-40<<20),                     // all but 40 MiB, as by default
		fmt.Sprintf("FRONTDESK_MAX_CONNECTIONS=%d", limit/4/(256<<10)), // a quarter of the memory, as by default
	}}
}

func ownCgroup(t *testing.T, limit int64) (place confined, ok bool) {
	t.Helper()
	shell, err := exec.LookPath("sh") // puts the process into its cgroup
	if err != nil {
		return confined{}, false
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
		}, true
	}
	return confined{}, false
}

// watch returns the most memory that the process has used since.
func (c confined) watch(t *testing.T, p *process) (most func() int64) {
	t.Helper()
	if c.enforced {
		return func() int64 {
			text, _ := os.ReadFile(c.used) // Linux before 5.19 does not count it in cgroup v2
			n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			if err != nil {
				return p.ownMemory()
			}
			return n
		}
	}
	var highest atomic.Int64
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	look := func() int64 {
		highest.Store(max(highest.Load(), p.ownMemory()))
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
