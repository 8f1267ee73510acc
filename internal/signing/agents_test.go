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
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
)

// TestFollow follows a directory for days: it is fetched on its own schedule, and a
// failed fetch keeps the previous keys.
func TestFollow(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	failed := errors.New("no route")
	steps := []struct {
		name  string
		found map[string]publicKey
		err   error
		next  time.Duration // until the next fetch, at most
		holds bool
	}{
		{"the first fails", nil, failed, refreshFailed, false},
		{"found", holding(key), nil, refreshInterval, true},
		{"fails later", nil, failed, refreshFailed, true},
		{"lists another", holding(testKey(t, 2)), nil, refreshInterval, false},
	}
	synctest.Test(t, func(t *testing.T) {
		agents := NewAgents(addressOf(t, "https://desk.example"), []string{agentOrigin}, zerolog.Nop())
		asked := make(chan time.Time)
		next := 0
		agents.fetch = func(context.Context, string) (map[string]publicKey, error) {
			step := steps[next%len(steps)]
			next++
			asked <- time.Now()
			return step.found, step.err
		}
		ctx, stop := context.WithCancel(t.Context())
		go agents.Run(ctx)
		at := <-asked
		for _, step := range steps {
			synctest.Wait()
			if _, holds := agents.keysOf(agentOrigin)[key.ID]; holds != step.holds {
				t.Errorf("%s: holds the key: %v, want %v", step.name, holds, step.holds)
			}
			again := <-asked
			if wait := again.Sub(at); wait < step.next*9/10 || wait > step.next {
				t.Errorf("%s: fetched again after %v, want %v or a little less", step.name, wait, step.next)
			}
			at = again
		}
		stop()
		synctest.Wait() // the bubble fails when Run has not ended
	})
}

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
		"93.184.215.14:443": true, "[2606:2800:21f::1]:443": true, "[::ffff:1.1.1.1]:443": true,
		"93.184.215.14:80": false, "93.184.215.14:8443": false,
		"127.0.0.1:443": false, "10.1.2.3:443": false, "172.16.0.1:443": false, "192.168.1.1:443": false,
		"169.254.169.254:443": false, "0.0.0.0:443": false, "224.0.0.1:443": false, "255.255.255.255:443": false,
		"[::1]:443": false, "[::]:443": false, "[::ffff:127.0.0.1]:443": false, "[::ffff:10.0.0.1]:443": false,
		"[fe80::1%eth0]:443": false, "[fc00::1]:443": false, "[ff02::1]:443": false, "localhost:443": false, "": false,
	}
	for address, ok := range tests {
		if err := dialPublic("tcp", address, nil); (err == nil) != ok {
			t.Errorf("%s: %v, want it dialled: %v", address, err, ok)
		}
	}
}
