package quota

import (
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/programs"
)

// TestClock runs the script as a user to whom Redis refuses its clock, as some vendors
// do: the clock of the caller is used, and setting it back costs no more than a window.
func TestClock(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	try(t, direct(t, server), "ACL", "SETUSER", "desk", "on", ">p#/w", "~frontdesk:*", "+@all", "-time")
	store := startInstance(t, "redis://desk:p%23%2Fw@"+server.Addr+"/3", patient)
	store.log.next(t, saysShared)
	const second, noon = int64(1_000_000), int64(1_800_000_000_000_000)
	const window = 60 * second
	for i, step := range []struct {
		now                 int64
		accepted, used, age int64
	}{
		{noon, 1, 1, 0},
		{noon + 1, 1, 2, 1},
		{noon + 2, 0, 2, 2},
		{noon + window - 1, 0, 2, window - 1},
		{noon + window, 1, 2, window - 1},
		{noon + window + 1, 1, 2, 1},
		{noon - 3600*second, 0, 2, 0}, // an hour back
		{noon - 3590*second, 0, 2, 10 * second},
		{noon - 3540*second, 1, 1, 0},
	} {
		got, ok := store.call(t.Context(), windowScript, []string{"short:clock"}, window, step.now, 2)
		if !ok || len(got) != 3 || got[0] != step.accepted || got[1] != step.used || got[2] != step.age {
			t.Fatalf("step %d: %v, %v; want %+v", i, got, ok, step)
		}
	}
}

// TestForeignKeys: keys that another program has changed.
func TestForeignKeys(t *testing.T) {
	t.Parallel()
	server := programs.Redis(t)
	inside := direct(t, server)
	store := startShared(t, server)
	limiter := limits.NewShared(contract.AskPolicy, store)
	limiter.Take(t.Context(), client(1))
	key := inside.Keys(t.Context(), "*:ask:*").Val()[0]
	for _, tt := range []struct {
		name    string
		command []any
	}{
		{"a list", []any{"RPUSH", key, "1"}},
		{"a sorted set", []any{"ZADD", key, "1", "x"}},
		{"text", []any{"SET", key, "hello there"}},
		{"huge numbers", []any{"SET", key, strings.Repeat("9", 400)}},
	} {
		try(t, inside, "DEL", key)
		try(t, inside, tt.command...)
		if _, ok := store.Take(t.Context(), limits.Request{Policy: contract.AskPolicy, Client: "another", Quotas: []int{5}}); !ok {
			t.Fatalf("%s: Redis is given up", tt.name)
		}
		fresh := limits.NewShared(contract.AskPolicy, store)
		if !fresh.Take(t.Context(), client(1)).Allowed {
			t.Errorf("%s: the client is refused", tt.name)
		}
		try(t, inside, "DEL", "frontdesk:ask:"+hashed("another"))
	}
	if !store.Shared() {
		t.Error("Redis is given up")
	}
	store.log.nothing(t)
}
