package server

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// CPU returns the user and system time that all threads of the server have used so far.
// /proc/PID/stat has the same figure, but in steps of 10 ms.
func (p *Process) CPU() (time.Duration, error) {
	// How the clock of another process is named: MAKE_PROCESS_CPUCLOCK(pid,
	// CPUCLOCK_SCHED) of linux/posix-timers.h.
	const schedulersClock = 2
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^p.command.Process.Pid)<<3|schedulersClock, &used); err != nil {
		return 0, fmt.Errorf("the server's CPU time: %w", err)
	}
	return time.Duration(used.Nano()), nil
}

// Memory returns the server's resident set, in bytes.
func (p *Process) Memory() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := bytes.Cut(status, []byte("\nVmRSS:"))
	fields := bytes.Fields(after)
	if len(fields) == 0 {
		return 0, fmt.Errorf("process %d has no resident set: it has ended", p.command.Process.Pid)
	}
	kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
	return kib << 10, err
}

// KeepApart puts the driver on the first processor and leaves the others to servers with
// Kind.Apart, which makes CPU times steadier. With one processor it changes nothing.
func KeepApart() error {
	if runtime.NumCPU() < 2 {
		return nil
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			return err
		}
		if err := unix.SchedSetaffinity(id, driverCPUs()); err != nil {
			return fmt.Errorf("the driver's processor: %w", err)
		}
	}
	return nil
}

func driverCPUs() *unix.CPUSet {
	var set unix.CPUSet
	set.Set(0)
	return &set
}

// apart runs start so that the started process runs only on the servers' processors: it
// inherits them from the thread.
func apart(start func() error) error {
	if runtime.NumCPU() < 2 {
		return start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var servers unix.CPUSet
	for i := 1; i < runtime.NumCPU(); i++ {
		servers.Set(i)
	}
	if err := unix.SchedSetaffinity(0, &servers); err != nil {
		return fmt.Errorf("the servers' processors: %w", err)
	}
	err := start()
	if back := unix.SchedSetaffinity(0, driverCPUs()); err == nil {
		err = back
	}
	return err
}
