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

// prefix begins every key. No script needs two keys, so keys have no hash tag and are
// spread evenly over the servers of a cluster or a proxy.
const prefix = contract.Product + ":"

//go:embed window.lua
var windowText string

var windowScript = redis.NewScript(windowText)

// Take implements limits.Shared.
func (s *Store) Take(ctx context.Context, policy contract.Policy, client string, quota int) (limits.Use, bool) {
	reply, ok := s.call(ctx, windowScript, windowKey(policy, client),
		quota, policy.Window.Microseconds(), time.Now().UnixMicro())
	if !ok || len(reply) != 3 {
		return limits.Use{}, false
	}
	age := time.Duration(reply[2]) * time.Microsecond
	return limits.Use{Accepted: reply[0] == 1, Used: int(reply[1]), Wait: policy.Window - age}, true
}

func windowKey(policy contract.Policy, client string) string {
	return policy.Name + ":" + hashed(client)
}

func hashed(client string) string {
	sum := sha256.Sum256([]byte(client))
	return hex.EncodeToString(sum[:16])
}

// probe does what a request does, on its own key: a Redis that answers PING may still
// refuse to write. The window is so short that the script always writes.
func probe(ctx context.Context, client *redis.Client, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	const quota, window = contract.MaxQuota, time.Millisecond
	return windowScript.Run(ctx, client, []string{prefix + "probe"}, quota, window.Microseconds(), time.Now().UnixMicro()).Err()
}

// Check does what a decision does, on a new connection and within connectTimeout. A
// Redis Cluster is an error.
func (a Address) Check(ctx context.Context) error {
	if err := a.RefuseCluster(ctx); err != nil {
		return err
	}
	a.connections = 1
	client := a.client()
	err := probe(ctx, client, connectTimeout)
	_ = client.Close() // the probe's error says more
	return err
}
