package faults

import (
	"encoding/binary"
	"net/netip"
	"runtime"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/limits"
)

// address returns the client at the ith IPv4 address.
func address(i int) limits.Client {
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], uint32(i))
	return limits.ClientOf(netip.AddrFrom4(ip))
}

// TestMillionClients counts a million clients within a window: the limiter's memory
// is bounded, a client over its quota is not let in among them, and a new one is
// served. It runs in this process, because it measures what the limiter keeps.
func TestMillionClients(t *testing.T) {
	n := sized(50_000, 1_000_000)
	limiter := limits.New(contract.AskPolicy)
	for range contract.AskPolicy.Quota {
		limiter.Take(t.Context(), address(0))
	}
	before := heap()
	for i := 1; i < n; i++ {
		if !limiter.Take(t.Context(), address(i)).Allowed {
			t.Fatalf("client %d is refused", i)
		}
	}
	kept := heap() - before
	t.Logf("%d clients: %d MB, %d bytes a client", n, kept>>20, kept/int64(n))
	if most := int64(200 * n); kept > most {
		t.Errorf("the limiter keeps %d bytes, want at most %d", kept, most)
	}
	if limiter.Take(t.Context(), address(0)).Allowed {
		t.Error("a client over its quota is allowed again")
	}
	if !limiter.Take(t.Context(), address(n)).Allowed {
		t.Error("a new client is refused")
	}
	runtime.KeepAlive(limiter)
}

// heap returns the bytes of the heap in use after a collection.
func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
