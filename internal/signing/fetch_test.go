package signing

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
)

// clientOf fetches from a test server under any name, as if it were public.
func clientOf(server *httptest.Server) *http.Client {
	return fetchClient(&http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		},
		TLSClientConfig: server.Client().Transport.(*http.Transport).TLSClientConfig,
	})
}

// answer answers a body with headers, each a name and a value.
func answer(body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for pair := range slices.Chunk(header, 2) {
			w.Header().Set(pair[0], pair[1])
		}
		_, _ = io.WriteString(w, body)
	}
}

// fetching is one answer of an agent's site and the expected error.
type fetching struct {
	name   string
	answer http.HandlerFunc
	want   string // in the error; empty when it is accepted
}

// fetches are answers with a good directory, and others in its place.
func fetches(good string) []fetching {
	const kind, directory = "Content-Type", contract.TypeKeyDirectory
	return []fetching{
		{"good", answer(good, kind, directory), ""},
		{"with a charset", answer(good, kind, directory+"; charset=utf-8"), ""},
		{"older media type", answer(good, kind, typeBefore), ""},
		{"redirect", http.RedirectHandler("https://elsewhere.example/keys", http.StatusFound).ServeHTTP, "status 302"},
		{"not found", http.NotFound, "status 404"},
		{"a page", answer(good, kind, "text/html"), "media type"},
		{"huge", answer(good+strings.Repeat(" ", maxDirectory), kind, directory), "larger than"},
		{"huge header", answer(good, kind, directory, "X-Pad", strings.Repeat("x", 2*maxFetchHeader)), "exceeded"},
		{"compressed without being requested", answer("\x1f\x8b\x08", kind, directory, "Content-Encoding", "gzip"), "not a key directory"},
		{"cut off", answer(good, kind, directory, "Content-Length", "9999"), "EOF"},
	}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	directory := newKeys(t, "https://example.com", key)
	for _, tt := range fetches(string(directory.Body())) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewTLSServer(tt.answer)
			defer server.Close()
			keys, err := fetch(t.Context(), clientOf(server), "https://example.com")
			if _, holds := keys[key.ID]; (err == nil) != (tt.want == "") || holds != (tt.want == "") {
				t.Fatalf("holds the key: %v, %v; want it: %v", holds, err, tt.want == "")
			}
			if err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestFetchAsks checks what a directory learns about the service.
func TestFetchAsks(t *testing.T) {
	t.Parallel()
	var got *http.Request
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }))
	defer server.Close()
	_, _ = fetch(t.Context(), clientOf(server), "https://example.com") // its answer is no directory
	if got == nil || got.Host != "example.com" || got.URL.Path != contract.PathKeyDirectory ||
		got.Header.Get("Accept") != contract.TypeKeyDirectory || got.Header.Get("Accept-Encoding") != "" {
		t.Errorf("request = %+v", got)
	}
}

func TestFetchNeedsAGoodCertificate(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = stdlog.New(io.Discard, "", 0) // it would log the handshake that the client breaks off
	server.StartTLS()
	defer server.Close()
	_, err := fetch(t.Context(), clientOf(server), "https://other.test") // the certificate is for example.com
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); !ok {
		t.Errorf("error %v, want the certificate refused", err)
	}
}
