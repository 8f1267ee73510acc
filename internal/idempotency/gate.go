// Package idempotency carries out requests that take a slot of a limit: with an
// Idempotency-Key each of them once, however often it is sent (decisions,
// Idempotency-Key). Pilot requests and trials use it.
package idempotency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
)

// Gate carries out the requests of one kind, which are answered with a T. HTTP, MCP and
// the forms use the same one.
type Gate[T any] struct {
	limit, keyReuse *limits.Limiter
	running         singleflight.Group
}

// NewGate returns a gate. keyReuse counts the refusals of used keys that take no slot of
// limit.
func NewGate[T any](limit, keyReuse *limits.Limiter) *Gate[T] {
	return &Gate[T]{limit: limit, keyReuse: keyReuse}
}

// Request is what identifies a request.
type Request struct {
	Key    contract.IdempotencyKey // zero for none
	Email  string                  // scopes the key
	Fields []string                // all that requests under one key have in common
}

// Attempt carries a request out, or returns the answer to the one that was carried out
// under its key, which takes no slot. The key is zero for a request without one. The
// errors records.ErrKeyTaken and records.ErrQueued mean that an equal request was stored
// a moment ago; no slot is taken then.
type Attempt[T any] func(ctx context.Context, key records.Key, slot *limits.Slot) (T, error)

// Do answers a request, and returns the decision of the limit. A request goes on when its
// caller leaves: keys exist for callers that lost the connection and ask again.
//
// A request that arrives while the same one is being answered for the same client waits
// here for that answer; on another instance, or for another client, it waits in the
// database while the key is claimed. So only the request that is carried out is asked for
// a slot, and the others cannot be refused for want of one; they report what is left.
func (g *Gate[T]) Do(ctx context.Context, request Request, attempt Attempt[T]) (T, limits.Decision, error) {
	if request.Key.Value == "" {
		return g.carryOut(ctx, records.Key{}, attempt)
	}
	key := records.NewKey(request.Email, request.Key.Value, payload.JSON(request.Fields))
	client, own, began := limits.ClientFrom(ctx), false, time.Now()
	type result struct {
		value    T
		decision limits.Decision
	}
	shared, err, _ := g.running.Do(client.Key()+" "+key.Request(), func() (any, error) {
		own = true
		value, decision, err := g.carryOut(ctx, key, attempt)
		return result{value, decision}, err
	})
	got := shared.(result)
	if !own {
		span.Since(ctx, span.SameKey, began)
		left := g.limit.Peek(ctx, client)
		got.decision.Remaining, got.decision.Policy = left.Remaining, left.Policy
	}
	if errors.Is(err, records.ErrKeyReused) {
		got.decision, err = g.refuseReuse(ctx, client, request.Key)
	}
	return got.value, got.decision, err
}

// maxAttempts bounds the attempts at one request. A second one is usual where requests come
// at once, and each further one needs another request that is stored and gone meanwhile.
const maxAttempts = 10

// carryOut tries until no other request stores the key, or an equal request, meanwhile. It
// is an internal_error when the store reports such a request again and again, and no
// attempt finds it.
func (g *Gate[T]) carryOut(ctx context.Context, key records.Key, attempt Attempt[T]) (value T, decision limits.Decision,
	err error) {
	slot := g.limit.Slot(ctx)
	for range maxAttempts {
		value, err = attempt(context.WithoutCancel(ctx), key, slot)
		if !errors.Is(err, records.ErrKeyTaken) && !errors.Is(err, records.ErrQueued) {
			return value, slot.Decision(ctx), err
		}
	}
	err = fmt.Errorf("gave up after %d attempts: the stored request that is in the way was not found: %w", maxAttempts,
		err)
	return value, slot.Decision(ctx), contract.Internal(err)
}

// refuseReuse refuses a request whose key was used for another request. The error is an
// invalid_request, which takes no slot while the client has a slot of keyReuse left;
// after that each takes a slot of limit, and is rate_limited when there is none. So no
// client can try out keys without end.
func (g *Gate[T]) refuseReuse(ctx context.Context, client limits.Client, key contract.IdempotencyKey) (limits.Decision,
	error) {
	slot := g.limit.Slot(ctx)
	if !g.keyReuse.Take(ctx, client).Allowed {
		if err := slot.Take(ctx); err != nil {
			return slot.Decision(ctx), err
		}
	}
	return slot.Decision(ctx), contract.KeyReused(key.Field)
}
