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
		name     string
		found    fetched
		err      error
		min, max time.Duration // until the next fetch
		holds    bool
	}{
		{"the first fails", fetched{}, failed, refreshFailed * 9 / 10, refreshFailed, false},
		{"found", fetched{holding(key), time.Hour}, nil, time.Hour * 9 / 10, time.Hour, true},
		{"fails later", fetched{}, failed, refreshFailed * 9 / 10, refreshFailed, true},
		{"asks for too often", fetched{holding(key), time.Second}, nil, refreshMin * 9 / 10, refreshMin, true},
		{"asks for too seldom", fetched{holding(key), 365 * 24 * time.Hour}, nil, refreshMax * 9 / 10, refreshMax, true},
		{"does not say", fetched{holding(key), 0}, nil, refreshUnasked * 9 / 10, refreshUnasked, true},
		{"lists another", fetched{holding(testKey(t, 2)), time.Hour}, nil, time.Hour * 9 / 10, time.Hour, false},
	}
	synctest.Test(t, func(t *testing.T) {
		agents := expect.Value(NewAgents("https://desk.example", []string{agentOrigin}, zerolog.Nop()))(t)
		asked := make(chan time.Time)
		next := 0
		agents.fetch = func(context.Context, string) (fetched, error) {
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
			if wait := again.Sub(at); wait < step.min || wait > step.max {
				t.Errorf("%s: fetched again after %v, want %v to %v", step.name, wait, step.min, step.max)
			}
			at = again
		}
		stop()
		synctest.Wait() // the bubble fails when Run has not ended
	})
}
