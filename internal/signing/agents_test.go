package signing

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
)

// TestFollow follows a directory for days: it is fetched on its own schedule, and a
// failed fetch keeps the previous keys.
func TestFollow(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	failed := errors.New("no route")
	steps := []struct {
		name  string
		found map[string]publicKey
		err   error
		next  time.Duration // until the next fetch, at most
		holds bool
	}{
		{"the first fails", nil, failed, refreshFailed, false},
		{"found", holding(key), nil, refreshInterval, true},
		{"fails later", nil, failed, refreshFailed, true},
		{"lists another", holding(testKey(t, 2)), nil, refreshInterval, false},
	}
	synctest.Test(t, func(t *testing.T) {
		agents := expect.Value(NewAgents("https://desk.example", []string{agentOrigin}, zerolog.Nop()))(t)
		asked := make(chan time.Time)
		next := 0
		agents.fetch = func(context.Context, string) (map[string]publicKey, error) {
			step := steps[next%len(steps)]
			next++
			asked <- time.Now()
			return step.found, step.err
		}
		ctx, stop := context.WithCancel(t.Context())
		go agents.Run(ctx)
		at := <-asked
		for _, step := range steps {
			synctest.Wait()
			if _, holds := agents.keysOf(agentOrigin)[key.ID]; holds != step.holds {
				t.Errorf("%s: holds the key: %v, want %v", step.name, holds, step.holds)
			}
			again := <-asked
			if wait := again.Sub(at); wait < step.next*9/10 || wait > step.next {
				t.Errorf("%s: fetched again after %v, want %v or a little less", step.name, wait, step.next)
			}
			at = again
		}
		stop()
		synctest.Wait() // the bubble fails when Run has not ended
	})
}
