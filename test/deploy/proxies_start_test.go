package deploy_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

// The host names of the examples in tests. Both are on loopback, so that conform can
// reach them by name.
const (
	deskHost = "localhost"
	appHost  = "app.localhost"
)

// proxy starts a reverse proxy at addr in front of upstreams. Their /readyz is at
// healthPort of the same hosts.
type proxy func(t *testing.T, addr, healthPort string, upstreams ...string)

// examples are the proxies with a configuration in deploy: each starts the real program
// with the text of the example, except for addresses, names and certificates.
var examples = map[string]proxy{
	"nginx":   startNginx,
	"caddy":   startCaddy,
	"haproxy": startHAProxy,
}

// replaced returns a file of deploy with replaced texts, each of which must occur in it.
func replaced(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	text := expect.Value(os.ReadFile("deploy/" + file))(t)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			t.Fatalf("deploy/%s has no %q", file, pairs[i])
		}
	}
	return strings.NewReplacer(pairs...).Replace(string(text))
}

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	expect.OK(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func startNginx(t *testing.T, addr, healthPort string, upstreams ...string) {
	t.Helper()
	nginx := programs.Find(t, "nginx", "apt-get install nginx-light", "/usr/sbin/nginx")
	dir := t.TempDir()
	certificate, key := certificateFiles(t, dir)
	plain, _ := programs.FreeAddr(t)
	site := writeFile(t, filepath.Join(dir, "site.conf"), replaced(t, "nginx.conf",
		"127.0.0.1:9090", adminOf(upstreams[0], healthPort), "127.0.0.1:8080 max_fails=1", strings.Join(upstreams, " max_fails=1 fail_timeout=5s; server ")+" max_fails=1", "listen 443 ", "listen "+addr+" ", "listen 80;", "listen "+plain+";",
		"listen [::]:443 ssl http2;", "", "listen [::]:80;", "", "desk.example.org", deskHost, "app.example.org", appHost,
		"/etc/ssl/frontdesk/fullchain.pem", certificate, "/etc/ssl/frontdesk/privkey.pem", key))
	var temps strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temps.WriteString(kind + "_temp_path " + filepath.Join(dir, kind) + ";")
	}
	main := writeFile(t, filepath.Join(dir, "nginx.conf"),
		"daemon off; master_process off; pid "+filepath.Join(dir, "pid")+"; error_log stderr; events {} http { access_log off; "+temps.String()+" include "+site+"; }")
	programs.Listening(t, addr, func() *exec.Cmd { return exec.Command(nginx, "-c", main, "-p", dir) }, hasCertificates(addr))
}

// startCaddy gives Caddy the test's certificates: its own would need a public authority,
// or a storage that Caddy 2.6 cleans while it is written.
func startCaddy(t *testing.T, addr, healthPort string, upstreams ...string) {
	t.Helper()
	caddy := programs.Find(t, "caddy", "apt-get install caddy")
	dir := t.TempDir()
	certificate, key := certificateFiles(t, dir)
	plain, _ := programs.FreeAddr(t)
	_, port, _ := net.SplitHostPort(addr)
	_, plainPort, _ := net.SplitHostPort(plain)
	global := "{\nadmin off\nskip_install_trust\nhttp_port " + plainPort + "\nhttps_port " + port + "\ndefault_bind 127.0.0.1\n}\n"
	file := writeFile(t, filepath.Join(dir, "Caddyfile"), global+replaced(t, "Caddyfile", "\timport problems\n}", "\timport problems\n\ttls "+certificate+" "+key+"\n}"))
	programs.Listening(t, addr, func() *exec.Cmd {
		command := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", file)
		command.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir,
			"DESK_HOST="+deskHost, "DESK_APP_HOST="+appHost, "DESK_UPSTREAMS="+strings.Join(upstreams, " "), "DESK_ADMIN_PORT="+healthPort,
			"DESK_ADMIN_UPSTREAMS="+adminOf(upstreams[0], healthPort))
		return command
	}, hasCertificates(addr))
}

func startHAProxy(t *testing.T, addr, healthPort string, upstreams ...string) {
	t.Helper()
	haproxy := programs.Find(t, "haproxy", "apt-get install haproxy", "/usr/sbin/haproxy")
	dir := t.TempDir()
	certificate, key := certificateFiles(t, dir)
	both := writeFile(t, filepath.Join(dir, "both.pem"), readFile(t, certificate)+readFile(t, key))
	var servers strings.Builder
	for i, upstream := range upstreams {
		fmt.Fprintf(&servers, "    server desk-%d %s port %s\n", i+1, upstream, healthPort)
	}
	file := writeFile(t, filepath.Join(dir, "haproxy.cfg"), replaced(t, "haproxy.cfg",
		"bind :443", "bind "+addr, "/etc/ssl/frontdesk/desk.pem", both, "app.example.org", appHost, "    server desk-1 127.0.0.1:8080 port 9090\n", servers.String(),
		"127.0.0.1:9090", adminOf(upstreams[0], healthPort)))
	programs.Listening(t, addr, func() *exec.Cmd { return exec.Command(haproxy, "-db", "-f", file) }, hasCertificates(addr))
}

// adminOf is the admin address of the instance at an address.
func adminOf(upstream, port string) string {
	host, _, _ := net.SplitHostPort(upstream)
	return net.JoinHostPort(host, port)
}

// startReverseProxy starts a proxy with Go's httputil.
func startReverseProxy(t *testing.T, addr, _ string, upstreams ...string) {
	t.Helper()
	target := &url.URL{Scheme: "http", Host: upstreams[0]}
	certificate, key := certificateFiles(t, t.TempDir())
	pair := expect.Value(tls.LoadX509KeyPair(certificate, key))(t)
	listener := expect.Value(tls.Listen("tcp", addr, &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"}}))(t)
	server := &http.Server{ErrorLog: log.New(io.Discard, "", 0), Handler: &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
			r.SetXForwarded()
		},
	}}
	go func() { _ = server.Serve(listener) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
}

// hasCertificates waits until a proxy shows a certificate for each host: Caddy listens
// before it has loaded them.
func hasCertificates(addr string) func() error {
	return func() error {
		for _, host := range []string{deskHost, appHost} {
			dialer := &tls.Dialer{NetDialer: &net.Dialer{Timeout: time.Second}, Config: &tls.Config{ServerName: host, InsecureSkipVerify: true}}
			conn, err := dialer.Dial("tcp", addr)
			if err != nil {
				return err
			}
			_ = conn.Close()
		}
		return nil
	}
}

// alwaysReady is the port of an admin address whose /readyz is always 200.
func alwaysReady(t *testing.T) (port string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	_, port, _ = net.SplitHostPort(server.Listener.Addr().String())
	return port
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text := expect.Value(os.ReadFile(path))(t)
	return string(text)
}

// certificateFiles writes a certificate of both hosts and its key.
func certificateFiles(t *testing.T, dir string) (certificate, key string) {
	t.Helper()
	private := expect.Value(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{deskHost, appHost}, NotAfter: time.Now().Add(time.Hour),
		BasicConstraintsValid: true, IsCA: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	public, certErr := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	secret, keyErr := x509.MarshalPKCS8PrivateKey(private)
	expect.OK(t, errors.Join(certErr, keyErr))
	encode := func(name, kind string, der []byte) string {
		return writeFile(t, filepath.Join(dir, name), string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})))
	}
	return encode("certificate.pem", "CERTIFICATE", public), encode("key.pem", "PRIVATE KEY", secret)
}

// adminToken opens the owner's pages.
const adminToken = "0123456789abcdef"

// proxied is a service behind a reverse proxy.
type proxied struct {
	*harness.Desk
	addr string // of the proxy
	base string // as published
}

// behind starts a service that trusts only its proxy. change may alter its settings.
func behind(t *testing.T, start proxy, change ...func(*config.Settings)) proxied {
	t.Helper()
	addr, port := programs.FreeAddr(t)
	admin, adminPort := programs.FreeAddr(t)
	p := proxied{addr: addr, base: "https://" + deskHost + ":" + port}
	p.Desk = harness.Start(t, func(s *config.Settings) {
		s.BaseURL.Text, s.AppURL.Text = p.base, "https://"+appHost+":"+port
		s.TrustedProxies = []string{"127.0.0.1"}
		s.AdminAddr, s.AdminToken = admin, adminToken
		for _, change := range change {
			change(s)
		}
	})
	start(t, addr, adminPort, p.Addr().String())
	return p
}

// client returns a client with a new address that finds the proxy by its names.
func (p proxied) client(t *testing.T) *http.Client {
	client := harness.NewClient(t)
	dialer := &net.Dialer{LocalAddr: harness.LocalAddr()}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, p.addr)
		},
		TLSClientConfig:    &tls.Config{InsecureSkipVerify: true}, // the certificate is not under test
		ForceAttemptHTTP2:  true,
		DisableCompression: true,
	}
	t.Cleanup(transport.CloseIdleConnections)
	client.Transport = transport
	return client
}

// ask sends a request to a published address.
func (p proxied) ask(t *testing.T, client *http.Client, method, address, body string, header ...string) harness.Answer {
	t.Helper()
	at := *p.Desk
	at.URL = address
	return at.Send(t, client, method, "", body, header...)
}
