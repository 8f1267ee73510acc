package limits

import (
	"fmt"
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

func TestStory(t *testing.T) {
	t.Parallel()
	for _, policy := range []contract.Policy{contract.AskPolicy, contract.ContactPolicy} {
		for _, offset := range []time.Duration{0, time.Second, 29 * time.Second, 59 * time.Second, 59*time.Second + 999*time.Millisecond} {
			expect.Bubble(t, fmt.Sprintf("%s at %v", policy.Name, offset), func(t *testing.T) {
				limiter := New(policy, nil)
				take := func() Decision { return limiter.Take(WithClient(t.Context(), client(1))).Decision }
				time.Sleep(offset)
				for i := range policy.Quota {
					expect.Same(t, fmt.Sprint("request ", i+1), allowed(policy, policy.Quota-1-i), take())
				}
				time.Sleep(10 * time.Second)
				wait := policy.Window - 10*time.Second
				expect.Same(t, "one past the quota", refusedFor(policy, wait), take())
				time.Sleep(wait - time.Nanosecond)
				expect.Same(t, "a nanosecond early", refusedFor(policy, time.Second), take())
				time.Sleep(time.Nanosecond)
				expect.Same(t, "after waiting for RetryAfter", allowed(policy, policy.Quota-1), take())
			})
		}
	}
}

// Memory stays bounded in a flood of clients, one that was counted before or then still is, and
// one that comes later is served.
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
		expect.AtMost(t, "bytes that are kept, 200 for each client", 200*maxClients, heap()-before)
		expect.AtMost(t, "clients kept", maxClients+overflowBuckets, kept())
		expect.Same(t, "a client over its quota is allowed after a flood of others", false, take(0))
		refused := 0 // by chance: about 2 of 100 share a place with four others or more
		for i := range 1000 {
			if !take(2*maxClients + i) {
				refused++
			}
		}
		expect.AtMost(t, "of 1000 new clients are refused after a flood", 100, refused)
		time.Sleep(contract.AskPolicy.Window)
		take(0)
		time.Sleep(contract.AskPolicy.Window - time.Second)
		for range contract.AskPolicy.Quota {
			take(-1)
		}
		time.Sleep(time.Second)
		expect.Same(t, "a client over its quota is allowed when there is room again", false, take(-1))
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

func TestClientOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, one, other string
		same             bool
	}{
		{"IPv4", "192.0.2.1", "192.0.2.1", true},
		{"IPv4 neighbours", "192.0.2.1", "192.0.2.2", false},
		{"IPv4 written as IPv6", "192.0.2.1", "::ffff:192.0.2.1", true},
		{"IPv6 in one /64", "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true},
		{"IPv6 in two /64", "2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"zones", "fe80::1%eth0", "fe80::1%eth1", true},
	} {
		one, other := ClientOf(netip.MustParseAddr(tt.one)), ClientOf(netip.MustParseAddr(tt.other))
		expect.Same(t, tt.name+": "+tt.one+" and "+tt.other+" are one client", tt.same, one.Key() == other.Key())
	}
}
