package signing

import (
	"fmt"
	"net/netip"
	"slices"
	"syscall"
)

// notPublic are networks that netip does not count as private but that reach no
// server on the public internet, or disguise another address.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network, RFC 791
	netip.MustParsePrefix("100.64.0.0/10"),   // carriers' NAT, RFC 6598
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments, RFC 6890
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation, RFC 5737
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays, RFC 7526
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks, RFC 2544
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, and broadcast
	netip.MustParsePrefix("::/96"),           // IPv4-compatible, RFC 4291
	netip.MustParsePrefix("64:ff9b::/96"),    // NAT64, RFC 6052
	netip.MustParsePrefix("64:ff9b:1::/48"),  // NAT64 in a site, RFC 8215
	netip.MustParsePrefix("100::/64"),        // discard, RFC 6666
	netip.MustParsePrefix("2001::/23"),       // Teredo and other assignments, RFC 2928
	netip.MustParsePrefix("2001:db8::/32"),   // documentation, RFC 3849
	netip.MustParsePrefix("2002::/16"),       // 6to4, RFC 3056
	netip.MustParsePrefix("3fff::/20"),       // documentation, RFC 9637
	netip.MustParsePrefix("fec0::/10"),       // site-local, RFC 3879
}

// isPublic reports whether an address belongs to the public internet.
func isPublic(addr netip.Addr) bool {
	addr = addr.Unmap()
	return addr.IsGlobalUnicast() && !addr.IsPrivate() && addr.Zone() == "" &&
		!slices.ContainsFunc(notPublic, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// dialPublic is a net.Dialer's Control. It sees the address after the name was
// resolved, so no name can lead to a private network.
func dialPublic(_, address string, _ syscall.RawConn) error {
	dialled, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if dialled.Port() != 443 || !isPublic(dialled.Addr()) {
		return fmt.Errorf("%s is not a public https address", address)
	}
	return nil
}
