package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
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

	"frontdesk/config"
	"frontdesk/contract"
	"frontdesk/mailer/mailtest"
	"frontdesk/programs"
)

// The host names of the examples in deploy.
const (
	deskHost = "desk.example.org"
	appHost  = "app.example.org"
)

// proxies are the reverse proxies whose examples are tried: each starts the real
// program with the example's very text, at a free port, in front of an upstream.
var proxies = map[string]func(t *testing.T, addr, upstream string) *programs.Server{
	"nginx": startNginx,
	"caddy": startCaddy,
}

// replaced is a file of deploy with other addresses. Each must be there to replace.
func replaced(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("deploy", file))
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

func startNginx(t *testing.T, addr, upstream string) *programs.Server {
	t.Helper()
	nginx := programs.Find(t, "nginx", "apt-get install nginx-light", "/usr/sbin/nginx")
	dir := t.TempDir()
	certificate, key := certificateFiles(t, dir)
	plain, _ := programs.FreeAddr(t)
	site := writeFile(t, filepath.Join(dir, "site.conf"), replaced(t, "nginx.conf",
		"127.0.0.1:8080", upstream, "listen 443 ", "listen "+addr+" ", "listen 80;", "listen "+plain+";",
		"listen [::]:443 ssl http2;", "", "listen [::]:80;", "",
		"/etc/ssl/frontdesk/fullchain.pem", certificate, "/etc/ssl/frontdesk/privkey.pem", key))
	var temps strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temps.WriteString(kind + "_temp_path " + filepath.Join(dir, kind) + ";")
	}
	main := writeFile(t, filepath.Join(dir, "nginx.conf"),
		"daemon off; master_process off; pid "+filepath.Join(dir, "pid")+"; error_log stderr; events {} http { access_log off; "+temps.String()+" include "+site+"; }")
	return programs.Listening(t, addr, func() *exec.Cmd { return exec.Command(nginx, "-c", main, "-p", dir) }, hasCertificates(addr))
}

func startCaddy(t *testing.T, addr, upstream string) *programs.Server {
	t.Helper()
	caddy := programs.Find(t, "caddy", "apt-get install caddy")
	dir := t.TempDir()
	plain, _ := programs.FreeAddr(t)
	_, port, _ := net.SplitHostPort(addr)
	_, plainPort, _ := net.SplitHostPort(plain)
	// The public authorities cannot be had in a test: Caddy's own stands for them.
	global := "{\nadmin off\nlocal_certs\nskip_install_trust\nhttp_port " + plainPort + "\nhttps_port " + port + "\ndefault_bind 127.0.0.1\n}\n"
	file := writeFile(t, filepath.Join(dir, "Caddyfile"), global+replaced(t, "Caddyfile"))
	return programs.Listening(t, addr, func() *exec.Cmd {
		command := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", file)
		command.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "DESK_UPSTREAMS="+upstream)
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
	*desk
	addr string // of the proxy
	base string // as published
}

// behind starts a service whose proxy is the only one that it believes.
func behind(t *testing.T, start func(t *testing.T, addr, upstream string) *programs.Server) proxied {
	t.Helper()
	addr, port := programs.FreeAddr(t)
	p := proxied{addr: addr, base: "https://" + deskHost + ":" + port}
	p.desk = startDesk(t, func(s *config.Settings) {
		s.BaseURL, s.AppURL = p.base, "https://"+appHost+":"+port
		s.TrustedProxies = []string{"127.0.0.1"}
	})
	start(t, addr, p.listener.Addr().String())
	return p
}

// client is a caller with an address of its own, who knows the proxy by its names.
func (p proxied) client(t *testing.T) *http.Client {
	client := newClient(t)
	dialer := &net.Dialer{LocalAddr: localAddr()}
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
func (p proxied) ask(t *testing.T, client *http.Client, method, address, body string, header ...string) answer {
	t.Helper()
	at := *p.desk
	at.url = address
	return at.send(t, client, method, "", body, header...)
}

// TestProxies tries the examples of deploy with the real programs.
func TestProxies(t *testing.T) {
	t.Parallel()
	for name, start := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := behind(t, start)
			t.Run("client", func(t *testing.T) { proxyKeepsTheClient(t, p) })
			t.Run("paths", func(t *testing.T) { proxyKeepsPaths(t, p) })
			t.Run("bodies", func(t *testing.T) { proxyKeepsProblems(t, p) })
			t.Run("origin and host", func(t *testing.T) { proxyKeepsHeaders(t, p) })
			t.Run("MCP", func(t *testing.T) { proxyPassesMCP(t, p) })
		})
	}
}

// proxyKeepsTheClient: the limits count who is in front of the proxy, and a forged
// header buys nothing.
func proxyKeepsTheClient(t *testing.T, p proxied) {
	one, another := p.client(t), p.client(t)
	for i := range contract.AskPolicy.Quota + 1 {
		want := http.StatusOK
		if i == contract.AskPolicy.Quota {
			want = http.StatusTooManyRequests
		}
		forged := "X-Forwarded-For: 203.0.113." + string(rune('1'+i))
		wantStatus(t, p.ask(t, one, http.MethodPost, p.base+contract.PathAsk, question("What does it cost?"), jsonType, forged), want)
	}
	wantStatus(t, p.ask(t, another, http.MethodPost, p.base+contract.PathAsk, question("What does it cost?"), jsonType), http.StatusOK)
}

func proxyKeepsPaths(t *testing.T, p proxied) {
	client := p.client(t)
	for path, status := range map[string]int{
		contract.PathHealth: http.StatusOK, "/": http.StatusOK, contract.PathCatalogAlias: http.StatusOK,
		"//v1/health": http.StatusNotFound, "/v1//health": http.StatusNotFound, "/v1/health/": http.StatusNotFound,
		"/V1/health": http.StatusNotFound, "/v1/x/../health": http.StatusNotFound, "/v1/nothing": http.StatusNotFound,
	} {
		got := p.ask(t, client, http.MethodGet, p.base+path, "")
		if got.StatusCode != status {
			t.Errorf("%s: status %d, want %d", path, got.StatusCode, status)
		}
		if status == http.StatusNotFound && got.Header.Get("Content-Type") != contract.TypeProblem {
			t.Errorf("%s: %s, want a problem record", path, got.Header.Get("Content-Type"))
		}
	}
}

// proxyKeepsProblems: what is too large for the service is told by it, and what is
// too large for the proxy as a problem record too.
func proxyKeepsProblems(t *testing.T, p proxied) {
	for _, size := range []int{contract.CapContact + 1, 64 << 10, 2 << 20} {
		got := p.ask(t, p.client(t), http.MethodPost, p.base+contract.PathContact, strings.Repeat("x", size), jsonType)
		wantStatus(t, got, http.StatusRequestEntityTooLarge)
		if problem := problemOf(t, got); problem.Code != contract.PayloadTooLarge {
			t.Errorf("a body of %d bytes: %+v", size, problem)
		}
	}
	pad := "X-Pad: " + strings.Repeat("x", 20<<10)
	wantStatus(t, p.ask(t, p.client(t), http.MethodGet, p.base+contract.PathHealth, "", pad), http.StatusOK)
}

func problemOf(t *testing.T, got answer) contract.Problem {
	t.Helper()
	var problem contract.Problem
	if err := json.Unmarshal(got.body, &problem); err != nil || got.Header.Get("Content-Type") != contract.TypeProblem {
		t.Fatalf("%s is no problem record: %v: %s", got.Header.Get("Content-Type"), err, got.body)
	}
	if problem.Status != got.StatusCode || problem.Title == "" || problem.Hint == "" {
		t.Errorf("the problem record is not whole: %s", got.body)
	}
	return problem
}

func proxyKeepsHeaders(t *testing.T, p proxied) {
	client := p.client(t)
	wantStatus(t, p.ask(t, client, http.MethodGet, p.base+contract.PathCatalog, "", "Origin: "+p.base), http.StatusOK)
	wantStatus(t, p.ask(t, client, http.MethodGet, p.base+contract.PathCatalog, "", "Origin: https://evil.example"), http.StatusForbidden)
	catalog := p.ask(t, client, http.MethodGet, p.base+contract.PathCatalog, "")
	wantStatus(t, p.ask(t, client, http.MethodGet, p.base+contract.PathCatalog, "", "If-None-Match: "+catalog.Header.Get("ETag")), http.StatusNotModified)
	// The directory signs for the published host alone: it has to arrive.
	keys := p.ask(t, client, http.MethodGet, p.base+contract.PathKeyDirectory, "")
	if keys.Header.Get(contract.HeaderSignature) == "" {
		t.Error("the key directory is not signed: Host does not arrive as it was sent")
	}
	zipped := p.ask(t, client, http.MethodGet, p.base+contract.PathOpenAPI, "", "Accept-Encoding: gzip")
	if zipped.Header.Get("Content-Encoding") != "gzip" || zipped.Header.Get("ETag") == "" {
		t.Errorf("gzip does not pass: %v", zipped.Header)
	}
}

func proxyPassesMCP(t *testing.T, p proxied) {
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	app := strings.Replace(p.base, deskHost, appHost, 1)
	for address, tool := range map[string]string{p.base + contract.PathMCP: "ask_faq", app + contract.PathWorkspaceMCP: "start_trial"} {
		got := p.ask(t, p.client(t), http.MethodPost, address, list, jsonType)
		wantStatus(t, got, http.StatusOK)
		if !strings.Contains(string(got.body), tool) {
			t.Errorf("%s lists no %s: %s", address, tool, got.body)
		}
	}
	elsewhere := p.ask(t, p.client(t), http.MethodGet, app+contract.PathCatalog, "")
	if elsewhere.StatusCode != http.StatusNotFound || elsewhere.Header.Get(contract.HeaderAPIVersion) != "" {
		t.Errorf("the rest of the workspace address is the service's: %d", elsewhere.StatusCode)
	}
}

// TestProxiesWaitForTheMail: a mail server that hangs is waited for as long as the
// service waits, and then the service itself says so.
func TestProxiesWaitForTheMail(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits as long as a send may take")
	}
	for name, start := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := behind(t, start)
			p.mail.SetFault(mailtest.Fault{Stage: mailtest.Data, Action: mailtest.Hang})
			got := p.ask(t, p.client(t), http.MethodPost, p.base+contract.PathContact, contactBody(""), jsonType)
			wantStatus(t, got, http.StatusBadGateway)
			if problem := problemOf(t, got); problem.Code != contract.BadGateway {
				t.Errorf("the proxy has answered in place of the service: %s", got.body)
			}
		})
	}
}

// TestProxiesWithoutTheService: what the proxy itself has to say can be read by a
// program.
func TestProxiesWithoutTheService(t *testing.T) {
	t.Parallel()
	for name, start := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addr, port := programs.FreeAddr(t)
			nobody, _ := programs.FreeAddr(t)
			start(t, addr, nobody)
			p := proxied{desk: &desk{}, addr: addr, base: "https://" + deskHost + ":" + port}
			got := p.ask(t, p.client(t), http.MethodGet, p.base+contract.PathHealth, "")
			if got.StatusCode != http.StatusBadGateway && got.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("status %d, want 502 or 503", got.StatusCode)
			}
			problemOf(t, got)
		})
	}
}
