package limits

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"frontdesk/internal/span"
)

// Once answers equal requests that come at the same time once. The zero value is ready to use.
type Once[T any] struct {
	running singleflight.Group
}

// Do answers a request of the client of ctx. Of the client's requests with the same key, the first calls answer; the
// others wait for what it returns, and report what is left of l.
func (o *Once[T]) Do(ctx context.Context, l *Limiter, key string, answer func() (T, Decision, error)) (T, Decision, error) {
	type result struct {
		value    T
		decision Decision
	}
	client := ClientFrom(ctx)
	own, began := false, time.Now()
	shared, err, _ := o.running.Do(client.String()+" "+key, func() (any, error) {
		own = true
		value, decision, err := answer()
		return result{value, decision}, err
	})
	got := shared.(result)
	if !own {
		span.Since(ctx, span.SameKey, began)
		got.decision.Remaining = l.Remaining(ctx, client)
	}
	return got.value, got.decision, err
}
