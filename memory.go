package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// roomForGarbage is how many bytes of garbage may gather at the least before they are
// collected. Go's own rule is as much as what is alive, and of a small service too
// little is alive: it would look through all of it many times a second.
const roomForGarbage = 16 << 20

// settle gives the memory back that only the start has used, and makes room for
// garbage beside what it has left. It takes a few milliseconds.
func settle() {
	debug.FreeOSMemory()
	makeRoom()
}

// makeRoom lets roomForGarbage gather beside what is alive now.
func makeRoom() {
	if os.Getenv("GOGC") != "" { // the operator knows better
		return
	}
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	debug.SetGCPercent(garbagePercent(now.HeapAlloc))
}

// garbagePercent is the GOGC at which roomForGarbage may gather beside so many bytes
// that are alive, and never less than Go's own.
func garbagePercent(alive uint64) int {
	const usual = 100
	return max(usual, int(usual*roomForGarbage/max(alive, 1)))
}
