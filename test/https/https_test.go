// Package https_test runs the program with domains, on free ports, with a real ACME server.
package https_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

const (
	domain      = "desk.example"
	further     = "www.desk.example"
	ownerDomain = "owner.example"
	token       = "0123456789abcdef-token"
)

type desk struct {
	t                                                 *testing.T
	httpAddr, addr, httpPort, port, adminAddr, folder string
	settings                                          []string
	log                                               *harness.Log
	process                                           *exec.Cmd
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, folder: t.TempDir()}
	d.httpAddr, d.httpPort = programs.FreeAddr(t)
	d.addr, d.port = programs.FreeAddr(t)
	d.adminAddr, _ = programs.FreeAddr(t)
	d.settings = []string{
		"FRONTDESK_DOMAIN=" + domain + "," + further, "FRONTDESK_OWNER_DOMAIN=" + ownerDomain,
		"FRONTDESK_ADMIN_TOKEN=" + token, "FRONTDESK_ADDR=" + d.addr, "FRONTDESK_HTTP_ADDR=" + d.httpAddr,
		"FRONTDESK_ADMIN_ADDR=" + d.adminAddr, "FRONTDESK_SMTP_URL=file:", "FRONTDESK_DATA=" + d.folder,
	}
	return d
}

func (d *desk) start() {
	d.t.Helper()
	d.process, _, d.log = harness.StartProcess(d.t, d.settings...)
}

func (d *desk) end(signal syscall.Signal) error {
	d.t.Helper()
	expect.OK(d.t, d.process.Process.Signal(signal))
	return d.process.Wait()
}

func (d *desk) ready() (status int, body string) {
	d.t.Helper()
	return harness.Get(d.t, "http://"+d.adminAddr+"/readyz")
}

func (d *desk) state() string {
	d.t.Helper()
	response, page := send(d.t, http.DefaultClient, "GET", "http://"+d.adminAddr+"/owner/state", "",
		"Authorization: Bearer "+token)
	expect.Same(d.t, "the page State", 200, response.StatusCode)
	return page
}

// browser is a client that finds every name at the desk and trusts roots.
func (d *desk) browser(roots *x509.CertPool) *http.Client {
	jar := expect.Value(cookiejar.New(nil))(d.t)
	transport := &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots},
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			at := d.addr
			if strings.HasSuffix(addr, ":80") {
				at = d.httpAddr
			}
			return new(net.Dialer).DialContext(ctx, "tcp", at)
		},
	}
	d.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport: transport, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func send(t *testing.T, client *http.Client, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	request := expect.Value(http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body)))(t)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		request.Header.Set(name, value)
	}
	response := expect.Value(client.Do(request))(t)
	defer response.Body.Close()
	return response, string(expect.Value(io.ReadAll(response.Body))(t))
}

// TestPublicDesk starts without an authority, is killed while it tries, starts again with one, and serves.
func TestPublicDesk(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	authority := programs.Pebble(t, d.httpPort, d.port, 90*24*time.Hour)
	d.settings = append(d.settings, "FRONTDESK_ACME_CA="+authority.URL, "SSL_CERT_FILE="+authority.OwnFile)
	authority.Kill()
	d.start()
	d.log.Wait(t, "a certificate was not obtained", 1)
	status, body := d.ready()
	expect.Same(t, "ready without a certificate", 503, status)
	expect.Holds(t, "ready without a certificate", body, "no certificate yet for "+domain)
	expect.Holds(t, "the state", d.state(), "no certificate yet", "The certificate authority does not answer.")
	_ = d.end(syscall.SIGKILL)

	authority.Start()
	d.start()
	harness.Eventually(t, func() bool { status, _ := d.ready(); return status == 200 }, d.log.String)
	browser := d.browser(authority.Roots())
	d.checkHTTP(browser)
	d.checkHTTPS(browser)
	d.checkOwner(browser)
	expect.Error(t, d.log.String(), d.end(syscall.SIGTERM), nil)
	expect.Lacks(t, "the log", d.log.String(), "TLS handshake error", "is stale")
}

// The owner's own certificate is served after its end; a notification and the page State report it.
func TestEndedCertificate(t *testing.T) {
	t.Parallel()
	d, messages := newDesk(t), make(chan string, 10)
	phone := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		messages <- r.Header.Get("Title") + " " + string(text)
	}))
	t.Cleanup(phone.Close)
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	programs.SelfSigned(t, cert, key, -time.Second, domain, further, ownerDomain)
	d.settings = append(d.settings, "FRONTDESK_TLS_CERT="+cert, "FRONTDESK_TLS_KEY="+key,
		"FRONTDESK_NOTIFY_NTFY="+phone.URL+"/desk")
	d.start()
	expect.Holds(t, "the notification", <-messages, "certificate of the desk ends soon", domain)
	expect.Holds(t, "the state", d.state(), "Replace the files of FRONTDESK_TLS_CERT")
	expect.OK(t, d.shake(domain))
}

// shake makes a handshake for a name.
func (d *desk) shake(name string) error {
	conn, err := tls.Dial("tcp", d.addr, &tls.Config{ServerName: name, InsecureSkipVerify: true})
	if err == nil {
		_ = conn.Close()
	}
	return err
}

// checkHTTP checks that HTTP leads to HTTPS, and never to another host.
func (d *desk) checkHTTP(browser *http.Client) {
	for _, tt := range []struct{ method, url, to string }{
		{"GET", "http://" + domain + "/contact?x=1", "https://" + domain + "/contact?x=1"},
		{"POST", "http://" + further + contract.PathAsk, "https://" + further + contract.PathAsk},
		{"GET", "http://" + ownerDomain + "/owner/", "https://" + ownerDomain + "/owner/"},
	} {
		got, _ := send(d.t, browser, tt.method, tt.url, "")
		expect.Same(d.t, tt.method+" "+tt.url, []any{308, tt.to}, []any{got.StatusCode, got.Header.Get("Location")})
	}
}

func (d *desk) checkHTTPS(browser *http.Client) {
	t := d.t
	page, _ := send(t, browser, "GET", "https://"+domain+"/", "")
	expect.Same(t, "the home page", []any{200, "HTTP/2.0", "max-age=31536000", ""}, []any{
		page.StatusCode, page.Proto, page.Header.Get("Strict-Transport-Security"), page.Header.Get("Alt-Svc")})
	// The address of the peer counts, whatever a caller claims.
	for n, name := range []string{domain, further, domain, domain, domain, domain} {
		got, body := send(t, browser, "POST", "https://"+name+contract.PathAsk, harness.Question("What does it cost?"),
			harness.JSONType, "Origin: https://"+name, fmt.Sprint("X-Forwarded-For: 192.0.2.", n))
		expect.Same(t, fmt.Sprintf("question %d: %s", n, body), map[bool]int{true: 200, false: 429}[n < 5], got.StatusCode)
	}
	got, _ := send(t, browser, "GET", "https://"+domain+"/owner/", "")
	expect.Same(t, "/owner/ of the public name", 404, got.StatusCode)
	if d.shake("shop.example") == nil {
		t.Error("a handshake for another name succeeds")
	}
}

func (d *desk) checkOwner(browser *http.Client) {
	t, base := d.t, "https://"+ownerDomain
	for path, status := range map[string]int{
		"/": 303, "/owner/": 303, "/owner/sign-in": 200, "/contact": 404, "/robots.txt": 404,
		contract.PathHealth: 404, "/metrics": 404, "/debug/pprof/": 404,
	} {
		got, _ := send(t, browser, "GET", base+path, "")
		if got.StatusCode != status || path != "/" && got.Header.Get("X-Robots-Tag") != "noindex, nofollow" {
			t.Errorf("%s is answered %d, X-Robots-Tag %q", path, got.StatusCode, got.Header.Get("X-Robots-Tag"))
		}
	}
	link := expect.Value(harness.Process(t.Context(), "admin-link", "--data", d.folder).Output())(t)
	expect.Holds(t, "admin-link", string(link), base+"/owner/sign-in?link=")
	signIn := func(token string) *http.Response {
		got, _ := send(t, browser, "POST", base+"/owner/sign-in", "token="+token,
			"Content-Type: application/x-www-form-urlencoded", "Origin: "+base)
		return got
	}
	got := signIn(token)
	if got.StatusCode != 303 || len(got.Cookies()) != 1 || !got.Cookies()[0].Secure ||
		got.Header.Get("Strict-Transport-Security") == "" {
		t.Fatalf("signing in: %d %v", got.StatusCode, got.Header)
	}
	_, state := send(t, browser, "GET", base+"/owner/state", "")
	_, metrics := harness.Get(t, "http://"+d.adminAddr+"/metrics")
	for _, name := range []string{domain, further, ownerDomain} {
		expect.Holds(t, "the state", state, name+": certificate until")
		expect.Holds(t, "the metrics", metrics, `frontdesk_certificate_end_timestamp_seconds{domain="`+name+`"`)
	}
	wrong := 0
	for signIn("wrong").StatusCode == 401 {
		wrong++
	}
	expect.Same(t, "wrong tries are accepted", 5, wrong)
}
