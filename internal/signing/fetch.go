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

// dialPublic is a net.Dialer's Control. It sees the address after the name was
// resolved, so no name can lead to a private network.
func dialPublic(_, address string, _ syscall.RawConn) error {
	dialled, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if addr := dialled.Addr().Unmap(); dialled.Port() != 443 || !addr.IsGlobalUnicast() || addr.IsPrivate() {
		return fmt.Errorf("%s is not a public https address", address)
	}
	return nil
}
