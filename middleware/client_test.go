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
	tests := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no header", "192.0.2.1:5000", nil, "192.0.2.1"},
		{"untrusted peer", "192.0.2.1:5000", []string{"198.51.100.1"}, "192.0.2.1"},
		{"trusted peer", "10.0.0.1:5000", []string{"198.51.100.1"}, "198.51.100.1"},
		{"spoofed left", "10.0.0.1:5000", []string{"203.0.113.9, 198.51.100.1"}, "198.51.100.1"},
		{"two proxies", "10.0.0.1:5000", []string{"203.0.113.9, 198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"mapped peer", "[::ffff:10.0.0.1]:5000", []string{"198.51.100.1"}, "198.51.100.1"},
		{"entry with a port", "10.0.0.1:5000", []string{"198.51.100.1:443"}, "198.51.100.1"},
		{"all trusted", "10.0.0.1:5000", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"garbage nearest", "10.0.0.1:5000", []string{"198.51.100.1, unknown"}, "10.0.0.1"},
	}
	for _, tt := range tests {
		var got limits.Client
		handler := ClientAddress(proxies, nil, zerolog.Nop())(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = limits.ClientFrom(r.Context())
		}))
		r := get(t, "/", http.Header{forwardedFor: tt.forwarded})
		r.RemoteAddr = tt.peer
		serve(handler, r)
		if want := limits.ClientOf(netip.MustParseAddr(tt.want)); got != want {
			t.Errorf("%s: client = %v, want %v", tt.name, got, want)
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
