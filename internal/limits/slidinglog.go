package limits

import (
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/go-chi/httprate"

	"frontdesk/contract"
)

// Bounds of a log's memory. In a window, up to maxClients keys are counted separately;
// after that, new ones share overflowBuckets, which may refuse a client too early but
// never lets more through. This takes some 50 MB, or 200 when all of them use their whole
// quota, which are released when two windows have passed.
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

// IncrementBy records accepted requests.
func (s *slidingLog) IncrementBy(key string, window time.Time, amount int) error {
	for range amount {
		_ = s.Increment(key, window) // never fails
	}
	return nil
}

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
	if !known && len(s.young.places)+len(s.old.places) >= maxClients {
		id %= overflowBuckets
		times, _ = s.lookup(id)
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
