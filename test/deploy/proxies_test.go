package deploy_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"frontdesk/conform"
	"frontdesk/conform/checks"
	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// eachProxy runs a test with each proxy at the same time.
func eachProxy(t *testing.T, proxies map[string]proxy, test func(t *testing.T, start proxy)) {
	t.Parallel()
	for name, start := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start)
		})
	}
}

// TestProxies runs the examples of deploy with the real programs.
func TestProxies(t *testing.T) {
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		p := behind(t, start)
		t.Run("client", func(t *testing.T) { proxyKeepsTheClient(t, p) })
		t.Run("paths", func(t *testing.T) { proxyKeepsPaths(t, p) })
		t.Run("bodies", func(t *testing.T) { proxyKeepsProblems(t, p) })
		t.Run("owner", func(t *testing.T) { proxyPublishesOnlyOwnerPages(t, p) })
		t.Run("MCP", func(t *testing.T) { proxyPassesMCP(t, p) })
	})
}

// proxyKeepsTheClient checks that the limits count the client in front of the proxy, and
// that a forged header changes nothing.
func proxyKeepsTheClient(t *testing.T, p proxied) {
	one, another := p.client(t), p.client(t)
	for i := range contract.AskPolicy.Quota + 1 {
		want := http.StatusOK
		if i == contract.AskPolicy.Quota {
			want = http.StatusTooManyRequests
		}
		forged := "X-Forwarded-For: 203.0.113." + string(rune('1'+i))
		harness.WantStatus(t, p.ask(t, one, http.MethodPost, p.base+contract.PathAsk, harness.Question("What does it cost?"), harness.JSONType, forged), want)
	}
	harness.WantStatus(t, p.ask(t, another, http.MethodPost, p.base+contract.PathAsk, harness.Question("What does it cost?"), harness.JSONType), http.StatusOK)
}

func proxyKeepsPaths(t *testing.T, p proxied) {
	client := p.client(t)
	for path, status := range map[string]int{
		contract.PathHealth: http.StatusOK, "/": http.StatusOK, contract.PathCatalogAlias: http.StatusOK,
		"//v1/health": http.StatusNotFound, "/v1//health": http.StatusNotFound, "/v1/health/": http.StatusNotFound,
		"/V1/health": http.StatusNotFound, "/v1/x/../health": http.StatusNotFound, "/v1/nothing": http.StatusNotFound,
	} {
		got := p.ask(t, client, http.MethodGet, p.base+path, "")
		expect.Same(t, path+": status", status, got.StatusCode)
		if status == http.StatusNotFound && got.Header.Get("Content-Type") != contract.TypeProblem {
			t.Errorf("%s: %s, want a problem record", path, got.Header.Get("Content-Type"))
		}
	}
}

// proxyKeepsProblems checks that requests too large for the service or for the proxy are
// answered with a problem record.
func proxyKeepsProblems(t *testing.T, p proxied) {
	for _, size := range []int{contract.CapContact + 1, 64 << 10, 2 << 20} {
		got := p.ask(t, p.client(t), http.MethodPost, p.base+contract.PathContact, strings.Repeat("x", size), harness.JSONType)
		harness.WantStatus(t, got, http.StatusRequestEntityTooLarge)
		problem := problemOf(t, got)
		byService := strings.HasPrefix(problem.Type, p.base)
		if problem.Code != contract.PayloadTooLarge || size < 1<<20 && !byService {
			t.Errorf("a body of %d bytes: %+v", size, problem)
		}
	}
	pad := "X-Pad: " + strings.Repeat("x", 20<<10)
	harness.WantStatus(t, p.ask(t, p.client(t), http.MethodGet, p.base+contract.PathHealth, "", pad), http.StatusOK)
}

func problemOf(t *testing.T, got harness.Answer) contract.Problem {
	t.Helper()
	var problem contract.Problem
	if err := json.Unmarshal(got.Text, &problem); err != nil || got.Header.Get("Content-Type") != contract.TypeProblem {
		t.Fatalf("%s is not a problem record: %v: %s", got.Header.Get("Content-Type"), err, got.Text)
	}
	if problem.Status != got.StatusCode || problem.Title == "" || problem.Hint == "" {
		t.Errorf("the problem record is incomplete: %s", got.Text)
	}
	return problem
}

// proxyPublishesOnlyOwnerPages: of the admin listener the owner's pages can be reached,
// and no path leads to its metrics or profiles.
func proxyPublishesOnlyOwnerPages(t *testing.T, p proxied) {
	client := p.client(t)
	jar := expect.Value(cookiejar.New(nil))(t)
	client.Jar = jar
	get := func(path string) harness.Answer { return p.ask(t, client, http.MethodGet, p.base+path, "") }
	harness.WantStatus(t, get("/owner/state"), http.StatusSeeOther)
	signIn := p.ask(t, client, http.MethodPost, p.base+"/owner/sign-in", "token="+adminToken,
		"Content-Type: application/x-www-form-urlencoded", "Origin: "+p.base)
	harness.WantStatus(t, signIn, http.StatusSeeOther)
	if cookies := signIn.Cookies(); len(cookies) != 1 || !cookies[0].Secure {
		t.Errorf("cookies %v, want one that is Secure", cookies)
	}
	state := get("/owner/state")
	harness.WantStatus(t, state, http.StatusOK)
	if !strings.Contains(string(state.Text), "<h1>State</h1>") {
		t.Errorf("not the page: %s", state.Text)
	}
	harness.WantStatus(t, p.ask(t, client, http.MethodPost, p.base+"/owner/sign-in", "token="+adminToken,
		"Content-Type: application/x-www-form-urlencoded", "Origin: https://evil.example"), http.StatusForbidden)
	for _, path := range []string{
		"/metrics", "/debug/pprof/", "/debug/pprof/heap?debug=1", "/readyz", "/healthz",
		"/owner/../metrics", "/owner/%2e%2e/metrics", "/owner/..%2fmetrics", "/owner/%2e%2e%2fdebug/pprof/", "/owner//../../metrics", "/owner/..;/metrics",
	} {
		for _, client := range []*http.Client{client, {Transport: client.Transport, Jar: jar}} { // the second follows redirects
			got := p.ask(t, client, http.MethodGet, p.base+path, "")
			for _, private := range []string{"frontdesk_content_entries", "goroutine", "heap profile", "ready\n"} {
				if strings.Contains(string(got.Text), private) {
					t.Errorf("%s: %d, and the answer holds %q", path, got.StatusCode, private)
				}
			}
			if got.StatusCode == http.StatusOK {
				t.Errorf("%s: 200 %s", path, got.Text)
			}
		}
	}
}

func proxyPassesMCP(t *testing.T, p proxied) {
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	app := strings.Replace(p.base, deskHost, appHost, 1)
	for address, tool := range map[string]string{p.base + contract.PathMCP: "ask_faq", app + contract.PathWorkspaceMCP: "start_trial"} {
		got := p.ask(t, p.client(t), http.MethodPost, address, list, harness.JSONType)
		harness.WantStatus(t, got, http.StatusOK)
		if !strings.Contains(string(got.Text), tool) {
			t.Errorf("%s lists no %s: %s", address, tool, got.Text)
		}
	}
	elsewhere := p.ask(t, p.client(t), http.MethodGet, app+contract.PathCatalog, "")
	if elsewhere.StatusCode != http.StatusNotFound || elsewhere.Header.Get(contract.HeaderAPIVersion) != "" {
		t.Errorf("the rest of the workspace address is the service's: %d", elsewhere.StatusCode)
	}
}

// TestProxiesConform runs conform through each proxy, with real sends. Checks that the
// proxy answers by itself are skipped; nothing may fail.
func TestProxiesConform(t *testing.T) {
	all := maps.Clone(examples)
	all["httputil.ReverseProxy"] = startReverseProxy
	eachProxy(t, all, func(t *testing.T, start proxy) {
		sink := harness.ListenMail(t)
		p := behind(t, start, func(s *config.Settings) { s.SMTPURL = sink.URL() })
		report := expect.Value(conform.Run(t.Context(), checks.Contract(), conform.Options{URL: p.base, Send: true, Sink: sink, RootCAs: certificateOf(t, p.addr)}))(t)
		byProxy := 0
		for _, result := range report.Results {
			switch {
			case result.Status == conform.Fail:
				t.Errorf("%s: expected %s, got %s", result.Name, result.Expected, result.Got)
			case strings.Contains(result.Reason, "by the proxy in front"):
				byProxy++
				t.Logf("%s: %s", result.Name, result.Reason)
			}
		}
		if byProxy > maxByProxy {
			t.Errorf("%d checks ended at the proxy, want at most %d", byProxy, maxByProxy)
		}
	})
}

// maxByProxy is how many of the 830 checks may end at a proxy.
const maxByProxy = 40

// certificateOf returns a pool that trusts the proxy's certificate.
func certificateOf(t *testing.T, addr string) *x509.CertPool {
	t.Helper()
	conn := expect.Value(tls.Dial("tcp", addr, &tls.Config{ServerName: deskHost, InsecureSkipVerify: true}))(t)
	defer conn.Close()
	pool := x509.NewCertPool()
	pool.AddCert(conn.ConnectionState().PeerCertificates[0])
	return pool
}

// TestProxiesSurviveABadRequest checks that a malformed request of one client does not
// make the proxy stop sending requests to the service.
func TestProxiesSurviveABadRequest(t *testing.T) {
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		p := behind(t, start)
		for range 3 {
			conn := expect.Value(tls.Dial("tcp", p.addr, &tls.Config{ServerName: deskHost, InsecureSkipVerify: true}))(t)
			host := strings.TrimPrefix(p.base, "https://")
			fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", contract.PathContact, host)
			_, _ = io.Copy(io.Discard, conn) // an answer or none: what counts is the next request
			_ = conn.Close()
			harness.WantStatus(t, p.ask(t, p.client(t), http.MethodGet, p.base+contract.PathHealth, ""), http.StatusOK)
		}
	})
}

// TestProxiesWaitForTheMail checks that the proxy waits as long as the service waits for
// a hanging mail server, and passes the service's answer on.
func TestProxiesWaitForTheMail(t *testing.T) {
	if testing.Short() {
		t.Skip("waits as long as a send may take")
	}
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		p := behind(t, start)
		p.Mail.SetFault(mailtest.Fault{Stage: mailtest.Data, Action: mailtest.Hang})
		got := p.ask(t, p.client(t), http.MethodPost, p.base+contract.PathContact, harness.ContactBody(""), harness.JSONType)
		harness.WantStatus(t, got, http.StatusBadGateway)
		if problem := problemOf(t, got); problem.Code != contract.BadGateway {
			t.Errorf("the proxy has answered in place of the service: %s", got.Text)
		}
	})
}

// TestProxiesWithoutTheService checks that the proxy's own errors are problem records.
func TestProxiesWithoutTheService(t *testing.T) {
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		addr, port := programs.FreeAddr(t)
		unused, _ := programs.FreeAddr(t)
		start(t, addr, alwaysReady(t), unused)
		p := proxied{Desk: &harness.Desk{}, addr: addr, base: "https://" + deskHost + ":" + port}
		got := p.ask(t, p.client(t), http.MethodGet, p.base+contract.PathHealth, "")
		if got.StatusCode != http.StatusBadGateway && got.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("status %d, want 502 or 503", got.StatusCode)
		}
		problemOf(t, got)
	})
}

// TestProxiesSendOnce checks that a request reaches a running instance, and that a request
// cut in the middle is not repeated, because it may have been acted on.
func TestProxiesSendOnce(t *testing.T) {
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		alive := harness.Start(t, nil)
		unused, _ := programs.FreeAddr(t)
		p := proxied{Desk: alive}
		var port string
		p.addr, port = programs.FreeAddr(t)
		p.base = "https://" + deskHost + ":" + port
		start(t, p.addr, alwaysReady(t), unused, alive.Addr().String())
		for range 4 {
			harness.WantStatus(t, p.ask(t, p.client(t), http.MethodGet, p.base+contract.PathHealth, ""), http.StatusOK)
		}
		// Caddy before 2.8 cannot repeat a body that it has not sent: its caller retries.
		harness.Eventually(t, func() bool {
			return p.ask(t, p.client(t), http.MethodPost, p.base+contract.PathContact, harness.ContactBody(""), harness.JSONType).StatusCode == http.StatusOK
		})

		first, second := newCutter(t), newCutter(t)
		p.addr, port = programs.FreeAddr(t)
		p.base = "https://" + deskHost + ":" + port
		start(t, p.addr, alwaysReady(t), first.addr, second.addr)
		problemOf(t, p.ask(t, p.client(t), http.MethodPost, p.base+contract.PathContact, harness.ContactBody(""), harness.JSONType))
		if n := first.requests.Load() + second.requests.Load(); n != 1 {
			t.Errorf("a request that was cut was sent %d times, want once", n)
		}
	})
}

// cutter is an instance that breaks off every request.
type cutter struct {
	addr     string
	requests atomic.Int32
}

func newCutter(t *testing.T) *cutter {
	t.Helper()
	c := &cutter{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		c.requests.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(server.Close)
	c.addr = server.Listener.Addr().String()
	return c
}
