package certificates

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caddyserver/certmagic"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

// Each challenge suffices when the port of the other is closed, even to replace damaged files, and only the service's
// user can read them.
func TestFirstCertificate(t *testing.T) {
	t.Parallel()
	for _, challenge := range []string{"http-01", "tls-alpn-01"} {
		t.Run(challenge, func(t *testing.T) {
			t.Parallel()
			d := ports(t)
			_, closed := programs.FreeAddr(t)
			httpPort, tlsPort := d.httpPort, closed
			if challenge == "tls-alpn-01" {
				httpPort, tlsPort = closed, d.port
			}
			authority := programs.Pebble(t, httpPort, tlsPort, time.Hour)
			config := d.config(t, authority.URL)
			kept := certmagic.StorageKeys.SiteCert((&certmagic.ACMEIssuer{CA: config.CA}).IssuerKey(), named(t))
			account := "acme/" + strings.Split(kept, "/")[1] + "/users/default/default."
			kept = strings.TrimSuffix(kept, "crt")
			for _, name := range []string{kept + "key", kept + "crt", kept + "json", account + "key", account + "json"} {
				file := filepath.Join(d.folder, name)
				expect.OK(t, os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("{}"), 0o600))
			}
			stop := d.run(t, config, authority.Own)
			name := d.eventually(t, anyOne).DNSNames[0]
			hello := &tls.Config{ServerName: name, RootCAs: authority.Roots(), NextProtos: []string{"h2"}}
			conn := expect.Value(tls.Dial("tcp", d.encrypted.Addr().String(), hello))(t)
			defer conn.Close()
			expect.Same(t, "the protocol", "h2", conn.ConnectionState().NegotiatedProtocol)
			expect.Error(t, "ready", d.Ready(), nil)
			expect.Error(t, "the name in upper case", expect.ErrorOf(d.served(t, strings.ToUpper(named(t)))), nil)
			files := 0
			expect.OK(t, filepath.WalkDir(d.folder, func(path string, entry fs.DirEntry, err error) error {
				info := expect.Value(entry.Info())(t)
				files++
				expect.Same(t, path+" has the mode", 0, info.Mode().Perm()&0o077)
				return err
			}))
			expect.AtLeast(t, "files kept", 5, files)
			stop()
			d.run(t, config, authority.Own)() // the account is fine
			expect.OK(t, os.WriteFile(filepath.Join(d.folder, account+"json"), nil, 0o600))
			d.run(t, config, authority.Own)
			aside := expect.Value(filepath.Glob(d.folder + "/acme/*/damaged-*/default.key"))(t)
			expect.Same(t, "accounts set aside", 2, len(aside))
		})
	}
}

func TestRenewal(t *testing.T) {
	t.Parallel()
	d := ports(t)
	authority := programs.Pebble(t, d.httpPort, d.port, 6*time.Second)
	d.run(t, d.config(t, authority.URL), authority.Own)
	first := d.eventually(t, anyOne)
	second := d.eventually(t, func(leaf *x509.Certificate) bool { return !leaf.Equal(first) })
	if !second.NotAfter.After(first.NotAfter) {
		t.Errorf("renewed until %v, before %v", second.NotAfter, first.NotAfter)
	}
}

// An expired certificate is still served, also after a restart, and the owner reads why and what to do.
func TestAuthorityDown(t *testing.T) {
	t.Parallel()
	d := ports(t)
	authority := programs.Pebble(t, d.httpPort, d.port, 4*time.Second)
	config := d.config(t, authority.URL)
	stop := d.run(t, config, authority.Own)
	d.eventually(t, anyOne)
	authority.Kill()
	last := d.eventually(t, anyOne)
	line, _ := d.log.wait(t, 0, "certificate was not obtained")
	expect.Holds(t, "the log", line, named(t), "refused", hints.Text(adviceKeys+"down"))
	ended := d.eventually(t, func(leaf *x509.Certificate) bool { return time.Now().After(leaf.NotAfter) })
	if ended.NotAfter.Before(last.NotAfter) {
		t.Errorf("served until %v, there until %v", ended.NotAfter, last.NotAfter)
	}
	state := <-d.ending
	for state.Err == nil { // it may end before the renewal has failed
		state = <-d.ending
	}
	expect.Same(t, "domain, whether it ends soon, advice",
		[]any{named(t), true, "down"}, []any{state.Domain, state.IsEnding(time.Now()), state.Advice()})
	stop()

	d.run(t, config, authority.Own) // a start while the authority is down
	if leaf := expect.Value(d.served(t, named(t)))(t); !leaf.Equal(ended) {
		t.Errorf("after a start, %v is served\n%s", leaf, d.log.lines)
	}
	expect.Error(t, "the readiness", d.Ready(), nil)
}

// A stop does not wait for an authority, and leaves nothing that the next start would wait for.
func TestStopInTheMiddle(t *testing.T) {
	t.Parallel()
	d := ports(t)
	authority := programs.Pebble(t, d.httpPort, d.port, time.Hour)
	asked := make(chan struct{}, 100)
	var hangs atomic.Bool
	hangs.Store(true)
	target := expect.Value(url.Parse(authority.URL))(t)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "https", target.Host, r.In.Host
		},
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authority.Own}},
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "order") || !hangs.Load() {
			proxy.ServeHTTP(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // else the server would not see the end of the connection
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	directory, roots := server.URL+target.Path, x509.NewCertPool()
	roots.AddCert(server.Certificate())
	stop := d.run(t, d.config(t, directory), roots)
	<-asked
	stop() // the test would not end before its time
	expect.Same(t, "locks", nil, expect.Value(filepath.Glob(filepath.Join(d.folder, "locks", "*.lock")))(t))
	hangs.Store(false)
	d.run(t, d.config(t, directory), roots)
	d.eventually(t, anyOne)
	line, _ := d.log.wait(t, 0, "certificate")
	expect.Lacks(t, "the log of the stop", line, "not obtained")
}
