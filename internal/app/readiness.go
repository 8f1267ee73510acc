package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Times of the readiness check: the database is asked at most once a readyFor,
// however often it is asked for, and may take pingTimeout to answer.
const (
	pingTimeout = time.Second
	readyFor    = time.Second
)

// readiness tells whether requests should be sent here. Content is live as soon as
// anything is served, so that the database is what remains.
type readiness struct {
	ping     func(ctx context.Context) error
	stopping atomic.Bool

	mu      sync.Mutex
	checked time.Time
	err     error // of the last check
}

var ErrStopping = errors.New("the service is stopping")

// check returns why the service is not ready, or nil.
func (r *readiness) check(ctx context.Context) error {
	if !r.stopping.Load() {
		if err := r.database(ctx); err != nil {
			return err
		}
	}
	if r.stopping.Load() { // also when that came meanwhile
		return ErrStopping
	}
	return nil
}

// database asks the database, or tells what it said a moment ago. Whoever comes
// meanwhile waits for the same answer.
func (r *readiness) database(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.checked.IsZero() && time.Since(r.checked) < readyFor {
		return r.err
	}
	// Not by the caller's leave: others are told of the outcome too.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTimeout)
	defer cancel()
	r.err = nil
	if err := r.ping(ctx); err != nil {
		r.err = fmt.Errorf("the database does not answer: %w", err)
	}
	r.checked = time.Now()
	return r.err
}
