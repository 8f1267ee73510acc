package quota

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

// TestKeys looks at what Redis stores about a client: no address, nothing that outlives
// the window, and no hash tag, with which a proxy would not spread clients over servers.
func TestKeys(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	inside := direct(t, server)
	limits.NewShared(contract.AskPolicy, startShared(t, server)).Take(t.Context(), client(77))
	keys := inside.Keys(t.Context(), "*:ask:*").Val()
	if len(keys) != 1 || !strings.HasPrefix(keys[0], "frontdesk:") || strings.ContainsAny(keys[0], ".{") {
		t.Fatalf("keys = %q, want one with a hash and without a tag", keys)
	}
	if ttl := inside.PTTL(t.Context(), keys[0]).Val(); ttl <= 0 || ttl > contract.AskPolicy.Window {
		t.Errorf("the key expires in %v, want at most %v", ttl, contract.AskPolicy.Window)
	}
}

// openAI is a pool whose people are named.
func openAI(t *testing.T) *limits.Pools {
	pool, err := limits.ParsePool("openai=203.0.113.0/24")
	expect.OK(t, err)
	return limits.NewPools([]limits.Pool{pool}, nil, []byte("secret"))
}

// person is somebody for whom the assistant calls from one of its addresses, or nobody.
func person(t *testing.T, pools *limits.Pools, i int, name string) limits.Client {
	client := pools.ClientOf(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}))
	return limits.ClientFrom(limits.WithPerson(&limits.ClientContext{Context: t.Context(), Client: client}, name))
}

// TestPoolOfManyInstances has four instances ask for twenty people of one pool at once:
// of each person the quota passes at most, and of all together exactly the pool's.
func TestPoolOfManyInstances(t *testing.T) {
	t.Parallel()
	server, pools, policy := programs.Redis(t), openAI(t), contract.AskPolicy
	const instances, people, each = 4, 20, 3
	var allowed [people]atomic.Int32
	var group sync.WaitGroup
	for range instances {
		limiter := limits.NewShared(policy, startShared(t, server))
		for i := range people {
			client := person(t, pools, i, fmt.Sprint("person ", i))
			for range each {
				group.Go(func() {
					decision := limiter.Take(t.Context(), client)
					if decision.Allowed {
						allowed[i].Add(1)
					} else if decision.Policy.Quota != policy.Quota && decision.Policy.Quota != policy.Pool || decision.RetryAfter < policy.Window/2 {
						t.Errorf("a refusal just after the quotas were used up: %+v", decision)
					}
				})
			}
		}
	}
	group.Wait()
	sum := 0
	for i := range allowed {
		n := int(allowed[i].Load())
		sum += n
		if n > policy.Quota {
			t.Errorf("%d requests of person %d are allowed, want at most %d", n, i, policy.Quota)
		}
	}
	expect.Same(t, "requests of the pool", policy.Pool, sum)
}

// TestPoolKeys looks at what Redis stores about a pool: no name, one server behind a proxy
// that splits keys, and nothing of a request that was refused.
func TestPoolKeys(t *testing.T) {
	t.Parallel()
	server, pools := programs.Redis(t), openAI(t)
	inside, limiter := direct(t, server), limits.NewShared(contract.ContactPolicy, startShared(t, server))
	for i := range contract.ContactPolicy.Pool {
		limiter.Take(t.Context(), person(t, pools, i, fmt.Sprint("ada ", i/2)))
	}
	pool := "frontdesk:contact:{" + hashed("openai") + "}"
	full := inside.Get(t.Context(), pool).Val()
	for i := range 5 {
		if limiter.Take(t.Context(), person(t, pools, i, fmt.Sprint("late ", i))).Allowed {
			t.Error("a request past the pool's is allowed")
		}
	}
	expect.Same(t, "the pool after refusals", full, inside.Get(t.Context(), pool).Val())
	keys := inside.Keys(t.Context(), "*:contact:*").Val()
	expect.Same(t, "keys of the pool and its people", 1+contract.ContactPolicy.Pool/2, len(keys))
	for _, key := range keys {
		if !strings.HasPrefix(key, pool) || strings.Contains(key, "ada") {
			t.Errorf("key %q", key)
		}
		if ttl := inside.PTTL(t.Context(), key).Val(); ttl <= 0 || ttl > contract.ContactPolicy.Window {
			t.Errorf("%s expires in %v", key, ttl)
		}
	}
	left := limiter.Look(t.Context(), person(t, pools, 1, "late 1"))
	if left.Remaining != 0 || left.Policy != contract.ContactPolicy.OfPool() {
		t.Errorf("a person who has not asked yet has left %+v", left)
	}
}
