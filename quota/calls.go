package quota

import (
	"context"
	_ "embed" // the script

	"github.com/redis/go-redis/v9"
)

//go:embed calls.lua
var callsText string

var callsScript = redis.NewScript(callsText)

// CallCounter counts the calls of the model where they are kept; records.Store is
// one.
type CallCounter interface {
	AddModelCall(ctx context.Context, day int64, dailyCap int) (allowed bool, err error)
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
	reply, shared := c.Shared.call(ctx, callsScript, "model-calls", day, dailyCap)
	shared = shared && len(reply) == 1
	if shared && reply[0] == 0 {
		return false, nil
	}
	allowed, err = c.Kept.AddModelCall(ctx, day, dailyCap)
	if err != nil && shared {
		return true, nil
	}
	return allowed, err
}
