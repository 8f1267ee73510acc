package signing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"

	"frontdesk/contract"
)

// Bounds of a fetch. A directory is small, so a slow or large one is a failure.
const (
	fetchTimeout   = 5 * time.Second
	stepTimeout    = 3 * time.Second // dial, TLS, header
	maxDirectory   = 64 << 10
	maxFetchHeader = 16 << 10
)

// typeBefore is the media type of key directories before 2025-06.
const typeBefore = "application/http-message-signatures-directory"

// newFetchClient makes the client that fetches directories: only over TLS from
// public addresses, without a proxy, without following redirects.
func newFetchClient() *http.Client {
	dialer := &net.Dialer{Timeout: stepTimeout, Control: dialPublic}
	return fetchClient(&http.Transport{DialContext: dialer.DialContext})
}

func fetchClient(transport *http.Transport) *http.Client {
	transport.TLSHandshakeTimeout = stepTimeout
	transport.ResponseHeaderTimeout = stepTimeout
	transport.MaxResponseHeaderBytes = maxFetchHeader
	transport.DisableCompression = true
	transport.DisableKeepAlives = true // the next fetch is hours away
	return &http.Client{
		Transport:     transport,
		Timeout:       fetchTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// fetch reads the directory of an origin. TLS shows whose directory it is, so its
// signatures are optional (draft-ietf-webbotauth-httpsig-protocol-01, appendix B.1).
func fetch(ctx context.Context, client *http.Client, origin string) (map[string]publicKey, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+contract.PathKeyDirectory, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", contract.TypeKeyDirectory)
	request.Header.Set("User-Agent", contract.Product)
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("answers with status %d", response.StatusCode)
	}
	mediaType, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil || (mediaType != contract.TypeKeyDirectory && mediaType != typeBefore) {
		return nil, errors.New("does not answer with the media type of a key directory")
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxDirectory+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxDirectory {
		return nil, fmt.Errorf("is larger than %d bytes", maxDirectory)
	}
	return parseKeys(body)
}

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
