package deploy_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
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

// Both are on loopback, so that conform can reach them by name.
const (
	deskHost = "localhost"
	appHost  = "app.localhost"
)

// site is what a proxy serves: an address with a certificate of both hosts. The upstreams' /readyz is at healthPort.
type site struct {
	addr, base       string // base is the published address of the service
	certificate, key string // files
	roots            *x509.CertPool
	healthPort       string
	upstreams        []string
}

// newSite has no upstreams yet; they are always ready.
func newSite(t *testing.T) site {
	t.Helper()
	addr, port := programs.FreeAddr(t)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	_, ready, _ := net.SplitHostPort(server.Listener.Addr().String())
	dir := t.TempDir()
	s := site{addr: addr, base: "https://" + deskHost + ":" + port, healthPort: ready,
		certificate: filepath.Join(dir, "certificate.pem"), key: filepath.Join(dir, "key.pem")}
	s.roots = programs.SelfSigned(t, s.certificate, s.key, time.Hour, deskHost, appHost)
	return s
}

func (s site) app() string { return strings.Replace(s.base, deskHost, appHost, 1) }

func (s site) admin() string {
	host, _, _ := net.SplitHostPort(s.upstreams[0])
	return net.JoinHostPort(host, s.healthPort)
}

func (s site) dial(dialer *net.Dialer) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, s.addr)
	}
}

func (s site) tls(host string) *tls.Config { return &tls.Config{ServerName: host, RootCAs: s.roots} }

type proxy func(t *testing.T, s site)

// examples start the real program with the text of deploy, except for addresses, names and certificates.
var examples = map[string]proxy{
	"nginx":   startNginx,
	"caddy":   startCaddy,
	"haproxy": startHAProxy,
}

// Each replaced text must occur in the file.
func replaced(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	text := deployFile(t, file)
	for i := 0; i < len(pairs); i += 2 {
		expect.Holds(t, "deploy/"+file+" has no", text, pairs[i])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	expect.Write(t, path, text)
	return path
}

func startNginx(t *testing.T, s site) {
	t.Helper()
	nginx := programs.Find(t, "nginx", "apt-get install nginx-light", "/usr/sbin/nginx")
	dir := t.TempDir()
	plain, _ := programs.FreeAddr(t)
	site := writeFile(t, filepath.Join(dir, "site.conf"), replaced(t, "nginx.conf",
		"127.0.0.1:9090", s.admin(), "127.0.0.1:8080 max_fails=1",
		strings.Join(s.upstreams, " max_fails=1 fail_timeout=2s; server ")+" max_fails=1",
		"listen 443 ", "listen "+s.addr+" ", "listen 80;", "listen "+plain+";", "listen [::]:443 ssl http2;", "",
		"listen [::]:80;", "", "desk.example.org", deskHost, "app.example.org", appHost,
		"/etc/ssl/frontdesk/fullchain.pem", s.certificate, "/etc/ssl/frontdesk/privkey.pem", s.key))
	temps := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temps += kind + "_temp_path " + filepath.Join(dir, kind) + ";"
	}
	main := writeFile(t, filepath.Join(dir, "nginx.conf"), "daemon off; master_process off; pid "+dir+"/pid"+
		"; error_log stderr; events {} http { access_log off; "+temps+" include "+site+"; }")
	s.listening(t, func() *exec.Cmd { return exec.Command(nginx, "-c", main, "-p", dir) })
}

// Caddy's own certificates would need a public authority, or a storage that Caddy 2.6 cleans while it is written.
func startCaddy(t *testing.T, s site) {
	t.Helper()
	caddy := programs.Find(t, "caddy", "apt-get install caddy")
	dir := t.TempDir()
	_, port, _ := net.SplitHostPort(s.addr)
	_, plainPort := programs.FreeAddr(t)
	global := "{\nadmin off\nskip_install_trust\nhttp_port " + plainPort + "\nhttps_port " + port +
		"\ndefault_bind 127.0.0.1\n}\n"
	file := writeFile(t, filepath.Join(dir, "Caddyfile"), global+replaced(t, "Caddyfile",
		"\timport problems\n}", "\timport problems\n\ttls "+s.certificate+" "+s.key+"\n}"))
	s.listening(t, func() *exec.Cmd {
		command := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", file)
		command.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir,
			"DESK_HOST="+deskHost, "DESK_APP_HOST="+appHost, "DESK_UPSTREAMS="+strings.Join(s.upstreams, " "),
			"DESK_ADMIN_PORT="+s.healthPort, "DESK_ADMIN_UPSTREAMS="+s.admin()+" 127.0.0.1:1") // nothing listens there
		return command
	})
}

func startHAProxy(t *testing.T, s site) {
	t.Helper()
	haproxy := programs.Find(t, "haproxy", "apt-get install haproxy", "/usr/sbin/haproxy")
	dir := t.TempDir()
	plain, _ := programs.FreeAddr(t)
	both := writeFile(t, filepath.Join(dir, "both.pem"), readFile(t, s.certificate)+readFile(t, s.key))
	servers := ""
	for i, upstream := range s.upstreams {
		servers += fmt.Sprintf("    server desk-%d %s port %s\n", i+1, upstream, s.healthPort)
	}
	file := writeFile(t, filepath.Join(dir, "haproxy.cfg"), replaced(t, "haproxy.cfg",
		"bind :443,:::443 v6only", "bind "+s.addr, "bind :80,:::80 v6only", "bind "+plain,
		"/etc/ssl/frontdesk/desk.pem", both, "app.example.org", appHost,
		"    server desk-1 127.0.0.1:8080 port 9090\n", servers, "127.0.0.1:9090", s.admin()))
	s.listening(t, func() *exec.Cmd { return exec.Command(haproxy, "-db", "-f", file) })
}

func startReverseProxy(t *testing.T, s site) {
	t.Helper()
	target := &url.URL{Scheme: "http", Host: s.upstreams[0]}
	pair := expect.Value(tls.LoadX509KeyPair(s.certificate, s.key))(t)
	listener := expect.Value(tls.Listen("tcp", s.addr, &tls.Config{
		Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"},
	}))(t)
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

// listening waits until a certificate is shown for each host: Caddy listens before it has loaded them.
func (s site) listening(t *testing.T, command func() *exec.Cmd) {
	t.Helper()
	programs.Listening(t, s.addr, command, func() error {
		for _, host := range []string{deskHost, appHost} {
			dialer := tls.Dialer{NetDialer: &net.Dialer{Timeout: time.Second}, Config: s.tls(host)}
			conn, err := dialer.Dial("tcp", s.addr)
			if err != nil {
				return err
			}
			_ = conn.Close()
		}
		return nil
	})
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	return expect.File(t, path)
}

const adminToken = "0123456789abcdef"

type proxied struct {
	*harness.Desk
	site
}

// behind starts a service that trusts only its proxy. change may alter its settings.
func behind(t *testing.T, start proxy, change ...func(*config.Settings)) proxied {
	t.Helper()
	p := proxied{site: newSite(t)}
	p.Desk = harness.Start(t, func(s *config.Settings) {
		s.AdminAddr, p.healthPort = programs.FreeAddr(t)
		s.BaseURL.Text, s.AppURL.Text = p.base, p.app()
		s.TrustedProxies, s.AdminToken = []string{"127.0.0.1"}, adminToken
		for _, change := range change {
			change(s)
		}
	})
	p.upstreams = []string{p.Addr().String()}
	start(t, p.site)
	return p
}

func (p proxied) client(t *testing.T) *http.Client {
	client := harness.NewClient(t)
	transport := client.Transport.(*http.Transport)
	transport.DialContext = p.dial(&net.Dialer{LocalAddr: harness.LocalAddr()})
	transport.TLSClientConfig, transport.ForceAttemptHTTP2 = &tls.Config{RootCAs: p.roots}, true
	return client
}

func (p proxied) ask(t *testing.T, client *http.Client, method, address, body string, header ...string) harness.Answer {
	t.Helper()
	at := *p.Desk
	at.URL = address
	return at.Send(t, client, method, "", body, header...)
}
