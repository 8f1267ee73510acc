// Package limits applies the rate limits of the contract (section 8): at most N
// requests of one client in any 60 seconds, and a client that waits for the time it
// was given is accepted.
//
// One Limiter serves all routes of a policy on every face of the service: a
// middleware for HTTP, the core after a dry run has been answered, the tools of MCP.
//
// With a Shared store all instances of the service count together. The store decides;
// while it cannot be reached, each instance decides by itself.
package limits

import (
	"context"
	"hash/maphash"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-chi/httprate"

	"frontdesk/contract"
	"frontdesk/internal/span"
)

// Limiter applies one policy to all clients. It is safe for concurrent use.
type Limiter struct {
	policy contract.Policy
	own    *slidingLog // of this instance
	shared Shared      // nil when the instance decides by itself
}

// Shared counts requests for all instances of the service. quota.Store implements it.
type Shared interface {
	// Take takes a slot of each key of the request when each has one, and otherwise none.
	// ok is false when the store cannot be reached.
	Take(ctx context.Context, request Request) (use Use, ok bool)
}

// Request is what a request counts against: a client, its pool, or both.
type Request struct {
	Policy       contract.Policy
	Client, Pool string // their keys; one may be empty
	Peek         bool   // takes no slot
	GiveBack     int64  // the Use.At of a slot that is given back; 0 for none
}

// Key is one of the keys of a request, with the policy of the client or of the pool.
type Key struct {
	Name   string
	Policy contract.Policy
}

// Keys returns the keys that are not empty, the client's first.
func (r Request) Keys() (keys []Key) {
	if r.Client != "" {
		keys = append(keys, Key{r.Client, r.Policy})
	}
	if r.Pool != "" {
		keys = append(keys, Key{"pool " + r.Pool, r.Policy.OfPool()})
	}
	return keys
}

// Use is what is known about the keys of a request.
type Use struct {
	Accepted bool
	At       int64   // identifies the slot in a Shared store
	Counts   []Count // of Request.Keys
}

// Count is the requests of a key in the window.
type Count struct {
	Used int           // including this one when it is accepted
	Wait time.Duration // until the oldest of them leaves the window, when it is full
}

// Decision is the outcome of one request under a policy.
type Decision struct {
	Allowed   bool
	Policy    contract.Policy // the client's or its pool's, of which less is left; zero without a limit
	Remaining int             // requests left in the window, 0 when refused
	// RetryAfter is how long a refused client must wait to be accepted: whole
	// seconds, from 1 to the window. It is zero when the request is allowed.
	RetryAfter time.Duration
}

// New returns a limiter for a policy. With a shared store, requests are counted for all
// instances; while the store cannot be reached, and without one, the instance decides by
// itself.
//
// Every request takes a slot of the instance first and then one of the store, and
// returns the first when the store refuses. So no instance ever accepts more than the
// quota in a window, not even when the store fails, comes back or loses its data.
func New(policy contract.Policy, shared Shared) *Limiter {
	return &Limiter{policy: policy, own: newSlidingLog(policy), shared: shared}
}

// Policy returns the policy that l applies.
func (l *Limiter) Policy() contract.Policy { return l.policy }

// Take takes a slot for one request of the client of ctx, and one of its pool. A refused request
// takes none.
func (l *Limiter) Take(ctx context.Context) Slot { return l.decide(ctx, ClientFrom(ctx), false) }

// Peek returns what the client of ctx has left, and takes nothing.
func (l *Limiter) Peek(ctx context.Context) Decision {
	return l.decide(ctx, ClientFrom(ctx), true).Decision
}

// Slot is the answer to a request for a slot. A slot that was taken can be given back.
type Slot struct {
	Decision
	limiter *Limiter
	client  Client
	own     time.Duration // when the instance counted it
	shared  int64         // Use.At of the store; 0 if the store did not count it
}

// GiveBack gives back a slot that was taken. Decision is then what the client has left. If
// the store cannot be reached, it counts the slot until its window has passed.
func (s *Slot) GiveBack(ctx context.Context) {
	r := s.limiter.request(s.client)
	if s.shared != 0 {
		r.Peek, r.GiveBack = true, s.shared
		_, _ = s.limiter.askStore(ctx, r)
	}
	s.limiter.own.giveBack(r.Keys(), s.own)
	s.Decision = s.limiter.decide(ctx, s.client, true).Decision
}

func (l *Limiter) decide(ctx context.Context, client Client, peek bool) Slot {
	r, slot := l.request(client), Slot{limiter: l, client: client}
	keys := r.Keys()
	if len(keys) == 0 {
		slot.Allowed = true
		return slot
	}
	own, at := l.own.take(keys, peek)
	slot.own, slot.Decision = at, outcome(keys, own)
	if l.shared == nil {
		return slot
	}
	r.Peek = peek || !own.Accepted // a client that is refused here still learns how long to wait
	all, ok := l.askStore(ctx, r)
	if !ok {
		return slot
	}
	if !own.Accepted {
		slot.RetryAfter = max(slot.RetryAfter, outcome(keys, all).RetryAfter)
		return slot
	}
	if !peek && !all.Accepted {
		l.own.giveBack(keys, at)
	}
	all.Accepted = all.Accepted || peek
	slot.Decision, slot.shared = outcome(keys, all), all.At
	return slot
}

func (l *Limiter) askStore(ctx context.Context, r Request) (use Use, ok bool) {
	defer span.Since(ctx, span.Redis, time.Now())
	return l.shared.Take(ctx, r)
}

// request returns what a request of a client counts against. It has no keys for a client
// without a limit. A policy without pools counts every client by itself.
func (l *Limiter) request(client Client) Request {
	r, pool := Request{Policy: l.policy}, client.pool
	switch {
	case l.policy.Pool == 0:
		pool = nil
	case client.exempt:
		return r
	}
	if pool == nil || client.isNamed() {
		r.Client = client.Key()
	}
	if pool != nil {
		r.Pool = pool.Name
	}
	return r
}

// outcome returns the decision that follows from a use.
func outcome(keys []Key, use Use) Decision {
	d := Decision{Allowed: use.Accepted}
	for i, key := range keys {
		left := max(0, key.Policy.Quota-use.Counts[i].Used)
		if i == 0 || left < d.Remaining {
			d.Policy, d.Remaining = key.Policy, left
		}
		if left == 0 {
			d.RetryAfter = max(d.RetryAfter, use.Counts[i].Wait)
		}
	}
	if d.Allowed {
		d.RetryAfter = 0
		return d
	}
	seconds := (d.RetryAfter + time.Second - 1) / time.Second // rounded up, so that it is never too short
	d.Remaining, d.RetryAfter = 0, min(max(seconds, 1)*time.Second, d.Policy.Window)
	return d
}

// Refusal returns the error of a refused request; nil for an allowed one.
func (d Decision) Refusal() error {
	if d.Allowed {
		return nil
	}
	return d.Policy.Exceeded(d.RetryAfter)
}

// SetOutcome is SetHeaders for a request whose slot the core takes. A request that the core
// refused as invalid has no headers of the limit.
func (d Decision) SetOutcome(h http.Header, err error) {
	if err == nil || contract.AsError(err).Code != contract.InvalidRequest {
		d.SetHeaders(h)
	}
}

// SetHeaders sets the policy and the number of remaining requests on an answer. A client
// without a limit gets neither.
func (d Decision) SetHeaders(h http.Header) {
	if d.Policy == (contract.Policy{}) {
		return
	}
	h.Set(contract.HeaderRateLimitPolicy, d.Policy.Header())
	h.Set(contract.HeaderRateLimit, d.Policy.Remaining(d.Remaining))
}

// Bounds of a log's memory. In a window, up to maxClients keys are counted separately;
// after that, new ones share overflowBuckets, which may refuse a client too early but
// never lets more through. The counts of a bucket are kept for its clients, so this also
// holds for new ones until one window after such a flood. This takes some 50 MB, or 200
// when all of them use their whole quota, which are released when two windows have passed.
const (
	maxClients      = 1 << 20
	overflowBuckets = 1 << 16
)

// slidingLog counts exactly: it remembers when each accepted request of a key came. It is
// the counter of httprate, whose verdict on each key decides.
//
// A request of a person in a pool takes a slot of both keys or of none. httprate counts a
// key as soon as it allows it, so take asks for the verdicts first and counts afterwards.
//
// httprate's handler is not used: its Retry-After is always the whole window, and dry runs,
// which take no slot, are known only after the body is read.
//
// Keys live in two generations. A new generation begins when a window has passed; the older
// one then holds only requests that no longer count, and is dropped.
type slidingLog struct {
	rates  map[int]*httprate.RateLimiter // by quota: the client's and the pool's
	window time.Duration
	began  time.Time // carries a monotonic reading: steps of the wall clock do not matter
	seed   maphash.Seed

	mu         sync.Mutex    // held over a decision and its outcome, so that no two report the same remainder
	now        time.Duration // since began, of the current decision
	young, old generation
	youngSince time.Duration
}

// generation has the times of the accepted requests of each key, oldest first. It is
// without pointers, so that the garbage collector does not visit each of a million clients
// while they send requests.
type generation struct {
	places map[uint64]place // of a key in times
	times  []time.Duration  // a key that gets another request moves to the end
}

type place struct{ start, end uint32 }

func newSlidingLog(policy contract.Policy) *slidingLog {
	s := &slidingLog{began: time.Now(), seed: maphash.MakeSeed(), young: generation{places: map[uint64]place{}}}
	counter := httprate.WithLimitCounter(s)
	s.rates = map[int]*httprate.RateLimiter{
		policy.Quota: httprate.NewRateLimiter(policy.Quota, policy.Window, counter),
		policy.Pool:  httprate.NewRateLimiter(policy.Pool, policy.Window, counter),
	}
	return s
}

// take adds a request to each of its keys when each has room for it, and returns the time
// of the decision. With peek it adds nothing and refuses nothing.
func (s *slidingLog) take(keys []Key, peek bool) (use Use, now time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin()
	use = Use{Accepted: true, Counts: make([]Count, len(keys))}
	for i, key := range keys {
		allowed, rate, _ := s.rates[key.Policy.Quota].Status(key.Name) // Get never fails
		use.Accepted = use.Accepted && (peek || allowed)
		use.Counts[i] = Count{Used: int(rate) - 1}
		if _, times := s.recent(key.Name); len(times) > 0 {
			use.Counts[i].Wait = times[0] + s.window - s.now
		}
	}
	for i, key := range keys {
		if use.Accepted && !peek {
			_ = s.Increment(key.Name, time.Time{}) // never fails; the log has the time
			use.Counts[i].Used++
		}
	}
	return use, s.now
}

// giveBack removes a request that take has added at a time.
func (s *slidingLog) giveBack(keys []Key, at time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin()
	for _, key := range keys {
		id, times := s.recent(key.Name)
		if i := slices.Index(times, at); i >= 0 {
			s.set(id, times[:i], times[i+1:]...)
		}
	}
}

// Config takes the window from the rate limiter.
func (s *slidingLog) Config(_ int, window time.Duration) { s.window = window }

// Get returns how many requests there are in the window that ends now, with the one that
// asks, and 0 for the window before it, so that httprate has nothing to estimate.
func (s *slidingLog) Get(key string, _, _ time.Time) (current, previous int, err error) {
	_, times := s.recent(key)
	return len(times) + 1, 0, nil
}

// Increment records one accepted request.
func (s *slidingLog) Increment(key string, _ time.Time) error {
	id, times := s.recent(key)
	s.set(id, times, s.now)
	return nil
}

// IncrementBy is part of httprate's interface. Nothing calls it: take counts requests one by one.
func (s *slidingLog) IncrementBy(string, time.Time, int) error { return nil }

// set replaces the times of a key.
func (s *slidingLog) set(id uint64, times []time.Duration, more ...time.Duration) {
	start := len(s.young.times)
	s.young.times = append(append(s.young.times, times...), more...)
	s.young.places[id] = place{uint32(start), uint32(len(s.young.times))}
	delete(s.old.places, id)
}

// begin sets the time of a decision.
func (s *slidingLog) begin() {
	s.now = time.Since(s.began)
	age := s.now - s.youngSince
	if age < s.window {
		return
	}
	s.old = s.young
	if age >= 2*s.window {
		s.old = generation{}
	}
	s.young, s.youngSince = generation{places: map[uint64]place{}}, s.now
}

// recent returns the id of a key, and the times of its requests in the window. A request
// that came exactly one window ago has left it.
func (s *slidingLog) recent(key string) (id uint64, times []time.Duration) {
	id = maphash.String(s.seed, key)
	times, known := s.lookup(id)
	if !known { // a bucket may have counted it while there was no room
		times, _ = s.lookup(id % overflowBuckets)
		if len(s.young.places)+len(s.old.places) >= maxClients {
			id %= overflowBuckets
		}
	}
	for len(times) > 0 && times[0] <= s.now-s.window {
		times = times[1:]
	}
	return id, times
}

func (s *slidingLog) lookup(id uint64) (times []time.Duration, known bool) {
	for _, g := range []*generation{&s.young, &s.old} {
		if at, known := g.places[id]; known {
			return g.times[at.start:at.end], true
		}
	}
	return nil, false
}
