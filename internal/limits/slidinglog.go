package limits

import (
	"hash/maphash"
	"slices"
	"time"
)

// Bounds of a log's memory. In a window, up to maxClients keys are counted separately;
// after that, new ones share overflowBuckets, which may refuse a client too early but
// never lets more through. This takes at most some 200 MB, which are released when two
// windows have passed.
const (
	maxClients      = 1 << 20
	overflowBuckets = 1 << 16
)

// slidingLog counts exactly: it remembers when each accepted request of a key came. Its
// times have passed since the limiter began. The limiter locks it.
//
// Keys live in two generations. A new generation begins when a window has passed; the one
// before the last then holds only requests that no longer count, and is dropped whole.
type slidingLog struct {
	window     time.Duration
	seed       maphash.Seed
	young, old map[uint64][]time.Duration // the times of a key's accepted requests, oldest first
	youngSince time.Duration
}

func newSlidingLog(window time.Duration) *slidingLog {
	return &slidingLog{window: window, seed: maphash.MakeSeed(), young: map[uint64][]time.Duration{}}
}

// recent returns the id of a key, and the times of its requests in the window that ends
// now. A request that came exactly one window ago has left it.
func (s *slidingLog) recent(key string, now time.Duration) (id uint64, times []time.Duration) {
	if age := now - s.youngSince; age >= s.window {
		s.old = s.young
		if age >= 2*s.window {
			s.old = nil
		}
		s.young, s.youngSince = map[uint64][]time.Duration{}, now
	}
	id = maphash.String(s.seed, key)
	times, known := s.lookup(id)
	if !known && len(s.young)+len(s.old) >= maxClients {
		id %= overflowBuckets
		times, _ = s.lookup(id)
	}
	for len(times) > 0 && times[0] <= now-s.window {
		times = times[1:]
	}
	return id, times
}

func (s *slidingLog) lookup(id uint64) (times []time.Duration, known bool) {
	if times, known = s.young[id]; !known {
		times, known = s.old[id]
	}
	return times, known
}

// add records an accepted request.
func (s *slidingLog) add(key string, now time.Duration) {
	id, times := s.recent(key, now)
	delete(s.old, id)
	s.young[id] = append(times, now)
}

// remove forgets the request of a key that came at a time.
func (s *slidingLog) remove(key string, at, now time.Duration) {
	id, times := s.recent(key, now)
	if i := slices.Index(times, at); i >= 0 {
		delete(s.old, id)
		s.young[id] = slices.Delete(times, i, i+1)
	}
}
