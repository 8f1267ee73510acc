package limits

import (
	"hash/maphash"
	"slices"
	"time"

	"frontdesk/contract"
)

// Bounds of a limiter's memory. Up to maxClients are told apart in a window;
// beyond that, new ones share overflowBuckets, which errs towards refusing and
// never towards letting more through. Some 120 MB at the most, given back when
// two windows have passed.
const (
	maxClients      = 1 << 20
	overflowBuckets = 1 << 16
)

// hits are the times of a client's latest accepted requests, oldest first, as
// time since the log began. Zero marks a free place.
type hits [contract.MaxQuota]time.Duration

// slidingLog counts exactly: it remembers when each accepted request came. It
// implements httprate.LimitCounter. Its owner locks it.
//
// Clients live in two generations. A new generation begins when a window has
// passed; the one before the last then holds only requests that no longer count,
// and is dropped whole.
type slidingLog struct {
	window time.Duration
	began  time.Time // carries a monotonic reading: steps of the wall clock do not matter
	seed   maphash.Seed

	young, old map[uint64]hits
	youngSince time.Duration
	visit      visit
}

// visit is the client that a decision is about, found once: httprate asks for its
// requests, adds one, and the limiter looks at the outcome, all under one lock.
type visit struct {
	id   uint64
	at   time.Duration
	hits hits
}

func newSlidingLog() *slidingLog {
	return &slidingLog{began: time.Now(), seed: maphash.MakeSeed(), young: map[uint64]hits{}}
}

// Config takes the window from the rate limiter, which alone knows the limit.
func (s *slidingLog) Config(_ int, window time.Duration) { s.window = window }

// begin finds the client of the decision that httprate is going to make.
func (s *slidingLog) begin(key string) {
	s.rotate()
	s.visit.at = s.now()
	s.visit.id, s.visit.hits = s.find(key, s.visit.at)
}

// Get returns the exact number of requests in the window that ends now, and 0
// for the window before it: so httprate has no past window to weight.
func (s *slidingLog) Get(string, time.Time, time.Time) (current, previous int, err error) {
	return s.visit.hits.count(), 0, nil
}

// Increment notes one accepted request.
func (s *slidingLog) Increment(key string, window time.Time) error {
	return s.IncrementBy(key, window, 1)
}

// IncrementBy notes accepted requests.
func (s *slidingLog) IncrementBy(_ string, _ time.Time, amount int) error {
	v := &s.visit
	for i := range v.hits {
		if v.hits[i] == 0 && amount > 0 {
			v.hits[i] = v.at
			amount--
		}
	}
	delete(s.old, v.id)
	s.young[v.id] = v.hits
	return nil
}

// count is how many requests there are.
func (h *hits) count() int {
	n := 0
	for n < len(h) && h[n] != 0 {
		n++
	}
	return n
}

// remove forgets the request of a client that came at a time.
func (s *slidingLog) remove(key string, at time.Duration) {
	id, client := s.find(key, s.now())
	i := slices.Index(client[:], at)
	if i < 0 {
		return
	}
	copy(client[i:], client[i+1:])
	client[len(client)-1] = 0
	delete(s.old, id)
	s.young[id] = client
}

// find returns the id of a client and its requests that are still in the window at
// a time.
func (s *slidingLog) find(key string, now time.Duration) (uint64, hits) {
	id := maphash.String(s.seed, key)
	client, known := s.lookup(id)
	if !known && len(s.young)+len(s.old) >= maxClients {
		id %= overflowBuckets
		client, _ = s.lookup(id)
	}
	return id, client.since(now - s.window)
}

func (s *slidingLog) lookup(id uint64) (hits, bool) {
	if client, ok := s.young[id]; ok {
		return client, true
	}
	client, ok := s.old[id]
	return client, ok
}

// since drops the requests that have left the window. One that came exactly a
// window ago has left it.
func (h *hits) since(start time.Duration) hits {
	var kept hits
	n := 0
	for _, at := range h {
		if at != 0 && at > start {
			kept[n] = at
			n++
		}
	}
	return kept
}

// rotate begins a new generation when a window has passed.
func (s *slidingLog) rotate() {
	age := s.now() - s.youngSince
	if age < s.window {
		return
	}
	s.old = s.young
	if age >= 2*s.window {
		s.old = nil
	}
	s.young = map[uint64]hits{}
	s.youngSince = s.now()
}

// now is the time since the log began, at least one nanosecond.
func (s *slidingLog) now() time.Duration { return time.Since(s.began) + 1 }
