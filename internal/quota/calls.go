package quota

import (
	"context"
	_ "embed" // the script

	"github.com/redis/go-redis/v9"
)

//go:embed calls.lua
var callsText string

var callsScript = redis.NewScript(callsText)

// CallCounter counts the calls of the model. records.Store and Calls implement it.
type CallCounter interface {
	AddModelCall(ctx context.Context, day int64, dailyCap int) (allowed bool, err error)
	AddClientModelCall(ctx context.Context, day int64, client string, clientCap int) (allowed bool, err error)
	ModelCalls(ctx context.Context, day int64) (calls int, err error)
}

// Calls counts the calls of the model both in Redis, for all instances, and in the
// records, which outlive Redis. A call must be within the cap of both. So no instance
// with its own records exceeds the cap, whatever happens to Redis, and while Redis works
// all instances together do not exceed it.
type Calls struct {
	Shared *Store
	Kept   CallCounter
}

// AddModelCall implements model.Counter. When one of the two counters cannot be reached,
// the other decides.
func (c Calls) AddModelCall(ctx context.Context, day int64, dailyCap int) (allowed bool, err error) {
	return c.add(ctx, "", day, dailyCap, func() (bool, error) { return c.Kept.AddModelCall(ctx, day, dailyCap) })
}

// AddClientModelCall implements model.Counter. It counts one client's share as
// AddModelCall counts all calls.
func (c Calls) AddClientModelCall(ctx context.Context, day int64, client string, clientCap int) (allowed bool,
	err error) {
	return c.add(ctx, ":"+client, day, clientCap, func() (bool, error) {
		return c.Kept.AddClientModelCall(ctx, day, client, clientCap)
	})
}

func (c Calls) add(ctx context.Context, suffix string, day int64, most int, keep func() (bool, error)) (allowed bool,
	err error) {
	allowed, _, shared := c.inRedis(ctx, suffix, day, most)
	if shared && !allowed {
		return false, nil
	}
	if allowed, err = keep(); err != nil && shared {
		return true, nil
	}
	return allowed, err
}

// ModelCalls returns how many calls were counted on a day, or on the latest counted day
// if that is later. It is the larger of the two counts, because a call must be within
// both; when one counter cannot be reached, it is the count of the other.
func (c Calls) ModelCalls(ctx context.Context, day int64) (calls int, err error) {
	_, counted, shared := c.inRedis(ctx, "", day, 0)
	calls, err = c.Kept.ModelCalls(ctx, day)
	if err != nil && shared {
		return counted, nil
	}
	return max(calls, counted), err
}

// inRedis counts under a name that ends with suffix. shared reports whether Redis
// answered.
func (c Calls) inRedis(ctx context.Context, suffix string, day int64, dailyCap int) (allowed bool, calls int,
	shared bool) {
	reply, shared := c.Shared.call(ctx, callsScript, []string{"model-calls" + suffix}, day, dailyCap)
	if !shared || len(reply) != 2 {
		return false, 0, false
	}
	return reply[0] == 1, int(reply[1]), true
}
