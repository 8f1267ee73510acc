package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"frontdesk/internal/expect"
)

// quota is what a cgroup grants its processes.
type quota struct {
	memory int64 // bytes
	cpu    int   // percent of a processor; as many as there are when 0
}

// limits are the files that set the quota: of cgroup v2, or of v1, which has a tree of groups for each resource.
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

// ownCgroup makes a cgroup for one process, and removes it after the test. The command runs the program that its last
// arguments name in it.
func ownCgroup(t *testing.T, q quota) (command []string) {
	t.Helper()
	folders, enter := map[string]string{}, ""
	for _, file := range q.limits() {
		folder := folders[file.parent]
		if folder == "" {
			var err error
			if folder, err = os.MkdirTemp(file.parent, "frontdesk-test-"); err != nil {
				return nil
			}
			t.Cleanup(func() { expect.OK(t, os.Remove(folder)) }) // after the process has ended
			folders[file.parent] = folder
			enter += fmt.Sprintf("echo $$ > '%s/cgroup.procs' && ", folder)
		}
		// The kernel has made the file.
		if err := os.WriteFile(filepath.Join(folder, file.name), []byte(file.value), 0o600); err != nil {
			return nil
		}
	}
	return []string{"sh", "-c", enter + `exec "$@"`, "sh"}
}
