package signing

import (
	"context"
	"math/rand/v2"
	"net/url"
	"sync"
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
	base    *url.URL // the authority that agents sign
	origins []string // of the directories
	held    sync.Map // the keys that were last fetched, map[string]publicKey by origin
	fetch   func(ctx context.Context, origin string) (map[string]publicKey, error)
	log     zerolog.Logger
}

// NewAgents follows the directories at origins, each https://host. It holds no keys
// before Run.
func NewAgents(base *url.URL, origins []string, log zerolog.Logger) *Agents {
	client := newFetchClient()
	return &Agents{
		base: base, origins: origins, log: log,
		fetch: func(ctx context.Context, origin string) (map[string]publicKey, error) {
			return fetch(ctx, client, origin)
		},
	}
}

// Run keeps the directories up to date until ctx ends.
func (a *Agents) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, origin := range a.origins {
		all.Go(func() { a.follow(ctx, origin) })
	}
	all.Wait()
}

// follow fetches one directory until ctx ends. A failed fetch keeps the previous
// keys.
func (a *Agents) follow(ctx context.Context, origin string) {
	for {
		wait := refreshFailed
		keys, err := a.fetch(ctx, origin)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			a.log.Warn().Err(err).Str("directory", origin).Msg("cannot fetch the key directory of an agent")
		default:
			a.held.Store(origin, keys)
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
	held, _ := a.held.Load(origin)
	keys, _ := held.(map[string]publicKey)
	return keys
}
