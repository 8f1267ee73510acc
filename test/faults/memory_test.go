package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// confine limits the memory of the processes of s. In make faults that is a cgroup, if the
// test may make one. Otherwise they get the settings that they would derive from the
// cgroup, and only what they use is measured.
func (s setup) confine(t *testing.T, limit int64) setup {
	t.Helper()
	if whole {
		if _, ok := ownCgroup(t, quota{memory: limit}); ok {
			s.machine = quota{memory: limit}
			return s
		}
	}
	s.environ = append(s.environ,
		fmt.Sprintf("GOMEMLIMIT=%d", limit-40<<20),                     // all but 40 MiB, as by default
		fmt.Sprintf("FRONTDESK_MAX_CONNECTIONS=%d", limit/4/(256<<10))) // a quarter of the memory, as by default
	return s
}

// quota is what a cgroup grants its processes.
type quota struct {
	memory int64 // bytes
	cpu    int   // percent of a processor; as many as there are when 0
}

// limits are the files that set the quota: of cgroup v2, or of v1, which has a tree of
// groups for each resource.
func (q quota) limits() (files []struct{ parent, name, value string }) {
	type file = struct{ parent, name, value string }
	const root = "/sys/fs/cgroup"
	memory, micros := strconv.FormatInt(q.memory, 10), strconv.Itoa(q.cpu*1000) // of each tenth of a second
	if _, err := os.Stat(root + "/cgroup.controllers"); err == nil {
		files = []file{{root, "memory.max", memory}, {root, "cpu.max", micros + " 100000"}}
	} else {
		files = []file{{root + "/memory", "memory.limit_in_bytes", memory}, {root + "/cpu", "cpu.cfs_quota_us", micros}}
	}
	if q.cpu == 0 {
		files = files[:1]
	}
	return files
}

// ownCgroup makes a cgroup for one process, and removes it after the test. The command
// runs the program that its last arguments name in it.
func ownCgroup(t *testing.T, q quota) (command []string, ok bool) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		return nil, false
	}
	folders, enter := map[string]string{}, ""
	for _, file := range q.limits() {
		folder := folders[file.parent]
		if folder == "" {
			if folder, err = os.MkdirTemp(file.parent, "frontdesk-test-"); err != nil {
				return nil, false
			}
			t.Cleanup(func() { // after the process has ended
				if err := os.Remove(folder); err != nil {
					t.Error(err)
				}
			})
			folders[file.parent] = folder
			enter += fmt.Sprintf("echo $$ > '%s/cgroup.procs' && ", folder)
		}
		// The kernel has made the file.
		if err := os.WriteFile(filepath.Join(folder, file.name), []byte(file.value), 0o600); err != nil {
			return nil, false
		}
	}
	return []string{shell, "-c", enter + `exec "$@"`, shell}, true
}

func (p *process) watch(t *testing.T) (most func() int64) {
	t.Helper()
	var highest atomic.Int64
	look := func() int64 {
		highest.Store(max(highest.Load(), p.ownMemory()))
		return highest.Load()
	}
	beat, stop := time.NewTicker(10*time.Millisecond), make(chan struct{})
	t.Cleanup(func() { close(stop) })
	go func() {
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
