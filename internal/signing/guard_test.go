package signing

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// TestFetchStaysOutside checks that the fetch client reaches no private address.
func TestFetchStaysOutside(t *testing.T) {
	t.Parallel()
	reached := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer server.Close()
	for _, origin := range []string{server.URL, "https://localhost", "https://127.0.0.1", "https://[::1]", "https://169.254.169.254"} {
		if _, err := fetch(t.Context(), newFetchClient(), origin); err == nil || !strings.Contains(err.Error(), "is not a public https address") {
			t.Errorf("%s: error %v, want it refused before it is dialled", origin, err)
		}
	}
	if reached {
		t.Error("a server inside was reached")
	}
}

func TestDialPublic(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"93.184.215.14:443": true, "[2606:2800:21f::1]:443": true, "1.1.1.1:443": true,
		"93.184.215.14:80": false, "93.184.215.14:8443": false,
		"127.0.0.1:443": false, "10.1.2.3:443": false, "172.16.0.1:443": false, "192.168.1.1:443": false,
		"169.254.169.254:443": false, "100.64.0.1:443": false, "0.0.0.0:443": false, "0.1.2.3:443": false,
		"192.0.2.1:443": false, "198.18.0.1:443": false, "224.0.0.1:443": false, "255.255.255.255:443": false,
		"[::1]:443": false, "[::]:443": false, "[::ffff:127.0.0.1]:443": false, "[::ffff:10.0.0.1]:443": false, "[::ffff:100.64.0.1]:443": false,
		"[::7f00:1]:443": false, "[64:ff9b::7f00:1]:443": false, "[2002:7f00:1::]:443": false, "[2001:0:1::]:443": false,
		"[fe80::1]:443": false, "[fe80::1%eth0]:443": false, "[fc00::1]:443": false, "[fec0::1]:443": false,
		"[2001:db8::1]:443": false, "[ff02::1]:443": false, "localhost:443": false, "": false,
	}
	for address, ok := range tests {
		if err := dialPublic("tcp", address, nil); (err == nil) != ok {
			t.Errorf("%s: %v, want it dialled: %v", address, err, ok)
		}
	}
	if !isPublic(netip.MustParseAddr("::ffff:1.1.1.1")) {
		t.Error("a public address is refused for its form")
	}
}
