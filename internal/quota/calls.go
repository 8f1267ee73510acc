package quota

import (
	"context"
	_ "embed" // the script

	"github.com/redis/go-redis/v9"
)

//go:embed calls.lua
var callsText string

var callsScript = redis.NewScript(callsText)

// CallCounter counts the calls of the model; records.Store is one, and so is Calls.
type CallCounter interface {
	AddModelCall(ctx context.Context, day int64, dailyCap int) (allowed bool, err error)
	ModelCalls(ctx context.Context, day int64) (calls int, err error)
}

// Calls counts the calls of the model in Redis, for all instances, and in the
// records too, which outlive Redis: a call needs room in both. So no instance with
// records of its own makes more calls a day than the cap allows, whatever becomes of
// Redis, and while Redis works they make no more together.
type Calls struct {
	Shared *Store
	Kept   CallCounter
}

// AddModelCall implements model.Counter. When one of the two cannot be asked, the
// other decides alone.
func (c Calls) AddModelCall(ctx context.Context, day int64, dailyCap int) (allowed bool, err error) {
	allowed, _, shared := c.inRedis(ctx, day, dailyCap)
	if shared && !allowed {
		return false, nil
	}
	allowed, err = c.Kept.AddModelCall(ctx, day, dailyCap)
	if err != nil && shared {
		return true, nil
	}
	return allowed, err
}

// ModelCalls is how many calls were counted on a day, or on the latest day when that
// is a later one: the larger count of the two, since a call needs room in both. When
// one of them cannot be asked it is the other's.
func (c Calls) ModelCalls(ctx context.Context, day int64) (calls int, err error) {
	_, counted, shared := c.inRedis(ctx, day, 0)
	calls, err = c.Kept.ModelCalls(ctx, day)
	if err != nil && shared {
		return counted, nil
	}
	return max(calls, counted), err
}

// inRedis is shared when Redis has answered.
func (c Calls) inRedis(ctx context.Context, day int64, dailyCap int) (allowed bool, calls int, shared bool) {
	reply, shared := c.Shared.call(ctx, callsScript, "model-calls", day, dailyCap)
	if !shared || len(reply) != 2 {
		return false, 0, false
	}
	return reply[0] == 1, int(reply[1]), true
}
