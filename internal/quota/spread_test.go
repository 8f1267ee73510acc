package quota

import (
	"hash/fnv"
	"net/netip"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/limits"
)

// TestKeysSpread shows that a proxy which splits keys by a hash spreads clients, also
// neighbours of one network, evenly over any number of servers: the claim of docs/scale.md.
func TestKeysSpread(t *testing.T) {
	t.Parallel()
	const clients, most = 64_000, 1.1
	for _, servers := range []int{2, 3, 16} {
		counts := make([]int, servers)
		for i := range clients {
			addr := netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}).As16()
			sum := fnv.New32a()
			_, _ = sum.Write([]byte(prefix + windowKeys(limits.Request{Policy: contract.AskPolicy, Client: string(addr[:])})[0])) // it never fails
			counts[int(sum.Sum32())%servers]++
		}
		for server, n := range counts {
			if even := clients / servers; float64(n) > most*float64(even) {
				t.Errorf("server %d of %d has %d clients, an even part is %d", server, servers, n, even)
			}
		}
	}
}
