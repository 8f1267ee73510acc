package main

import (
	"syscall"
	"time"
)

// processorTime is what this process has used of all cores.
func processorTime() time.Duration {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var started, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &started, &ended, &kernel, &user); err != nil {
		return 0
	}
	return spent(kernel) + spent(user)
}

// spent is a Filetime that counts, in units of 100 ns.
func spent(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
