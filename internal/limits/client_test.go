package limits

import (
	"context"
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

func TestClientInContext(t *testing.T) {
	t.Parallel()
	want := ClientOf(netip.MustParseAddr("192.0.2.1"))
	if got := ClientFrom(&ClientContext{Context: t.Context(), Client: want}); got != want {
		t.Errorf("ClientFrom = %v, want %v", got, want)
	}
	if got := ClientFrom(context.Background()); got != (Client{}) {
		t.Errorf("ClientFrom without a client = %v, want the zero client", got)
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"192.0.2.200":           "192.0.2.0/24",
		"::ffff:192.0.2.7":      "192.0.2.0/24",
		"2001:db8:1:ffff::1":    "2001:db8:1::/48",
		"2001:db8:1:1::9%eth0":  "2001:db8:1::/48",
		"2001:db8:2:1:2:3:4:55": "2001:db8:2::/48",
	} {
		expect.Same(t, "network of "+addr, want, ClientOf(netip.MustParseAddr(addr)).Network())
	}
	expect.Same(t, "network of no address", "unknown", (Client{}).Network())
}
