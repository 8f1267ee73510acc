package quota

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"
)

// Times of the store.
const (
	callTimeout    = 100 * time.Millisecond // of a decision, connecting included
	connectTimeout = time.Second            // of a probe, which nobody waits for but the start
	localPause     = 5 * time.Second        // from a failure, and from one probe, to the next
)

// times are those of a store; tests have others.
type times struct{ call, pause time.Duration }

// Store decides in Redis while Redis works. Its methods may be called by many at
// once.
//
// It is its own circuit breaker: the usual kind lets a request be the probe, and
// here no request may wait for one.
type Store struct {
	address Address
	log     zerolog.Logger
	times   times

	// client is nil while Redis is not used. Each time of use has a client of its
	// own: connections from before a failure may hang, and a late failure of one
	// of them is none of the new ones.
	client atomic.Pointer[redis.Client]
	lost   chan *redis.Client // the client whose use has ended
}

// Open returns the store at an address. A Redis that does not answer is no failure:
// one line in the log says so, and Run goes on trying.
func Open(ctx context.Context, address Address, log zerolog.Logger) *Store {
	return open(ctx, address, log, times{callTimeout, localPause})
}

func open(ctx context.Context, address Address, log zerolog.Logger, times times) *Store {
	s := &Store{address: address, log: log, times: times, lost: make(chan *redis.Client, 1)}
	if err := s.connect(ctx); err != nil {
		s.sayLocal(err)
		return s
	}
	log.Info().Stringer("redis", address).Msg("all instances share their limits through Redis")
	return s
}

// Shared reports whether Redis decides now, and not each instance by itself.
func (s *Store) Shared() bool { return s.client.Load() != nil }

// Run brings Redis back into use after each failure, until ctx ends.
func (s *Store) Run(ctx context.Context) {
	for {
		if !s.Shared() {
			s.regain(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case client := <-s.lost:
			_ = client.Close() // nothing of it is needed any more
		}
	}
}

// regain tries Redis once a pause until it works, or until ctx ends.
func (s *Store) regain(ctx context.Context) {
	probes := time.NewTicker(s.times.pause)
	defer probes.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-probes.C:
		}
		if s.connect(ctx) == nil {
			s.log.Info().Stringer("redis", s.address).Msg("Redis works again: all instances share their limits")
			return
		}
	}
}

// connect makes a client and uses it when it works. The first probe may take long,
// for it connects; the second shows whether Redis is fast enough for a request.
func (s *Store) connect(ctx context.Context) error {
	client := s.address.client()
	for _, timeout := range []time.Duration{connectTimeout, s.times.call} {
		if err := probe(ctx, client, timeout); err != nil {
			_ = client.Close() // the probe's error says more
			return err
		}
	}
	s.client.Store(client)
	return nil
}

// call runs a script on one key. It fails without waiting while Redis is not used,
// and a failure ends the use of Redis. A caller that leaves does not end the call:
// that would look like a failure of Redis.
func (s *Store) call(ctx context.Context, script *redis.Script, key string, args ...any) ([]int64, bool) {
	client := s.client.Load()
	if client == nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.times.call)
	defer cancel()
	reply, err := script.Run(ctx, client, []string{prefix + key}, args...).Int64Slice()
	if err != nil && s.client.CompareAndSwap(client, nil) {
		s.sayLocal(err)
		s.lost <- client
	}
	return reply, err == nil
}

func (s *Store) sayLocal(err error) {
	s.log.Warn().Err(err).Stringer("redis", s.address).Msg("Redis cannot be used: until it can, each instance limits by itself")
}

// Close ends the use of Redis. It must come after the end of Run.
func (s *Store) Close() error {
	client := s.client.Swap(nil)
	if client == nil {
		return nil
	}
	return client.Close()
}
