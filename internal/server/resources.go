package server

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/rs/zerolog"
)

// memoryReserve is how much of a memory limit, in bytes, is left to what Go does not
// count: above all the 2 MiB of SQLite for each of its connections, and what Go takes
// beyond its own limit on a busy machine. With a reserve of 13 MiB
// in a limit of 128 MiB, the kernel killed the process.
const memoryReserve = 40 << 20

// TuneMemory collects garbage in time for the memory limit of the cgroup: its memory.max, or
// memory.high if that is lower. An operator's GOMEMLIMIT wins.
func TuneMemory(log zerolog.Logger) {
	memory, err := memlimit.FromCgroup()
	own, _ := os.ReadFile("/proc/self/cgroup") // there is none without Linux
	if high := memoryHigh("/sys/fs/cgroup", string(own)); high > 0 && (err != nil || high < memory) {
		memory, err = high, nil
	}
	if err == nil && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(goMemory(memory)))
		log.Debug().Uint64("bytes", goMemory(memory)).Msg("memory limit set from the cgroup")
	}
}

// memoryHigh is the memory.high of the cgroup of a process, or 0. Beyond it the kernel slows
// the process down instead of ending it. root is where the cgroups of version 2 are, own is
// the file /proc/PID/cgroup.
func memoryHigh(root, own string) uint64 {
	_, path, _ := strings.Cut("\n"+own, "\n0::")
	path, _, _ = strings.Cut(path, "\n")
	text, _ := os.ReadFile(filepath.Join(root, path, "memory.high")) // "max" if it has none
	high, _ := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return high
}

// goMemory is Go's part of a memory limit: all but memoryReserve or a tenth, whichever is
// more, and never less than two thirds.
func goMemory(limit uint64) uint64 {
	return limit - max(limit/10, min(limit/3, memoryReserve))
}

const (
	// connectionMemory is what a connection may use at most, in bytes: 64 KiB of its own
	// for request, answer and stack, and twice writeBuffer in the kernel, rounded up.
	connectionMemory = 256 << 10
	// connectionShare is the part of the memory that connections may use: 1/4.
	connectionShare = 4
	// reservedFiles are the file descriptors for everything else: databases, mails,
	// Redis, the model, content.
	reservedFiles = 64

	minConnections          = 16
	minConnectionsPerClient = 8
	clientShare             = 10 // a client may have a tenth of all connections
)

// maxConnections is how many connections the process can bear: by its limit of file
// descriptors and by its memory, that of the cgroup or else of the machine.
func maxConnections() int {
	memory, err := memlimit.FromCgroup()
	if system, systemErr := memlimit.FromSystem(); systemErr == nil && (err != nil || system < memory) {
		memory, err = system, nil
	}
	most := openFilesLimit() - reservedFiles
	if err == nil {
		most = min(most, int(min(memory/connectionShare/connectionMemory, math.MaxInt32)))
	}
	return max(most, minConnections)
}
