package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"unicode/utf8"

	"frontdesk/internal/owner"
)

// minAdminToken is the fewest characters of the token: fewer could be guessed.
const minAdminToken = 16

// ownerPages fills in the address of the owner's pages and the token that opens them,
// which is required when other machines can reach the admin address.
func (s Settings) ownerPages(service *Service, wrong faults) {
	at := s.OwnerURL.value
	switch {
	case s.OwnerURL.Text == "" && service.OwnerDomain != "":
		service.OwnerURL = "https://" + service.OwnerDomain + owner.Path
	case s.OwnerURL.Text == "":
		service.OwnerURL = OwnerURLAt(s.AdminAddr)
	case at.path+"/" != owner.Path:
		wrong.add("FRONTDESK_OWNER_URL", fmt.Errorf("%q must end with %s right behind the host: the pages are at that path", s.OwnerURL, owner.Path))
	default:
		service.OwnerURL = at.String() + "/"
	}
	const example = "Set it to a random text of at least %d characters, such as the output of openssl rand -hex 24"
	token, name := wrong.secret("FRONTDESK_ADMIN_TOKEN", s.AdminToken, s.AdminTokenFile)
	switch {
	case token == "" && s.AdminAddr != "" && !isLoopbackAddr(s.AdminAddr):
		wrong.add(name, fmt.Errorf("is required while FRONTDESK_ADMIN_ADDR is %s: other machines may reach the owner's pages there. "+
			example, s.AdminAddr, minAdminToken))
	case token == "" && service.OwnerDomain != "":
		wrong.add(name, fmt.Errorf("is required with FRONTDESK_OWNER_DOMAIN. "+example, minAdminToken))
	case token != "" && utf8.RuneCountInString(token) < minAdminToken:
		wrong.add(name, fmt.Errorf("is shorter than %d characters and could be guessed", minAdminToken))
	case !isHeaderText(token):
		wrong.add(name, errors.New("holds a character that cannot be sent as a bearer token")) // it is a secret, so it is not shown
	}
	service.AdminToken = token
}

// isLoopbackAddr reports whether only this machine reaches an address to listen on. A
// host that is no address may be any machine's, but for localhost.
func isLoopbackAddr(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && host != "" && address{host: net.JoinHostPort(host, "0")}.isLoopback()
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
	return "http://" + net.JoinHostPort(host, port) + owner.Path
}
