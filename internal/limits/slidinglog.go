package limits

import (
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/go-chi/httprate"
)

// Bounds of a log's memory. In a window, up to maxClients keys are counted separately;
// after that, new ones share overflowBuckets, which may refuse a client too early but
// never lets more through. This takes some 50 MB, or 200 when all of them use their whole
// quota, which are released when two windows have passed.
const (
	maxClients      = 1 << 20
	overflowBuckets = 1 << 16
)

// slidingLog counts exactly: it remembers when each accepted request of a key came.
//
// It is the counter of a limiter of httprate, which compares it with the quota. The rest of
// httprate does not fit: its headers and its Retry-After, which is always the whole window,
// are not the contract's; its handler would have to run before the body is read, while dry
// runs take no slot; and MCP tools take slots without a request of their own.
//
// Keys live in two generations. A new generation begins when a window has passed; the one
// before the last then holds only requests that no longer count, and is dropped whole.
type slidingLog struct {
	rate   *httprate.RateLimiter
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

func newSlidingLog(quota int, window time.Duration) *slidingLog {
	s := &slidingLog{began: time.Now(), seed: maphash.MakeSeed(), young: generation{places: map[uint64]place{}}}
	s.rate = httprate.NewRateLimiter(quota, window, httprate.WithLimitCounter(s))
	return s
}

// take adds a request to each of its keys when each has room for it, and returns the time
// of the decision. With look it adds nothing and refuses nothing.
func (s *slidingLog) take(keys []Key, look bool) (use Use, now time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin()
	use = Use{Accepted: true, Counts: make([]Count, len(keys))}
	for i, key := range keys {
		use.Counts[i] = s.count(key.Name)
		use.Accepted = use.Accepted && (look || use.Counts[i].Used < key.Policy.Quota)
	}
	for i, key := range keys {
		if use.Accepted && !look {
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

// Get returns the exact number of requests in the window that ends now, and 0 for the
// window before it, so that httprate has nothing to estimate.
func (s *slidingLog) Get(key string, _, _ time.Time) (current, previous int, err error) {
	_, times := s.recent(key)
	return len(times), 0, nil
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

// count is how many requests of a key are in the window, and how long until the oldest of
// them leaves it.
func (s *slidingLog) count(key string) (c Count) {
	_, rate, _ := s.rate.Status(key) // Get never fails
	if c.Used = int(rate); c.Used > 0 {
		_, times := s.recent(key)
		c.Wait = times[0] + s.window - s.now
	}
	return c
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
