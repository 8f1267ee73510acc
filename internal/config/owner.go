package config

import (
	"net"
	"net/netip"
)

// OwnerPath is where the admin listener serves the owner's pages.
const OwnerPath = "/owner/"

// ownerURL is the address of the owner's pages, with a final slash.
func (s Settings) ownerURL() (string, error) {
	if s.OwnerURL == "" {
		return OwnerURLAt(s.AdminAddr), nil
	}
	at, err := parseAddress(s.OwnerURL, true)
	if err != nil {
		return "", err
	}
	return at.String() + "/", nil
}

// OwnerURLAt is the address of the owner's pages on this machine, or on the host that an
// admin address names. It is empty without an admin address, and for one without a
// port, which does not start.
func OwnerURLAt(adminAddr string) string {
	host, port, err := net.SplitHostPort(adminAddr)
	if err != nil {
		return ""
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + OwnerPath
}
