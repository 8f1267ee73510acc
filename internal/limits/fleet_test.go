package limits

import (
	"cmp"
	"context"
	"hash/fnv"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

type parts []*part

type part struct {
	memory
	since time.Time // when it began to know everything that was decided since
}

func newParts(n int) parts {
	all := make(parts, n)
	for i := range all {
		all[i] = &part{since: time.Now()}
	}
	return all
}

// of is the server of a request's pool or client: the keys of one decision are together.
func (p parts) of(r Request) *part {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(cmp.Or(r.Pool, r.Client))) // it never fails
	return p[int(sum.Sum32())%len(p)]
}

func (p parts) Take(ctx context.Context, r Request) (Use, bool) { return p.of(r).Take(ctx, r) }

func (p *part) fate(random *rand.Rand) {
	p.down = !p.down
	if p.down {
		return
	}
	p.since = time.Now()
	if random.IntN(2) == 0 {
		p.logs = nil
	}
}

type fleetEvent struct {
	at       time.Time
	instance int
}

type member struct {
	client  Client
	request Request // without a policy
	quotas  map[string]int
}

// members are clients of their own, people whom one assistant names, and one whom it does not name.
func members(t *testing.T, policy contract.Policy) (all []member) {
	for i := range 8 {
		one := client(i)
		all = append(all, member{one, Request{Client: one.Key()}, map[string]int{one.Key(): policy.Quota}})
	}
	pools := testPools()
	for _, name := range []string{"ada", "grace", "edsger"} {
		one := ClientFrom(named(t, pools, inOpenAI, name))
		all = append(all, member{one, Request{Client: one.Key(), Pool: "openai"}, map[string]int{one.Key(): policy.Quota, "openai": policy.Pool}})
	}
	return append(all, member{pools.ClientOf(netip.MustParseAddr(inOpenAI)), Request{Pool: "openai"}, map[string]int{"openai": policy.Pool}})
}

// The claims of docs/scale.md for a split store whose servers fail: a client, and a pool, never gets more than its
// quota from each instance, exactly that while its server is down, and exactly its quota from all together from one
// window after it has come back. A slot that is given back was never taken.
func TestFleet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const instances, servers, steps = 8, 4, 60_000
		policy, random := contract.AskPolicy, rand.New(rand.NewPCG(8, 8))
		policy.Pool = 8 // less than its people could use up
		store, callers := newParts(servers), members(t, policy)
		var fleet [instances]*Limiter
		for i := range fleet {
			fleet[i] = New(policy, store)
		}
		accepted := map[string][]fleetEvent{}
		var givingBack []func() // undoes one of accepted
		exact, local := 0, 0
		for step := range steps {
			time.Sleep(time.Duration(random.Int64N(int64(150 * time.Millisecond))))
			if step%4000 == 0 {
				store[random.IntN(servers)].fate(random)
			}
			for len(givingBack) > 0 && random.IntN(20) == 0 {
				givingBack[0]()
				givingBack = givingBack[1:]
			}
			who, where := callers[random.IntN(len(callers))], random.IntN(instances)
			server := store.of(who.request)
			here, everywhere := true, true // room for one more
			for name, quota := range who.quotas {
				accepted[name] = slices.DeleteFunc(accepted[name], func(e fleetEvent) bool { return time.Since(e.at) >= policy.Window })
				here = here && count(accepted[name], where) < quota
				everywhere = everywhere && len(accepted[name]) < quota
			}
			got := fleet[where].Take(WithClient(t.Context(), who.client))
			switch {
			case server.down:
				local++
				if got.Allowed != here {
					t.Fatalf("step %d: %v without a store, room at instance %d: %v: %+v", step, who.quotas, where, here, got)
				}
			case time.Since(server.since) >= policy.Window:
				exact++
				if got.Allowed != everywhere {
					t.Fatalf("step %d: %v, room in a store that knows them all: %v: %+v", step, who.quotas, everywhere, got)
				}
			}
			if !got.Allowed && (got.RetryAfter < time.Second || got.RetryAfter > policy.Window || got.RetryAfter%time.Second != 0) {
				t.Fatalf("step %d: RetryAfter = %v", step, got.RetryAfter)
			}
			event := fleetEvent{time.Now(), where}
			if got.Allowed && random.IntN(4) == 0 {
				givingBack = append(givingBack, func() {
					got.GiveBack(t.Context())
					for name := range who.quotas {
						if i := slices.Index(accepted[name], event); i >= 0 {
							accepted[name] = slices.Delete(accepted[name], i, i+1)
						}
					}
				})
			}
			for name, quota := range who.quotas {
				if got.Allowed {
					accepted[name] = append(accepted[name], event)
				}
				if n := count(accepted[name], where); n > quota {
					t.Fatalf("step %d: instance %d accepted %d requests of %q in a window", step, where, n, name)
				}
			}
		}
		if exact < steps/4 || local < steps/20 {
			t.Errorf("of %d steps too few, %d and %d, were decided with and without a store", steps, exact, local)
		}
	})
}

func count(events []fleetEvent, instance int) (n int) {
	for _, e := range events {
		if e.instance == instance {
			n++
		}
	}
	return n
}

type memory struct {
	mu   sync.Mutex
	logs map[string][]time.Time
	down bool
}

func (m *memory) Take(_ context.Context, r Request) (use Use, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return Use{}, false
	}
	if m.logs == nil {
		m.logs = map[string][]time.Time{}
	}
	recent := func(key Key) []time.Time {
		m.logs[key.Name] = slices.DeleteFunc(m.logs[key.Name], func(at time.Time) bool { return time.Since(at) >= r.Policy.Window })
		return m.logs[key.Name]
	}
	use.Accepted, use.At = !r.Peek, time.Now().UnixNano()
	for _, key := range r.Keys() {
		if i := slices.IndexFunc(recent(key), func(at time.Time) bool { return at.UnixNano() == r.GiveBack }); i >= 0 {
			m.logs[key.Name] = slices.Delete(m.logs[key.Name], i, i+1)
		}
		use.Accepted = use.Accepted && len(recent(key)) < key.Policy.Quota
	}
	for _, key := range r.Keys() {
		if use.Accepted {
			m.logs[key.Name] = append(recent(key), time.Now())
		}
		count := Count{Used: len(recent(key))}
		if count.Used > 0 {
			count.Wait = r.Policy.Window - time.Since(m.logs[key.Name][0])
		}
		use.Counts = append(use.Counts, count)
	}
	return use, true
}

func (m *memory) set(down bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = down
}

// The longer of two waits counts: the instance remembers what it accepted while the store was down.
func TestWaitAfterOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		l := New(contract.ContactPolicy, store)
		store.set(true)
		for range contract.ContactPolicy.Quota {
			l.Take(WithClient(t.Context(), client(1)))
		}
		store.set(false)
		time.Sleep(20 * time.Second)
		other := New(contract.ContactPolicy, store)
		other.Take(WithClient(t.Context(), client(1)))
		refused := l.Take(WithClient(t.Context(), client(1))).Decision
		expect.Same(t, "past the instance's quota", refusedFor(contract.ContactPolicy, 40*time.Second), refused)
		time.Sleep(refused.RetryAfter)
		if !l.Take(WithClient(t.Context(), client(1))).Allowed {
			t.Error("a client that waited for RetryAfter is refused")
		}
	})
}
