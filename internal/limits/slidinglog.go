package limits

import (
	"hash/maphash"
	"slices"
	"time"

	"frontdesk/contract"
)

// Bounds of a limiter's memory. In a window, up to maxClients clients are counted
// separately; after that, new ones share overflowBuckets, which may refuse a client
// too early but never lets more through. This takes at most some 200 MB, which are
// released when two windows have passed.
const (
	maxClients      = 1 << 20
	overflowBuckets = 1 << 16
)

// hits are the times of a client's latest accepted requests, oldest first, as time
// since the log began. Zero marks a free place.
type hits [contract.MaxQuota]time.Duration

// slidingLog counts exactly: it remembers when each accepted request came. It
// implements httprate.LimitCounter. The Limiter locks it.
//
// Clients live in two generations. A new generation begins when a window has passed;
// the one before the last then holds only requests that no longer count, and is
// dropped whole.
type slidingLog struct {
	window time.Duration
	began  time.Time // carries a monotonic reading: steps of the wall clock do not matter
	seed   maphash.Seed

	young, old map[uint64]hits
	youngSince time.Duration
	now        time.Duration // of the current decision, since the log began
}

func newSlidingLog() *slidingLog {
	return &slidingLog{began: time.Now(), seed: maphash.MakeSeed(), young: map[uint64]hits{}}
}

// begin sets the time of the next decision: everything until the next begin happens
// at this moment.
func (s *slidingLog) begin() time.Duration {
	s.now = time.Since(s.began) + 1 // never zero, which marks a free place
	s.rotate()
	return s.now
}

// Config takes the window from the rate limiter.
func (s *slidingLog) Config(_ int, window time.Duration) { s.window = window }

// Get returns the exact number of requests in the window that ends now, and 0 for the
// window before it, so that httprate has nothing to estimate.
func (s *slidingLog) Get(key string, _, _ time.Time) (current, previous int, err error) {
	_, client := s.find(key)
	return client.count(), 0, nil
}

// Increment records one accepted request.
func (s *slidingLog) Increment(key string, window time.Time) error {
	return s.IncrementBy(key, window, 1)
}

// IncrementBy records accepted requests.
func (s *slidingLog) IncrementBy(key string, _ time.Time, amount int) error {
	for range amount {
		s.add(key)
	}
	return nil
}

// add records one accepted request; there must be a free place for it.
func (s *slidingLog) add(key string) {
	id, client := s.find(key)
	client[client.count()] = s.now
	s.put(id, client)
}

// oldest is the time of the oldest request of a client that still counts.
func (s *slidingLog) oldest(key string) time.Duration {
	_, client := s.find(key)
	return client[0]
}

// remove forgets the request of a client that came at a time.
func (s *slidingLog) remove(key string, at time.Duration) {
	id, client := s.find(key)
	i := slices.Index(client[:], at)
	if i < 0 {
		return
	}
	copy(client[i:], client[i+1:])
	client[len(client)-1] = 0
	s.put(id, client)
}

func (s *slidingLog) put(id uint64, client hits) {
	delete(s.old, id)
	s.young[id] = client
}

// find returns the id of a client and its requests that are in the window.
func (s *slidingLog) find(key string) (uint64, hits) {
	id := maphash.String(s.seed, key)
	client, known := s.lookup(id)
	if !known && len(s.young)+len(s.old) >= maxClients {
		id %= overflowBuckets
		client, _ = s.lookup(id)
	}
	return id, client.since(s.now - s.window)
}

func (s *slidingLog) lookup(id uint64) (hits, bool) {
	if client, ok := s.young[id]; ok {
		return client, true
	}
	client, ok := s.old[id]
	return client, ok
}

// count is how many requests there are.
func (h *hits) count() int {
	n := 0
	for n < len(h) && h[n] != 0 {
		n++
	}
	return n
}

// since drops the requests that have left the window. A request that came exactly one
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
	age := s.now - s.youngSince
	if age < s.window {
		return
	}
	s.old = s.young
	if age >= 2*s.window {
		s.old = nil
	}
	s.young = map[uint64]hits{}
	s.youngSince = s.now
}
