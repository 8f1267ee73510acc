package quota

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

func openAI(t *testing.T) *limits.Pools {
	pool := expect.Value(limits.ParsePool("openai=203.0.113.0/24"))(t)
	return limits.NewPools([]limits.Pool{pool}, nil, []byte("secret"))
}

// person returns a client at one of the assistant's addresses. With a name, it acts for that person.
func person(t *testing.T, pools *limits.Pools, i int, name string) limits.Client {
	client := pools.ClientOf(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}))
	return limits.ClientFrom(limits.WithPerson(limits.WithClient(t.Context(), client), name))
}

// Of each person at most the quota passes, of all together exactly the pool's.
func TestPoolOfManyInstances(t *testing.T) {
	t.Parallel()
	server, pools, policy := programs.Redis(t), openAI(t), contract.AskPolicy
	const instances, people, each = 4, 20, 3
	var allowed [people]atomic.Int32
	var group sync.WaitGroup
	for range instances {
		limiter := limits.New(policy, startShared(t, server))
		for i := range people {
			client := person(t, pools, i, fmt.Sprint("person ", i))
			for range each {
				group.Go(func() {
					decision := limiter.Take(limits.WithClient(t.Context(), client))
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
		expect.AtMost(t, fmt.Sprint("requests of person ", i), policy.Quota, n)
	}
	expect.Same(t, "requests of the pool", policy.Pool, sum)
}

// Redis stores no address, no name, nothing beyond the window and nothing of a refused request. A proxy that splits
// keys keeps a pool and its people together, and spreads other clients.
func TestKeys(t *testing.T) {
	t.Parallel()
	server, pools, policy := programs.Redis(t), openAI(t), contract.ContactPolicy
	inside, limiter := direct(t, server), limits.New(policy, startShared(t, server))
	for i := range policy.Pool {
		limiter.Take(limits.WithClient(t.Context(), person(t, pools, i, fmt.Sprint("ada ", i/2))))
	}
	pool := "frontdesk:contact:{" + hashed("openai") + "}"
	full := inside.Get(t.Context(), pool).Val()
	for i := range 5 {
		if limiter.Take(limits.WithClient(t.Context(), person(t, pools, i, fmt.Sprint("late ", i)))).Allowed {
			t.Error("a request past the pool's is allowed")
		}
	}
	expect.Same(t, "the pool after refusals", full, inside.Get(t.Context(), pool).Val())
	limiter.Take(limits.WithClient(t.Context(), client(77)))
	keys, ofPool := inside.Keys(t.Context(), "*:contact:*").Val(), 0
	for _, key := range keys {
		if strings.HasPrefix(key, pool) {
			ofPool++
		} else if !strings.HasPrefix(key, "frontdesk:contact:") || strings.ContainsAny(key, ".{") {
			t.Errorf("a client's key: %q", key)
		}
		if ttl := inside.PTTL(t.Context(), key).Val(); ttl <= 0 || ttl > policy.Window || strings.Contains(key, "ada") {
			t.Errorf("%q expires in %v", key, ttl)
		}
	}
	expect.Same(t, "keys of the pool, and all", []int{1 + policy.Pool/2, 2 + policy.Pool/2}, []int{ofPool, len(keys)})
	left := limiter.Peek(limits.WithClient(t.Context(), person(t, pools, 1, "late 1")))
	expect.Same(t, "a person who has not asked yet has left",
		[]any{0, policy.OfPool()}, []any{left.Remaining, left.Policy})
}

// The very slot is given back that was taken: a later one would let through more than the quota in a window.
func TestGiveBack(t *testing.T) {
	t.Parallel()
	server, policy := programs.Redis(t), contract.ContactPolicy
	inside, limiter := direct(t, server), limits.New(policy, startShared(t, server))
	ctx := limits.WithClient(t.Context(), person(t, openAI(t), 1, "ada"))
	pool := "frontdesk:contact:{" + hashed("openai") + "}"
	keys := []string{pool, pool + ":" + hashed(limits.ClientFrom(ctx).Key())}
	slots := []limits.Slot{limiter.Take(ctx), limiter.Take(ctx), limiter.Take(ctx)}
	for _, key := range keys {
		expect.Same(t, key+": taken", len(slots), len(strings.Fields(inside.Get(t.Context(), key).Val())))
	}
	before := inside.MGet(t.Context(), keys...).Val()
	slots[1].GiveBack(ctx)
	expect.Same(t, "left", 1, slots[1].Remaining)
	for i, after := range inside.MGet(t.Context(), keys...).Val() {
		times := strings.Fields(before[i].(string))
		expect.Same(t, keys[i], times[0]+" "+times[2], after.(string))
	}
	slots[0].GiveBack(ctx)
	slots[2].GiveBack(ctx)
	expect.Same(t, "left of all", policy.Quota, slots[2].Remaining)
	wantQuota(t, limiter, limits.ClientFrom(ctx))
}

// Where Redis refuses its clock to a user, the caller's is used. Setting it back costs no more than a window.
func TestClock(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	try(t, direct(t, server), "ACL", "SETUSER", "desk", "on", ">p#/w", "~frontdesk:*", "+@all", "-time")
	store := startInstance(t, "redis://desk:p%23%2Fw@"+server.Addr+"/3", patient)
	store.log.next(t, saysShared)
	const second, noon = int64(1_000_000), int64(1_800_000_000_000_000)
	const window = 60 * second
	for i, step := range []struct {
		now                 int64
		accepted, used, age int64
	}{
		{noon, 1, 1, 0},
		{noon + 1, 1, 2, 1},
		{noon + 2, 0, 2, 2},
		{noon + window - 1, 0, 2, window - 1},
		{noon + window, 1, 2, window - 1},
		{noon + window + 1, 1, 2, 1},
		{noon - 3600*second, 0, 2, 0}, // an hour back
		{noon - 3590*second, 0, 2, 10 * second},
		{noon - 3540*second, 1, 1, 0},
	} {
		got, ok := store.call(t.Context(), windowScript, []string{"short:clock"}, window, step.now, 2, 0)
		if want := []int64{step.accepted, step.now, step.used, step.age}; !ok || !slices.Equal(got, want) {
			t.Fatalf("step %d: %v, %v; want %+v", i, got, ok, step)
		}
	}
}
