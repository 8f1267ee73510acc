//go:build unix

package server

import (
	"math"
	"syscall"
)

// openFilesLimit is how many files the process may have open. Go raises its own limit
// to the hard one at the start.
func openFilesLimit() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return math.MaxInt32
	}
	return int(min(uint64(limit.Cur), math.MaxInt32))
}
