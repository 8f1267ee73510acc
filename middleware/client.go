package middleware

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"frontdesk/internal/limits"
)

const forwardedFor = "X-Forwarded-For"

// ClientAddress finds the address of whoever sent a request and keeps its client
// in the context for the limits.
//
// Without trusted proxies it is the peer's address, whatever the headers say: a
// caller can write any X-Forwarded-For. With trusted ones, and only for a peer
// among them, it is the right-most entry of X-Forwarded-For that is not itself a
// trusted proxy: each proxy adds the address it saw to the right, so everything
// left of that entry is hearsay. An entry that is no address ends the walk at the
// last hop that is known.
//
// An X-Forwarded-For from a peer that is not trusted is warned of once: either
// somebody tries to dodge a limit, or the operator has forgotten the setting and
// all callers share the limits of the proxy.
func ClientAddress(trusted []netip.Prefix, log zerolog.Logger) func(http.Handler) http.Handler {
	var once sync.Once
	isTrusted := func(addr netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
	}
	warn := func() {
		log.Warn().Msg("X-Forwarded-For from a peer that is no trusted proxy is ignored; " +
			"if a reverse proxy of yours sends it, name its address in FRONTDESK_TRUSTED_PROXIES")
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			addr := peer(r)
			if hops := r.Header[forwardedFor]; len(hops) > 0 {
				if isTrusted(addr) {
					addr = lastUntrusted(addr, hops, isTrusted)
				} else {
					once.Do(warn)
				}
			}
			next.ServeHTTP(w, withClient(w, r, limits.ClientOf(addr)))
		})
	}
}

// peer is the address at the other end of the connection, or the zero address
// where there is none (a Unix socket).
func peer(r *http.Request) netip.Addr {
	addrPort, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return addrPort.Addr().Unmap()
}

// lastUntrusted walks the hops from the nearest to the farthest.
func lastUntrusted(known netip.Addr, hops []string, isTrusted func(netip.Addr) bool) netip.Addr {
	for _, line := range slices.Backward(hops) {
		for line != "" {
			rest, hop := "", line
			if i := strings.LastIndexByte(line, ','); i >= 0 {
				rest, hop = line[:i], line[i+1:]
			}
			addr, err := hopAddress(strings.TrimSpace(hop))
			if err != nil {
				return known
			}
			if known = addr.Unmap(); !isTrusted(known) {
				return known
			}
			line = rest
		}
	}
	return known
}

// hopAddress reads an entry of X-Forwarded-For; some proxies add the port.
func hopAddress(hop string) (netip.Addr, error) {
	if addrPort, err := netip.ParseAddrPort(hop); err == nil {
		return addrPort.Addr(), nil
	}
	return netip.ParseAddr(hop)
}
