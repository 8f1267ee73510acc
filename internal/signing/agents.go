package signing

import (
	"context"
	"math/rand/v2"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
)

// How often a directory is fetched, and how soon again after a failure.
const (
	refreshInterval = 24 * time.Hour
	refreshFailed   = 5 * time.Minute
)

// Agents holds the keys of the agents whose directories the owner has listed. Only
// Run fetches, on its own schedule, so a request can trigger no fetch.
type Agents struct {
	base *url.URL // the authority that agents sign
	// directories holds what was last fetched, by origin. The map itself is fixed.
	directories map[string]*atomic.Pointer[map[string]publicKey]
	fetch       func(ctx context.Context, origin string) (map[string]publicKey, error)
	log         zerolog.Logger
}

// NewAgents follows the directories at origins, each https://host. It holds no keys
// before Run.
func NewAgents(baseURL string, origins []string, log zerolog.Logger) (*Agents, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, err
	}
	client := newFetchClient()
	agents := &Agents{
		base:        base,
		directories: map[string]*atomic.Pointer[map[string]publicKey]{},
		fetch: func(ctx context.Context, origin string) (map[string]publicKey, error) {
			return fetch(ctx, client, origin)
		},
		log: log,
	}
	for _, origin := range origins {
		agents.directories[origin] = new(atomic.Pointer[map[string]publicKey])
	}
	return agents, nil
}

// Run keeps the directories up to date until ctx ends.
func (a *Agents) Run(ctx context.Context) {
	var all sync.WaitGroup
	for origin, held := range a.directories {
		all.Go(func() { a.follow(ctx, origin, held) })
	}
	all.Wait()
}

// follow fetches one directory until ctx ends. A failed fetch keeps the previous
// keys.
func (a *Agents) follow(ctx context.Context, origin string, held *atomic.Pointer[map[string]publicKey]) {
	for {
		wait := refreshFailed
		keys, err := a.fetch(ctx, origin)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			a.log.Warn().Err(err).Str("directory", origin).Msg("cannot fetch the key directory of an agent")
		default:
			held.Store(&keys)
			wait = refreshInterval
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait - rand.N(wait/10)): // a little early, so that services do not fetch in step
		}
	}
}

// keysOf returns the keys of a directory; nil when it is unlisted or was never
// fetched.
func (a *Agents) keysOf(origin string) map[string]publicKey {
	if held, listed := a.directories[origin]; listed {
		if keys := held.Load(); keys != nil {
			return *keys
		}
	}
	return nil
}
