package faults

import (
	"errors"
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
		if place, ok := ownCgroup(t, quota{memory: limit}); ok {
			return place
		}
	}
	return confined{how: "no cgroup: resident memory is measured", environ: []string{
		fmt.Sprintf("GOMEMLIMIT=%d", limit-40<<20),                     // all but 40 MiB, as by default
		fmt.Sprintf("FRONTDESK_MAX_CONNECTIONS=%d", limit/4/(256<<10)), // a quarter of the memory, as by default
	}}
}

// quota is what a cgroup grants its processes.
type quota struct {
	memory int64 // bytes
	cpu    int   // percent of a processor; as many as there are when 0
}

// cgroups are the versions of Linux: for each limit the folder that has its groups, its
// file and its value. The most memory that was used is in the first folder.
func (q quota) cgroups() []cgroup {
	memory := strconv.FormatInt(q.memory, 10)
	two := cgroup{"cgroup v2", "memory.peak", []cgroupLimit{{"/sys/fs/cgroup", "memory.max", memory}}}
	one := cgroup{"cgroup v1", "memory.max_usage_in_bytes", []cgroupLimit{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", memory}}}
	if q.cpu > 0 {
		micros := strconv.Itoa(q.cpu * 1000) // of each tenth of a second
		two.limits = append(two.limits, cgroupLimit{"/sys/fs/cgroup", "cpu.max", micros + " 100000"})
		one.limits = append(one.limits, cgroupLimit{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", micros})
	}
	return []cgroup{two, one}
}

type (
	cgroup struct {
		version, used string
		limits        []cgroupLimit
	}
	cgroupLimit struct{ parent, file, value string }
)

// ownCgroup makes a cgroup for one process, and removes it after the test.
func ownCgroup(t *testing.T, q quota) (place confined, ok bool) {
	t.Helper()
	shell, err := exec.LookPath("sh") // puts the process into its cgroup
	if err != nil {
		return confined{}, false
	}
	for _, version := range q.cgroups() {
		folders, err := version.create()
		if err != nil {
			_ = version.remove(folders)
			continue
		}
		t.Cleanup(func() { // after the process has ended
			if err := version.remove(folders); err != nil {
				t.Error(err)
			}
		})
		enter := ""
		for _, folder := range folders {
			enter += fmt.Sprintf("echo $$ > '%s/cgroup.procs' && ", folder)
		}
		return confined{
			how: version.version, enforced: true, used: filepath.Join(folders[version.limits[0].parent], version.used),
			command: []string{shell, "-c", enter + `exec "$@"`, shell},
		}, true
	}
	return confined{}, false
}

// create makes one folder under each parent and sets its limits.
func (c cgroup) create() (folders map[string]string, err error) {
	folders = map[string]string{}
	for _, limit := range c.limits {
		if folders[limit.parent] == "" {
			if folders[limit.parent], err = os.MkdirTemp(limit.parent, "frontdesk-test-"); err != nil {
				delete(folders, limit.parent)
				return folders, err
			}
		}
		file, err := os.OpenFile(filepath.Join(folders[limit.parent], limit.file), os.O_WRONLY, 0) // the kernel made it
		if err != nil {
			return folders, err
		}
		_, err = file.WriteString(limit.value)
		if err = errors.Join(err, file.Close()); err != nil {
			return folders, err
		}
	}
	return folders, nil
}

func (cgroup) remove(folders map[string]string) error {
	var errs []error
	for _, folder := range folders {
		errs = append(errs, os.Remove(folder))
	}
	return errors.Join(errs...)
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
