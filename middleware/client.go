package middleware

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/questions"
	"frontdesk/internal/span"
)

const forwardedFor = "X-Forwarded-For"

// ClientAddress finds the address that a request comes from. It adds to the context the
// client with that address, and its pool if it has one, and the span of the request.
//
// Without trusted proxies this is the address of the peer, because any caller can
// write an X-Forwarded-For. When the peer is a trusted proxy, it is the right-most
// entry of X-Forwarded-For that is not itself a trusted proxy: each proxy appends
// the address it saw, so everything to the left of that entry is unverified. An
// entry that is not an address ends the search at the last known hop.
//
// An X-Forwarded-For from an untrusted peer is warned of once. Either a caller tries
// to evade a limit, or the operator forgot the setting and all callers share the
// limits of the proxy.
func ClientAddress(trusted []netip.Prefix, pools *limits.Pools, log zerolog.Logger) Layer {
	var once sync.Once
	isTrusted := func(addr netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
	}
	warn := func() {
		log.Warn().Msg("ignored X-Forwarded-For from a peer that is not a trusted proxy; " +
			"if it is your reverse proxy, add its address to FRONTDESK_TRUSTED_PROXIES")
	}
	return layer(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		addr := peer(r)
		if hops := r.Header.Values(forwardedFor); len(hops) > 0 {
			if isTrusted(addr) {
				addr = lastUntrusted(addr, hops, isTrusted)
			} else {
				once.Do(warn)
			}
		}
		ctx := context.WithValue(r.Context(), span.Key{}, &exchangeOf(w).span)
		next.ServeHTTP(w, r.WithContext(limits.WithClient(ctx, pools.ClientOf(addr))))
	})
}

// peer is the address at the other end of the connection, or the zero address when
// there is none (a Unix socket).
func peer(r *http.Request) netip.Addr {
	addrPort, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return addrPort.Addr().Unmap()
}

// lastUntrusted walks the hops from the nearest to the farthest and returns the
// first address that is not trusted, or the last one that could be read.
func lastUntrusted(known netip.Addr, lines []string, isTrusted func(netip.Addr) bool) netip.Addr {
	hops := strings.Join(lines, ",")
	for {
		comma := strings.LastIndexByte(hops, ',')
		addr, err := hopAddress(strings.TrimSpace(hops[comma+1:]))
		if err != nil {
			return known
		}
		if known = addr.Unmap(); comma < 0 || !isTrusted(known) {
			return known
		}
		hops = hops[:comma]
	}
}

// hopAddress reads an entry of X-Forwarded-For. Some proxies add the port, some put
// IPv6 addresses in brackets.
func hopAddress(hop string) (netip.Addr, error) {
	if addrPort, err := netip.ParseAddrPort(hop); err == nil {
		return addrPort.Addr(), nil
	}
	if strings.HasPrefix(hop, "[") && strings.HasSuffix(hop, "]") {
		hop = hop[1 : len(hop)-1]
	}
	return netip.ParseAddr(hop)
}

// ConformanceCheck keeps what frontdesk conform asks out of the owner's lists. Its
// requests bear a User-Agent of their own; they are answered and limited like all
// others, so a caller that borrows the name only leaves no trace in these lists.
func ConformanceCheck(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() == contract.ConformUserAgent {
			r = r.WithContext(questions.WithoutKeeping(r.Context()))
		}
		next.ServeHTTP(w, r)
	})
}
