package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Times of the check of the database: it is made at most once a storeCheckInterval,
// however often it is asked for, and may take storeCheckTimeout.
const (
	storeCheckTimeout  = 2 * time.Second
	storeCheckInterval = time.Second
)

// readiness reports whether requests should be sent to this instance. It can answer
// as soon as it listens, also without its database, until it stops.
type readiness struct {
	stopping *atomic.Bool
	meaning  func() error // why the selector does not answer, or nil
	// certificates is why a domain has no certificate, or nil; nil itself without domains.
	certificates func() error
	byMeaning    bool // an instance whose selector does not answer is not ready
}

// Why an instance is not ready.
var (
	errStarting = errors.New("the service is starting")
	ErrStopping = errors.New("the service is stopping")
)

// check returns why the service is not ready, or nil.
func (r readiness) check() error {
	if r.stopping.Load() {
		return ErrStopping
	}
	if r.certificates != nil {
		if err := r.certificates(); err != nil {
			return err
		}
	}
	if r.byMeaning {
		return r.meaning()
	}
	return nil
}

// storage reports whether the database can store a row.
type storage struct {
	write func(ctx context.Context) error // stores one

	mu      sync.Mutex
	checked time.Time
	err     error // of the last check
}

// check writes to the database, or repeats the result of a moment ago. Concurrent
// callers wait for the same result, so it does not inherit a caller's cancellation.
func (s *storage) check(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.checked.IsZero() && time.Since(s.checked) < storeCheckInterval {
		return s.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeCheckTimeout)
	defer cancel()
	s.err = nil
	if err := s.write(ctx); err != nil {
		s.err = fmt.Errorf("the database cannot store a row: %w", err)
	}
	s.checked = time.Now()
	return s.err
}
