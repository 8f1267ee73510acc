package quota

import (
	"context"
	_ "embed" // the script
	"fmt"

	"github.com/redis/go-redis/v9"
)

//go:embed calls.lua
var callsText string

var callsScript = redis.NewScript(callsText)

// CallCounter counts the calls of the model. records.Store and Calls implement it.
type CallCounter interface {
	AddModelCall(ctx context.Context, day int64, client string, most int) (allowed bool, err error)
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
func (c Calls) AddModelCall(ctx context.Context, day int64, client string, most int) (allowed bool, err error) {
	allowed, _, shared := c.inRedis(ctx, day, client, most)
	if shared && !allowed {
		return false, nil
	}
	if allowed, err = c.Kept.AddModelCall(ctx, day, client, most); err != nil && shared {
		return true, nil
	}
	return allowed, err
}

// ModelCalls returns how many calls were counted on a day. It is the larger of the two counts,
// because a call must be within both; when one counter cannot be reached, it is the count of
// the other.
func (c Calls) ModelCalls(ctx context.Context, day int64) (calls int, err error) {
	_, counted, shared := c.inRedis(ctx, day, "", 0)
	calls, err = c.Kept.ModelCalls(ctx, day)
	if err != nil && shared {
		return counted, nil
	}
	return max(calls, counted), err
}

// inRedis counts a call in Redis if that is within most. shared reports whether Redis answered.
func (c Calls) inRedis(ctx context.Context, day int64, client string, most int) (allowed bool, calls int, shared bool) {
	key := fmt.Sprint("model-calls:", day)
	if client != "" {
		key += ":" + hashed(client)
	}
	reply, shared := c.Shared.call(ctx, callsScript, []string{key}, most)
	if !shared || len(reply) != 2 {
		return false, 0, false
	}
	return reply[0] == 1, int(reply[1]), true
}
