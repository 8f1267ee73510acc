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
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

// The host names of the examples in deploy.
const (
	deskHost = "desk.example.org"
	appHost  = "app.example.org"
)

// proxies are the reverse proxies whose examples are tried: each starts the real
// program with the example's very text, at a free port, in front of upstreams.
var proxies = map[string]func(t *testing.T, addr string, upstreams ...string){
	"nginx": startNginx,
	"caddy": startCaddy,
}

// replaced is a file of deploy with other addresses. Each must be there to replace.
func replaced(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	text, err := os.ReadFile("deploy/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			t.Fatalf("deploy/%s has no %q", file, pairs[i])
		}
	}
	return strings.NewReplacer(pairs...).Replace(string(text))
}

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func startNginx(t *testing.T, addr string, upstreams ...string) {
	t.Helper()
	nginx := programs.Find(t, "nginx", "apt-get install nginx-light", "/usr/sbin/nginx")
	dir := t.TempDir()
	certificate, key := certificateFiles(t, dir)
	plain, _ := programs.FreeAddr(t)
	site := writeFile(t, filepath.Join(dir, "site.conf"), replaced(t, "nginx.conf",
		"127.0.0.1:8080 max_fails=1", strings.Join(upstreams, " max_fails=1; server ")+" max_fails=1", "listen 443 ", "listen "+addr+" ", "listen 80;", "listen "+plain+";",
		"listen [::]:443 ssl http2;", "", "listen [::]:80;", "",
		"/etc/ssl/frontdesk/fullchain.pem", certificate, "/etc/ssl/frontdesk/privkey.pem", key))
	var temps strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temps.WriteString(kind + "_temp_path " + filepath.Join(dir, kind) + ";")
	}
	main := writeFile(t, filepath.Join(dir, "nginx.conf"),
		"daemon off; master_process off; pid "+filepath.Join(dir, "pid")+"; error_log stderr; events {} http { access_log off; "+temps.String()+" include "+site+"; }")
	programs.Listening(t, addr, func() *exec.Cmd { return exec.Command(nginx, "-c", main, "-p", dir) }, hasCertificates(addr))
}

func startCaddy(t *testing.T, addr string, upstreams ...string) {
	t.Helper()
	caddy := programs.Find(t, "caddy", "apt-get install caddy")
	dir := t.TempDir()
	plain, _ := programs.FreeAddr(t)
	_, port, _ := net.SplitHostPort(addr)
	_, plainPort, _ := net.SplitHostPort(plain)
	// The public authorities cannot be had in a test: Caddy's own stands for them.
	global := "{\nadmin off\nlocal_certs\nskip_install_trust\nhttp_port " + plainPort + "\nhttps_port " + port + "\ndefault_bind 127.0.0.1\n}\n"
	file := writeFile(t, filepath.Join(dir, "Caddyfile"), global+replaced(t, "Caddyfile"))
	programs.Listening(t, addr, func() *exec.Cmd {
		command := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", file)
		command.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "DESK_UPSTREAMS="+strings.Join(upstreams, " "))
		return command
	}, hasCertificates(addr))
}

// hasCertificates tells when a proxy shows a certificate of each host: Caddy listens
// before it has made them.
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

// certificateFiles writes a certificate of both hosts and its key.
func certificateFiles(t *testing.T, dir string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{deskHost, appHost}, NotAfter: time.Now().Add(time.Hour)}
	public, certErr := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	secret, keyErr := x509.MarshalPKCS8PrivateKey(private)
	if err := errors.Join(certErr, keyErr); err != nil {
		t.Fatal(err)
	}
	encode := func(name, kind string, der []byte) string {
		return writeFile(t, filepath.Join(dir, name), string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})))
	}
	return encode("certificate.pem", "CERTIFICATE", public), encode("key.pem", "PRIVATE KEY", secret)
}

// proxied is a service behind a reverse proxy.
type proxied struct {
	*harness.Desk
	addr string // of the proxy
	base string // as published
}

// behind starts a service whose proxy is the only one that it believes.
func behind(t *testing.T, start func(t *testing.T, addr string, upstreams ...string)) proxied {
	t.Helper()
	addr, port := programs.FreeAddr(t)
	p := proxied{addr: addr, base: "https://" + deskHost + ":" + port}
	p.Desk = harness.Start(t, func(s *config.Settings) {
		s.BaseURL, s.AppURL = p.base, "https://"+appHost+":"+port
		s.TrustedProxies = []string{"127.0.0.1"}
	})
	start(t, addr, p.Addr().String())
	return p
}

// client is a caller with an address of its own, who knows the proxy by its names.
func (p proxied) client(t *testing.T) *http.Client {
	client := harness.NewClient(t)
	dialer := &net.Dialer{LocalAddr: harness.LocalAddr()}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, p.addr)
		},
		TLSClientConfig:    &tls.Config{InsecureSkipVerify: true}, // whose certificate it is, is not what is tried
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
