package limits

import (
	"net/netip"
	"testing"

	"frontdesk/internal/expect"
)

func TestClientOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, one, other string
		same             bool
	}{
		{"IPv4", "192.0.2.1", "192.0.2.1", true},
		{"IPv4 neighbours", "192.0.2.1", "192.0.2.2", false},
		{"IPv4 written as IPv6", "192.0.2.1", "::ffff:192.0.2.1", true},
		{"IPv6 in one /64", "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true},
		{"IPv6 in two /64", "2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"zones", "fe80::1%eth0", "fe80::1%eth1", true},
	} {
		one, other := ClientOf(netip.MustParseAddr(tt.one)), ClientOf(netip.MustParseAddr(tt.other))
		expect.Same(t, tt.name+": "+tt.one+" and "+tt.other+" are one client", tt.same, one.Key() == other.Key())
	}
}
