package idempotency

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

// database keeps the answers to requests by their keys, for all instances. It holds its
// lock while a slot is taken, as a transaction does.
type database struct {
	mu      sync.Mutex
	answers map[string]records.Key // by scope
	done    int                    // requests that were carried out
	fail    error                  // of a request that was stored
	took    time.Duration          // to carry one out
}

func scope(key records.Key) string { return key.Email + " " + key.Hash }

func (d *database) attempt(ctx context.Context, key records.Key, slot *limits.Slot) (string, error) {
	d.mu.Lock()
	stored, found := d.answers[scope(key)]
	d.mu.Unlock()
	switch {
	case found && stored != key:
		return "", records.ErrKeyReused
	case found:
		return key.Hash, nil
	}
	time.Sleep(time.Millisecond) // others find no answer either
	if err := d.store(ctx, key, slot); err != nil {
		return "", err
	}
	time.Sleep(d.took)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return key.Hash, d.fail
}

func (d *database) store(ctx context.Context, key records.Key, slot *limits.Slot) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, taken := d.answers[scope(key)]; taken {
		return records.ErrKeyTaken
	}
	if err := slot.Take(ctx); err != nil {
		return err
	}
	d.done++
	if key.Hash != "" {
		d.answers[scope(key)] = key
	}
	return nil
}

// world is two instances with one database and one limit.
type world struct {
	database
	limit     *limits.Limiter
	instances [2]*Gate[string]
}

func newWorld() *world {
	w := &world{database: database{answers: map[string]records.Key{}}, limit: limits.New(contract.ContactPolicy)}
	reuse := limits.New(contract.KeyReusePolicy)
	w.instances = [2]*Gate[string]{NewGate[string](w.limit, reuse), NewGate[string](w.limit, reuse)}
	return w
}

// outcome is what the caller of a request gets.
type outcome struct {
	answered  bool
	remaining int
	code      contract.Code
}

const one, other = "192.0.2.1", "192.0.2.2"

func (w *world) do(ctx context.Context, instance int, client, key, email, field string) outcome {
	ctx = limits.WithClient(ctx, limits.ClientOf(netip.MustParseAddr(client)))
	request := Request{Key: contract.IdempotencyKey{Value: key, Field: "idempotency_key"}, Email: email, Fields: []string{field}}
	answer, decision, err := w.instances[instance].Do(ctx, request, w.attempt)
	got := outcome{answer != "", decision.Remaining, ""}
	if err != nil {
		got.code = contract.AsError(err).Code
	}
	return got
}

// TestRequests follows requests with and without keys, one after the other.
func TestRequests(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for _, row := range []struct {
		name, client, key, email, field string
		want                            outcome
		done                            int
	}{
		{"the first", one, "k", "ada@example.com", "a", outcome{true, 2, ""}, 1},
		{"repeated", one, "k", "ada@example.com", "a", outcome{true, 2, ""}, 1},
		{"repeated from elsewhere", other, "k", "Ada@example.com", "a", outcome{true, 3, ""}, 1},
		{"another request under the key", one, "k", "ada@example.com", "b", outcome{false, 2, contract.InvalidRequest}, 1},
		{"the key of another address", one, "k", "eve@example.com", "a", outcome{true, 1, ""}, 2},
		{"without a key", one, "", "ada@example.com", "a", outcome{false, 0, ""}, 3},
		{"over the limit", one, "l", "ada@example.com", "a", outcome{false, 0, contract.RateLimited}, 3},
		{"refused keys stay free", other, "l", "ada@example.com", "a", outcome{true, 2, ""}, 4},
		{"repeated over the limit", one, "k", "ada@example.com", "a", outcome{true, 0, ""}, 4},
	} {
		if got := w.do(t.Context(), 0, row.client, row.key, row.email, row.field); got != row.want || w.done != row.done {
			t.Errorf("%s: %+v after %d, want %+v after %d", row.name, got, w.done, row.want, row.done)
		}
	}
}

// TestStoreThatContradictsItself: a request whose key is taken and cannot be found ends
// with an error, and takes no slot.
func TestStoreThatContradictsItself(t *testing.T) {
	t.Parallel()
	for name, reason := range map[string]error{"key": records.ErrKeyTaken, "equal request": records.ErrQueued} {
		w, attempts := newWorld(), 0
		request := Request{Key: contract.IdempotencyKey{Value: "k"}, Email: "ada@example.com"}
		_, decision, err := w.instances[0].Do(t.Context(), request, func(context.Context, records.Key, *limits.Slot) (string, error) {
			attempts++
			return "", fmt.Errorf("store: %w", reason)
		})
		refusal := contract.AsError(err)
		if refusal.Code != contract.InternalError || !strings.Contains(fmt.Sprint(refusal.Cause), reason.Error()) {
			t.Errorf("%s: %v (%v), want %s with the reason", name, err, refusal.Cause, contract.InternalError)
		}
		expect.Same(t, name+": attempts", maxAttempts, attempts)
		expect.Same(t, name+": slots left", contract.ContactPolicy.Quota, decision.Remaining)
	}
}

// TestAtOnce sends the same request from many callers of two instances at once, when one
// slot is left: one is carried out, although the callers leave, and all get its answer.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]error{"answered": nil, "failed": &contract.Error{Code: contract.BadGateway}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.took, w.fail = 10*time.Second, fail
				for w.limit.Peek(t.Context(), limits.ClientOf(netip.MustParseAddr(one))).Remaining > 1 {
					w.limit.Take(t.Context(), limits.ClientOf(netip.MustParseAddr(one)))
				}
				leaving, leave := context.WithCancel(t.Context())
				got := make([]outcome, 16)
				for n := range got {
					go func() { got[n] = w.do(leaving, n%2, one, "k", "ada@example.com", "a") }()
				}
				time.Sleep(time.Second)
				leave()
				synctest.Wait()
				time.Sleep(10 * time.Second)
				synctest.Wait()
				failed := 0
				for n, got := range got {
					switch {
					case got == outcome{true, 0, ""}:
					case fail != nil && got == outcome{true, 0, contract.BadGateway}:
						failed++
					default:
						t.Errorf("request %d: %+v", n, got)
					}
				}
				if w.done != 1 || fail != nil && failed < len(got)/2 {
					t.Errorf("%d were carried out, %d failed; want 1, and its failure for all of its instance", w.done, failed)
				}
				if got := w.do(t.Context(), 1, one, "l", "ada@example.com", "a"); got.code != contract.RateLimited {
					t.Errorf("another key: %+v, want %s", got, contract.RateLimited)
				}
			})
		})
	}
}

// TestKeysCannotBeGuessed: nine refusals of a used key are free, three take slots of the
// limit, and the next are rate-limited, until both windows have passed. Another client
// has its own.
func TestKeysCannotBeGuessed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.do(t.Context(), 0, "192.0.2.9", "k", "ada@example.com", "a")
		invalid := contract.InvalidRequest
		want := slices.Concat(slices.Repeat([]outcome{{false, 3, invalid}}, 9), []outcome{
			{false, 2, invalid}, {false, 1, invalid}, {false, 0, invalid}, {false, 0, contract.RateLimited}})
		for range 2 {
			for _, client := range []string{one, other} {
				var got []outcome
				for n := range want {
					got = append(got, w.do(t.Context(), 0, client, "k", "ada@example.com", fmt.Sprint("guess ", n)))
				}
				expect.Same(t, client, want, got, cmp.AllowUnexported(outcome{}))
			}
			time.Sleep(time.Minute)
		}
		_, _, err := w.instances[0].Do(t.Context(), Request{
			Key: contract.IdempotencyKey{Value: "k", Field: "idempotency_key"}, Email: "ada@example.com", Fields: []string{"b"},
		}, w.attempt)
		if refusal := contract.AsError(err); len(refusal.Fields) != 1 || !strings.Contains(refusal.Fields[0].Field, "idempotency_key") {
			t.Errorf("%v does not name the argument", err)
		}
	})
}
