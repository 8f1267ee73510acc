package app

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"frontdesk/internal/owner"
)

// privateSuffixes end names that no one can register in the public DNS (RFC 6761,
// RFC 6762, ICANN's reservation of .internal) or that Kubernetes gives to services.
var privateSuffixes = []string{".localhost", ".local", ".internal", ".svc"}

// onlyPrivateHosts refuses requests whose Host is a public name other than the
// listener's own. A web page can make a browser on the operator's machine send requests
// to the admin listener under the page's own name, by pointing that name at a private
// address (DNS rebinding); the page could then read the answers. The owner's pages may
// also be published by a proxy, under hosts that are known.
func (a *admin) onlyPrivateHosts(own string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		_, published := a.published[host]
		if host != hostOf(own) && !isPrivateHost(host) && !(published && strings.HasPrefix(r.URL.Path, owner.Path)) {
			writeLine(w, http.StatusForbidden, "refused: use the address of the admin listener instead of a public name")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf is the host of an address in lower case, without port and brackets.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// isPrivateHost reports whether a host is an address, a name of one label such as
// localhost, or under a private suffix.
func isPrivateHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(host, ".") {
		return true
	}
	return slices.ContainsFunc(privateSuffixes, func(suffix string) bool { return strings.HasSuffix(host, suffix) })
}
