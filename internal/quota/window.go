package quota

import (
	"context"
	"crypto/sha256"
	_ "embed" // the scripts
	"encoding/hex"
	"time"

	"github.com/redis/go-redis/v9"

	"frontdesk/contract"
	"frontdesk/internal/limits"
)

// prefix begins every key. Only the keys of a pool have a hash tag; those of other clients
// are spread evenly over the servers of a proxy.
const prefix = contract.Product + ":"

//go:embed window.lua
var windowText string

var windowScript = redis.NewScript(windowText)

// Take implements limits.Shared.
func (s *Store) Take(ctx context.Context, r limits.Request) (use limits.Use, ok bool) {
	keys, args := r.Keys(), []any{r.Policy.Window.Microseconds(), time.Now().UnixMicro()}
	for _, key := range keys {
		if r.Peek {
			key.Policy.Quota = 0
		}
		args = append(args, key.Policy.Quota)
	}
	args = append(args, r.GiveBack)
	reply, ok := s.call(ctx, windowScript, windowKeys(r), args...)
	if !ok || len(reply) != 2+2*len(keys) {
		return limits.Use{}, false
	}
	use.Accepted, use.At = reply[0] == 1, reply[1]
	for i := 2; i < len(reply); i += 2 {
		age := time.Duration(reply[i+1]) * time.Microsecond
		use.Counts = append(use.Counts, limits.Count{Used: int(reply[i]), Wait: r.Policy.Window - age})
	}
	return use, true
}

// windowKeys returns the keys of a request. A pool and its people have one hash tag, so
// that a proxy that splits keys keeps them on one server.
func windowKeys(r limits.Request) []string {
	start := r.Policy.Name + ":"
	if r.Pool == "" {
		return []string{start + hashed(r.Client)}
	}
	pool := start + "{" + hashed(r.Pool) + "}"
	if r.Client == "" {
		return []string{pool}
	}
	return []string{pool + ":" + hashed(r.Client), pool}
}

func hashed(client string) string {
	sum := sha256.Sum256([]byte(client))
	return hex.EncodeToString(sum[:16])
}

// decide does what a request does, but on its own key, because a Redis that answers PING may
// still refuse to write. The window is so short that the script always writes.
func decide(ctx context.Context, client *redis.Client, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	const quota, window, giveBack = 10, time.Millisecond, 0
	return windowScript.Run(ctx, client, []string{prefix + "probe"}, window.Microseconds(), time.Now().UnixMicro(),
		quota, giveBack).Err()
}
