package middleware

import (
	"bytes"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48")}
	for _, tt := range []struct{ peer, forwarded, want string }{
		{"192.0.2.1:5000", "", "192.0.2.1"},
		{"192.0.2.1:5000", "198.51.100.1", "192.0.2.1"}, // no proxy
		{"[::ffff:10.0.0.1]:5000", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:5000", "203.0.113.9, 198.51.100.1", "198.51.100.1"}, // the left one can be made up
		{"10.0.0.1:5000", "203.0.113.9, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
		{"10.0.0.1:5000", "198.51.100.1:443", "198.51.100.1"},
		{"10.0.0.1:5000", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
		{"10.0.0.1:5000", "198.51.100.1, unknown", "10.0.0.1"},
	} {
		header := http.Header{}
		if tt.forwarded != "" {
			header.Set(forwardedFor, tt.forwarded)
		}
		r := get(t, "/", header)
		r.RemoteAddr = tt.peer
		var got limits.Client
		serve(ClientAddress(proxies, nil, zerolog.Nop())(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = limits.ClientFrom(r.Context())
		})), r)
		if want := limits.ClientOf(netip.MustParseAddr(tt.want)); got != want {
			t.Errorf("%v: client = %v, want %v", tt, got, want)
		}
	}
}

func TestUntrustedForwardingIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	handler := ClientAddress(nil, nil, zerolog.New(&log))(http.HandlerFunc(fine))
	for range 3 {
		serve(handler, get(t, "/", http.Header{forwardedFor: {"198.51.100.1"}}))
	}
	expect.Same(t, "warnings", 1, strings.Count(log.String(), "FRONTDESK_TRUSTED_PROXIES"))
}
