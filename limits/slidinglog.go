package limits

import (
	"hash/maphash"
	"slices"
	"time"

	"frontdesk/contract"
)

// Bounds of a limiter's memory. Up to maxClients are told apart in a window;
// beyond that, new ones share overflowBuckets, which errs towards refusing and
// never towards letting more through. Some 80 MiB at the most, given back when
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
}

func newSlidingLog() *slidingLog {
	return &slidingLog{began: time.Now(), seed: maphash.MakeSeed(), young: map[uint64]hits{}}
}

// Config takes the window from the rate limiter, which alone knows the limit.
func (s *slidingLog) Config(_ int, window time.Duration) { s.window = window }

// Get returns the exact number of requests in the window that ends now, and 0
// for the window before it: so httprate has no past window to weight.
func (s *slidingLog) Get(key string, _, _ time.Time) (current, previous int, err error) {
	s.rotate()
	used, _ := s.state(key)
	return used, 0, nil
}

// Increment notes one accepted request.
func (s *slidingLog) Increment(key string, window time.Time) error {
	return s.IncrementBy(key, window, 1)
}

// IncrementBy notes accepted requests.
func (s *slidingLog) IncrementBy(key string, _ time.Time, amount int) error {
	id, client := s.find(key)
	for i := range client {
		if client[i] == 0 && amount > 0 {
			client[i] = s.now()
			amount--
		}
	}
	delete(s.old, id)
	s.young[id] = client
	return nil
}

// state returns how many requests of a client are in the window, and when the
// oldest of them came.
func (s *slidingLog) state(key string) (used int, oldest time.Duration) {
	_, client := s.find(key)
	for used < len(client) && client[used] != 0 {
		used++
	}
	return used, client[0]
}

// newest returns when the newest request of a client came, or zero.
func (s *slidingLog) newest(key string) time.Duration {
	_, client := s.find(key)
	return slices.Max(client[:])
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
	delete(s.old, id)
	s.young[id] = client
}

// find returns the id of a client and its requests that are still in the window.
func (s *slidingLog) find(key string) (uint64, hits) {
	id := maphash.String(s.seed, key)
	client, known := s.lookup(id)
	if !known && len(s.young)+len(s.old) >= maxClients {
		id %= overflowBuckets
		client, _ = s.lookup(id)
	}
	return id, s.inWindow(client)
}

func (s *slidingLog) lookup(id uint64) (hits, bool) {
	if client, ok := s.young[id]; ok {
		return client, true
	}
	client, ok := s.old[id]
	return client, ok
}

// inWindow drops the requests that have left the window. One that came exactly a
// window ago has left it.
func (s *slidingLog) inWindow(all hits) hits {
	var kept hits
	n := 0
	since := s.now() - s.window
	for _, at := range all {
		if at != 0 && at > since {
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
