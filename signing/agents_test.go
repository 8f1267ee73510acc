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
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
)

// TestFollow follows a directory through days: it is fetched on its own schedule,
// and one that fails keeps the keys that were held.
func TestFollow(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	failed := errors.New("no route")
	steps := []struct {
		name     string
		found    fetched
		err      error
		min, max time.Duration // until the next fetch
		holds    bool
	}{
		{"the first fails", fetched{}, failed, refreshFailed * 9 / 10, refreshFailed, false},
		{"found", fetched{holding(key), time.Hour}, nil, time.Hour * 9 / 10, time.Hour, true},
		{"fails later", fetched{}, failed, refreshFailed * 9 / 10, refreshFailed, true},
		{"asks for too often", fetched{holding(key), time.Second}, nil, refreshMin * 9 / 10, refreshMin, true},
		{"asks for too seldom", fetched{holding(key), 365 * 24 * time.Hour}, nil, refreshMax * 9 / 10, refreshMax, true},
		{"does not say", fetched{holding(key), 0}, nil, refreshUnasked * 9 / 10, refreshUnasked, true},
		{"lists another", fetched{holding(testKey(t, 2)), time.Hour}, nil, time.Hour * 9 / 10, time.Hour, false},
	}
	synctest.Test(t, func(t *testing.T) {
		agents, err := NewAgents("https://desk.example", []string{agentOrigin}, zerolog.Nop())
		if err != nil {
			t.Fatal(err)
		}
		asked := make(chan time.Time)
		next := 0
		agents.fetch = func(context.Context, string) (fetched, error) {
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
			if wait := again.Sub(at); wait < step.min || wait > step.max {
				t.Errorf("%s: fetched again after %v, want %v to %v", step.name, wait, step.min, step.max)
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

func TestFetch(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	directory := newDirectory(t, "https://example.com", key)
	serve := func(w http.ResponseWriter, contentType, body string) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
	good := string(directory.Body())
	tests := []struct {
		name   string
		answer http.HandlerFunc
		want   string // in the error; empty when it is taken
	}{
		{"good", func(w http.ResponseWriter, _ *http.Request) { serve(w, contract.TypeKeyDirectory, good) }, ""},
		{"with a charset", func(w http.ResponseWriter, _ *http.Request) {
			serve(w, contract.TypeKeyDirectory+"; charset=utf-8", good)
		}, ""},
		{"older media type", func(w http.ResponseWriter, _ *http.Request) { serve(w, typeBefore, good) }, ""},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/keys", http.StatusFound)
		}, "status 302"},
		{"not found", http.NotFound, "status 404"},
		{"not modified", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }, "status 304"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) { serve(w, "text/html", good) }, "media type"},
		{"no media type", func(w http.ResponseWriter, _ *http.Request) { serve(w, "", good) }, "media type"},
		{"huge", func(w http.ResponseWriter, _ *http.Request) {
			serve(w, contract.TypeKeyDirectory, good+strings.Repeat(" ", maxDirectory))
		}, "larger than"},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contract.TypeKeyDirectory)
			for {
				if _, err := w.Write(make([]byte, 4096)); err != nil {
					return
				}
			}
		}, "larger than"},
		{"huge header", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Pad", strings.Repeat("x", 2*maxFetchHeader))
			serve(w, contract.TypeKeyDirectory, good)
		}, "exceeded"},
		{"compressed though nobody asked", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			serve(w, contract.TypeKeyDirectory, "\x1f\x8b\x08")
		}, "no key directory"},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9999")
			serve(w, contract.TypeKeyDirectory, good)
		}, "EOF"},
		{"without keys", func(w http.ResponseWriter, _ *http.Request) { serve(w, contract.TypeKeyDirectory, `{"keys":[]}`) }, "no usable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewTLSServer(tt.answer)
			defer server.Close()
			found, err := fetch(t.Context(), clientOf(server), "https://example.com")
			if _, holds := found.keys[key.ID]; (err == nil) != (tt.want == "") || holds != (tt.want == "") {
				t.Fatalf("holds the key: %v, %v; want it: %v", holds, err, tt.want == "")
			}
			if err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestFetchAsks shows what a directory gets to see of us.
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

// TestFetchIsNotHeldUp meets a directory that answers a header and then nothing.
func TestFetchIsNotHeldUp(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contract.TypeKeyDirectory)
		w.(http.Flusher).Flush()
		<-ended
	}))
	defer server.Close()
	defer close(ended)
	client := clientOf(server)
	client.Timeout = 100 * time.Millisecond // of fetchTimeout, which is for people
	if _, err := fetch(t.Context(), client, "https://example.com"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that the time is over", err)
	}
}

func TestFetchNeedsAGoodCertificate(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = stdlog.New(io.Discard, "", 0) // it tells of the handshake that we break off
	server.StartTLS()
	defer server.Close()
	_, err := fetch(t.Context(), clientOf(server), "https://other.test") // the certificate is for example.com
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); !ok {
		t.Errorf("error %v, want the certificate refused", err)
	}
}

// TestFetchStaysOutside dials with the real guard.
func TestFetchStaysOutside(t *testing.T) {
	t.Parallel()
	reached := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer server.Close()
	for _, origin := range []string{server.URL, "https://localhost", "https://127.0.0.1", "https://[::1]", "https://169.254.169.254"} {
		if _, err := fetch(t.Context(), newFetchClient(), origin); err == nil || !strings.Contains(err.Error(), "is no public https address") {
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

func TestMaxAge(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"max-age=60": time.Minute, "public, MAX-AGE=60": time.Minute, `max-age="60"`: time.Minute,
		"": 0, "no-store": 0, "max-age": 0, "max-age=-1": 0, "max-age=99999999999": 0, "s-maxage=60": 0,
	} {
		if got := maxAgeOf(http.Header{"Cache-Control": {value}}); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

// TestProbeKeepsToTheGuard: an origin of the settings leads to a private address no
// more than one of Agents does.
func TestProbeKeepsToTheGuard(t *testing.T) {
	t.Parallel()
	if n, err := Probe(t.Context(), "https://127.0.0.1"); n != 0 || err == nil || !strings.Contains(err.Error(), "is no public https address") {
		t.Errorf("%d keys, %v; want none and the guard's error", n, err)
	}
}
