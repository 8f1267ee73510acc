package programs

import (
	"slices"
	"sync"
	"testing"
)

// Shared is a server that all tests of a binary use, each with a database of its
// own in it. The first test that needs it starts it; TestMain closes it.
type Shared struct {
	once     sync.Once
	server   *Server
	cleanups []func()
}

// Get returns the server, which start starts the first time. If that skips the test or
// fails it, every later Get does the same.
func (s *Shared) Get(t testing.TB, start func(testing.TB) *Server) *Server {
	t.Helper()
	s.once.Do(func() { s.server = start(lasting{t, s}) })
	if s.server == nil {
		start(t)
	}
	return s.server
}

// Close ends the server, if there is one.
func (s *Shared) Close() {
	for _, cleanup := range slices.Backward(s.cleanups) {
		cleanup()
	}
}

// lasting is a test that outlives its own end.
type lasting struct {
	testing.TB
	shared *Shared
}

// Cleanup waits for Close.
func (l lasting) Cleanup(f func()) { l.shared.cleanups = append(l.shared.cleanups, f) }
