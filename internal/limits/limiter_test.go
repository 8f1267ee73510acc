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
				time.Sleep(offset)
				for i := range policy.Quota {
					want := allowed(policy, policy.Quota-1-i)
					if got := limiter.Take(WithClient(t.Context(), client(1))).Decision; got != want {
						t.Fatalf("request %d: %+v, want %+v", i+1, got, want)
					}
				}
				time.Sleep(10 * time.Second)
				refused := limiter.Take(WithClient(t.Context(), client(1))).Decision
				if want := refusedFor(policy, policy.Window-10*time.Second); refused != want {
					t.Fatalf("one past the quota: %+v, want %+v", refused, want)
				}
				time.Sleep(refused.RetryAfter - time.Nanosecond)
				if early := limiter.Take(WithClient(t.Context(), client(1))); early.Allowed || early.RetryAfter != time.Second {
					t.Fatalf("a nanosecond early: %+v, want a refusal for 1s", early)
				}
				time.Sleep(time.Nanosecond)
				want := allowed(policy, policy.Quota-1)
				if got := limiter.Take(WithClient(t.Context(), client(1))).Decision; got != want {
					t.Fatalf("after waiting for RetryAfter: %+v, want %+v", got, want)
				}
			})
		}
	}
}

// TestFlood counts more than a million clients: memory stays bounded, a client that was counted before still is, and
// one that comes after them is served.
func TestFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := New(contract.AskPolicy, nil)
		for range contract.AskPolicy.Quota {
			limiter.Take(WithClient(t.Context(), client(0)))
		}
		before := heap()
		for i := range maxClients + 100_000 {
			limiter.Take(WithClient(t.Context(), client(i+1)))
		}
		if kept := heap() - before; kept > 200*maxClients {
			t.Errorf("the limiter keeps %d bytes for %d clients, want at most 200 for each", kept, maxClients)
		}
		expect.AtMost(t, "clients kept", maxClients+overflowBuckets, len(limiter.own.young.places)+len(limiter.own.old.places))
		if limiter.Take(WithClient(t.Context(), client(0))).Allowed {
			t.Error("a client over its quota is allowed again after a flood of others")
		}
		refused := 0 // by chance: about 2 of 100 share a place with four others or more
		for i := range 1000 {
			if !limiter.Take(WithClient(t.Context(), client(2*maxClients+i))).Allowed {
				refused++
			}
		}
		expect.AtMost(t, "of 1000 new clients are refused after a flood", 100, refused)
		time.Sleep(2 * contract.AskPolicy.Window)
		limiter.Take(WithClient(t.Context(), client(0)))
		expect.Same(t, "clients are kept two windows later", 1, len(limiter.own.young.places)+len(limiter.own.old.places))
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
