package limits

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
)

// parts is a store whose clients are split over servers that fail independently.
type parts []*part

type part struct {
	clients map[string]*memory
	down    bool
	since   time.Time // when it began to know everything that was decided since
}

func newParts(n int) parts {
	all := make(parts, n)
	for i := range all {
		all[i] = &part{clients: map[string]*memory{}, since: time.Now()}
	}
	return all
}

func (p parts) of(client string) *part {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(client)) // it never fails
	return p[int(sum.Sum32())%len(p)]
}

func (p parts) Take(ctx context.Context, policy contract.Policy, client string, quota int) (Use, bool) {
	server := p.of(client)
	if server.down {
		return Use{}, false
	}
	if server.clients[client] == nil {
		server.clients[client] = &memory{}
	}
	return server.clients[client].Take(ctx, policy, client, quota)
}

// fate makes a server fail, come back, or come back empty.
func (p *part) fate(random *rand.Rand) {
	p.down = !p.down
	if p.down {
		return
	}
	p.since = time.Now()
	if random.IntN(2) == 0 {
		p.clients = map[string]*memory{}
	}
}

// fleetEvent is an accepted request.
type fleetEvent struct {
	at       time.Time
	instance int
}

// TestFleet simulates many instances over a split store whose servers fail one by one:
// the claims of docs/scale.md. A client never gets more than its quota from each
// instance, exactly that from an instance whose server is down, and exactly its quota
// from all of them together from one window after its server has come back.
func TestFleet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const instances, servers, callers, steps = 8, 4, 12, 60_000
		policy, random := contract.AskPolicy, rand.New(rand.NewPCG(8, 8))
		store := newParts(servers)
		var fleet [instances]*Limiter
		for i := range fleet {
			fleet[i] = NewShared(policy, store)
		}
		accepted := map[int][]fleetEvent{}
		exact, local := 0, 0
		for step := range steps {
			time.Sleep(time.Duration(random.Int64N(int64(150 * time.Millisecond))))
			if step%4000 == 0 {
				store[random.IntN(servers)].fate(random)
			}
			who, where := random.IntN(callers), random.IntN(instances)
			server := store.of(client(who).key())
			recent := slices.DeleteFunc(accepted[who], func(e fleetEvent) bool { return time.Since(e.at) >= policy.Window })
			got := fleet[where].Take(t.Context(), client(who))
			switch {
			case server.down:
				local++
				if got.Allowed != (count(recent, where) < policy.Quota) {
					t.Fatalf("step %d: client %d without a store, with %d requests of the window at instance %d: %+v", step, who, count(recent, where), where, got)
				}
			case time.Since(server.since) >= policy.Window:
				exact++
				if got.Allowed != (len(recent) < policy.Quota) {
					t.Fatalf("step %d: client %d with %d requests in the window of a store that knows them all: %+v", step, who, len(recent), got)
				}
			}
			if !got.Allowed && (got.RetryAfter < time.Second || got.RetryAfter > policy.Window || got.RetryAfter%time.Second != 0) {
				t.Fatalf("step %d: RetryAfter = %v, want whole seconds of the window", step, got.RetryAfter)
			}
			if got.Allowed {
				recent = append(recent, fleetEvent{time.Now(), where})
			}
			if n := count(recent, where); n > policy.Quota {
				t.Fatalf("step %d: instance %d accepted %d requests of client %d in a window", step, where, n, who)
			}
			accepted[who] = recent
		}
		if exact < steps/4 || local < steps/20 {
			t.Errorf("of %d steps %d were decided by a store that knows all and %d without a store: too few of one kind", steps, exact, local)
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
