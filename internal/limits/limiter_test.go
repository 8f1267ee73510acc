package limits

import (
	"net/netip"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func client(i int) Client {
	return ClientOf(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}))
}

func allowed(policy contract.Policy, remaining int) Decision {
	return Decision{Allowed: true, Policy: policy, Remaining: remaining}
}

func refusedFor(policy contract.Policy, wait time.Duration) Decision {
	return Decision{Policy: policy, RetryAfter: wait}
}

// In a flood memory stays bounded, a client that was counted still is, and a later one is served.
func TestFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := New(contract.AskPolicy, nil)
		take := func(i int) bool { return limiter.Take(WithClient(t.Context(), client(i))).Allowed }
		kept := func() int { return len(limiter.own.young.places) + len(limiter.own.old.places) }
		for range contract.AskPolicy.Quota {
			take(0)
		}
		before := heap()
		for i := range maxClients + 100_000 {
			take(i + 1)
		}
		expect.AtMost(t, "bytes kept", 200*maxClients, heap()-before)
		expect.AtMost(t, "clients kept", maxClients+overflowBuckets, kept())
		expect.Same(t, "allowed after a flood", false, take(0))
		refused := 0 // by chance: about 2 of 100 share a place with four others or more
		for i := range 1000 {
			if !take(2*maxClients + i) {
				refused++
			}
		}
		expect.AtMost(t, "of 1000 new clients are refused", 100, refused)
		time.Sleep(contract.AskPolicy.Window)
		take(0)
		time.Sleep(contract.AskPolicy.Window - time.Second)
		for range contract.AskPolicy.Quota {
			take(-1)
		}
		time.Sleep(time.Second)
		expect.Same(t, "allowed when there is room", false, take(-1))
		time.Sleep(2 * contract.AskPolicy.Window)
		take(0)
		expect.Same(t, "clients are kept two windows later", 1, kept())
	})
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
