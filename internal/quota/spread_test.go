package quota

import (
	"fmt"
	"hash/fnv"
	"net/netip"
	"strings"
	"testing"

	"frontdesk/contract"
)

// slot is the slot of a key in a cluster: CRC16 (XMODEM) modulo 16384, of what
// is between the first braces if there are any (Redis Cluster specification).
func slot(key string) uint16 {
	if _, after, ok := strings.Cut(key, "{"); ok {
		if tag, _, ok := strings.Cut(after, "}"); ok && tag != "" {
			key = tag
		}
	}
	var sum uint16
	for _, b := range []byte(key) {
		sum ^= uint16(b) << 8
		for range 8 {
			if sum&0x8000 != 0 {
				sum = sum<<1 ^ 0x1021
			} else {
				sum <<= 1
			}
		}
	}
	return sum & (16384 - 1)
}

func TestSlot(t *testing.T) {
	t.Parallel()
	// 0x31C3 is the check value of CRC16-XMODEM; 12182 is what the specification of
	// Redis has for foo.
	for key, want := range map[string]uint16{"123456789": 0x31C3, "foo": 12182, "{foo}bar": 12182, "x{}y": slot("x{}y")} {
		if got := slot(key); got != want {
			t.Errorf("slot(%q) = %d, want %d", key, got, want)
		}
	}
}

// TestKeysSpread shows that clients, also neighbours of one network, are split
// evenly over any number of servers, by the slots of a cluster and by a proxy's
// hash alike: the claim of docs/scale.md.
func TestKeysSpread(t *testing.T) {
	t.Parallel()
	const clients, most = 64_000, 1.1
	for _, servers := range []int{2, 3, 16} {
		for name, choose := range map[string]func(string) int{
			"slots": func(key string) int { return int(slot(key)) * servers / 16384 },
			"proxy": func(key string) int {
				sum := fnv.New32a()
				_, _ = sum.Write([]byte(key)) // it never fails
				return int(sum.Sum32()) % servers
			},
		} {
			t.Run(fmt.Sprint(name, servers), func(t *testing.T) {
				t.Parallel()
				counts := make([]int, servers)
				for i := range clients {
					addr := netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}).As16()
					counts[choose(prefix+windowKey(contract.AskPolicy, string(addr[:])))]++
				}
				for server, n := range counts {
					if even := clients / servers; float64(n) > most*float64(even) {
						t.Errorf("server %d has %d clients, an even part is %d", server, n, even)
					}
				}
			})
		}
	}
}
