// Package quota keeps in Redis what all instances of the service count together: the
// requests of a client in the window of a policy, and the calls of the model on a day.
// Each decision is one script, which Redis runs atomically, so that exactly the quota
// passes, however many callers there are on however many instances.
//
// The service works without Redis. What Redis does not decide within 100 ms, the
// instance decides by itself, and after the first failure no request waits for Redis
// until a probe in the background has succeeded.
//
// Redis sees only a hash of a client's address, or of the name of a person that was
// hashed with a secret before. That keeps addresses out of listings
// and dumps, although the hash can be reversed by trying all addresses. Such a key
// lives no longer than the window, a minute. A key that counts calls of the model lives two days.
package quota

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"frontdesk/internal/span"
)

// Times of the store.
const (
	CallTimeout    = 100 * time.Millisecond // for a decision, including connecting
	connectTimeout = time.Second            // for a probe, for which only the start waits
	localPause     = 5 * time.Second        // from a failure to the next probe, and between probes
)

// times are those of a store; tests use others.
type times struct{ call, pause time.Duration }

// Store decides in Redis while Redis works. It is safe for concurrent use. The zero Store
// has no Redis.
//
// It is its own circuit breaker. The usual kind uses a request as the probe, and here
// no request may wait for one.
type Store struct {
	address Address
	events  *span.Events
	log     zerolog.Logger
	times   times

	// client is nil while Redis is not used. Each period of use has a new client:
	// connections from before a failure may hang, and a late failure of one of them
	// must not count against the new ones.
	client atomic.Pointer[redis.Client]
	lost   chan *redis.Client // the client that has failed

	calls, failures atomic.Uint64
	spent           atomic.Int64 // on all calls
}

// Stats are figures about the use of Redis since the start.
type Stats struct {
	Calls, Failures uint64
	Spent           time.Duration // on all calls together
	InUse, Idle     int           // connections now
}

// Stats returns the figures of now.
func (s *Store) Stats() Stats {
	stats := Stats{Calls: s.calls.Load(), Failures: s.failures.Load(), Spent: time.Duration(s.spent.Load())}
	if client := s.client.Load(); client != nil {
		pool := client.PoolStats()
		stats.Idle, stats.InUse = int(pool.IdleConns), int(pool.TotalConns)-int(pool.IdleConns)
	}
	return stats
}

// Open returns the store at an address. It does not fail when Redis does not answer: it
// logs one line, and Run keeps trying.
func Open(ctx context.Context, address Address, events *span.Events, log zerolog.Logger) *Store {
	return open(ctx, address, events, log, times{CallTimeout, localPause})
}

func open(ctx context.Context, address Address, events *span.Events, log zerolog.Logger, times times) *Store {
	s := &Store{address: address, events: events, log: log, times: times, lost: make(chan *redis.Client, 1)}
	if err := s.connect(ctx); err != nil {
		s.logLocal(err)
		return s
	}
	log.Info().Stringer("redis", address).Msg("limits are shared by all instances through Redis")
	return s
}

// Shared reports whether Redis decides at the moment, rather than each instance by
// itself.
func (s *Store) Shared() bool { return s.client.Load() != nil }

// Run brings Redis back into use after each failure, until ctx ends.
func (s *Store) Run(ctx context.Context) {
	if !s.address.IsSet() {
		return
	}
	var probe <-chan time.Time // the next one; nil while Redis is used
	if !s.Shared() {
		probe = time.After(s.times.pause)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case client := <-s.lost:
			_ = client.Close() // it has failed already
		case <-probe:
			if s.connect(ctx) == nil {
				s.log.Info().Stringer("redis", s.address).Msg("Redis works again: limits are shared by all instances")
				continue
			}
		}
		probe = time.After(s.times.pause)
	}
}

// connect makes a client and uses it if it works.
func (s *Store) connect(ctx context.Context) error {
	client := s.address.client()
	if err := s.address.probe(ctx, client, s.times.call); err != nil {
		_ = client.Close() // the probe's error says more
		return err
	}
	s.client.Store(client)
	return nil
}

// call runs a script on keys. It fails at once while Redis is not used, and a
// failure ends the use of Redis. It does not inherit the caller's cancellation, which
// would look like a failure of Redis.
func (s *Store) call(ctx context.Context, script *redis.Script, keys []string, args ...any) ([]int64, bool) {
	client := s.client.Load()
	if client == nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.times.call)
	defer cancel()
	for i := range keys {
		keys[i] = prefix + keys[i]
	}
	began := time.Now()
	reply, err := script.Run(ctx, client, keys, args...).Int64Slice()
	s.calls.Add(1)
	s.spent.Add(int64(time.Since(began)))
	if err != nil {
		s.failures.Add(1)
		if s.client.CompareAndSwap(client, nil) {
			s.logLocal(err)
			s.lost <- client
		}
	}
	return reply, err == nil
}

func (s *Store) logLocal(err error) {
	s.events.Add(span.RedisAway, "")
	s.log.Warn().Err(err).Stringer("redis", s.address).
		Msg("cannot use Redis; each instance applies the limits by itself until Redis works again")
}

// Close ends the use of Redis. Call it after Run has returned.
func (s *Store) Close() error {
	client := s.client.Swap(nil)
	if client == nil {
		return nil
	}
	return client.Close()
}
