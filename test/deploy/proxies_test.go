package deploy_test

import (
	"encoding/json"
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

func eachProxy(t *testing.T, proxies map[string]proxy, test func(t *testing.T, start proxy)) {
	t.Parallel()
	for name, start := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start)
		})
	}
}

func TestProxies(t *testing.T) {
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		p := behind(t, start)
		t.Run("bodies", func(t *testing.T) { proxyKeepsProblems(t, p) })
		t.Run("owner", func(t *testing.T) { proxyPublishesOnlyOwnerPages(t, p) })
		t.Run("workspace", func(t *testing.T) { proxyPassesTheWorkspace(t, p) })
	})
}

// A request too large for the service or for the proxy gets a problem record.
func proxyKeepsProblems(t *testing.T, p proxied) {
	for _, size := range []int{contract.CapContact + 1, 64 << 10, 2 << 20} {
		got := p.ask(t, p.client(t), "POST", p.base+contract.PathContact, strings.Repeat("x", size), harness.JSONType)
		harness.WantStatus(t, got, 413)
		problem := problemOf(t, got)
		byService := strings.HasPrefix(problem.Type, p.base)
		if problem.Code != contract.PayloadTooLarge || size < 1<<20 && !byService {
			t.Errorf("a body of %d bytes: %+v", size, problem)
		}
	}
	harness.WantStatus(t, p.health(t, "X-Pad: "+strings.Repeat("x", 20<<10)), 200)
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

// No path leads to metrics or profiles.
func proxyPublishesOnlyOwnerPages(t *testing.T, p proxied) {
	client := p.client(t)
	jar := expect.Value(cookiejar.New(nil))(t)
	client.Jar = jar
	get := func(path string) harness.Answer { return p.ask(t, client, "GET", p.base+path, "") }
	harness.WantStatus(t, get("/owner/state"), 303)
	signIn := func(origin string, status int) harness.Answer {
		got := p.ask(t, client, "POST", p.base+"/owner/sign-in", "token="+adminToken,
			"Content-Type: application/x-www-form-urlencoded", "Origin: "+origin)
		harness.WantStatus(t, got, status)
		return got
	}
	if cookies := signIn(p.base, 303).Cookies(); len(cookies) != 1 || !cookies[0].Secure {
		t.Errorf("cookies %v, want one that is Secure", cookies)
	}
	state := get("/owner/state")
	harness.WantStatus(t, state, 200)
	expect.Holds(t, "the page State", string(state.Text), "<h1>State</h1>")
	signIn("https://evil.example", 403)
	photo := p.ask(t, client, "POST", p.base+"/owner/pictures", strings.Repeat("x", 28<<20), "Origin: "+p.base)
	harness.WantStatus(t, photo, 400) // not 413: the service has read it
	for _, path := range []string{
		"/metrics", "/debug/pprof/", "/debug/pprof/heap?debug=1", "/readyz", "/healthz",
		"/owner/../metrics", "/owner/%2e%2e/metrics", "/owner/..%2fmetrics", "/owner/%2e%2e%2fdebug/pprof/",
		"/owner//../../metrics", "/owner/..;/metrics",
	} {
		// The second follows redirects.
		for _, client := range []*http.Client{client, {Transport: client.Transport, Jar: jar}} {
			got := p.ask(t, client, "GET", p.base+path, "")
			expect.Lacks(t, path, string(got.Text), "frontdesk_content_entries", "goroutine", "heap profile", "ready\n")
			if got.StatusCode == 200 {
				t.Errorf("%s: 200 %s", path, got.Text)
			}
		}
	}
}

// The host of the application has only the workspace's server and its card.
func proxyPassesTheWorkspace(t *testing.T, p proxied) {
	app := p.app()
	got := p.ask(t, p.client(t), "POST", app+contract.PathWorkspaceMCP, harness.RPC("tools/list", ""), harness.JSONType)
	harness.WantStatus(t, got, 200)
	expect.Holds(t, "the text", string(got.Text), contract.ToolStartTrial)
	harness.WantStatus(t, p.ask(t, p.client(t), "GET", app+contract.PathWorkspaceCard, ""), 200)
	elsewhere := p.ask(t, p.client(t), "GET", app+contract.PathCatalog, "")
	expect.Same(t, "the workspace address",
		[]any{404, ""}, []any{elsewhere.StatusCode, elsewhere.Header.Get(contract.HeaderAPIVersion)})
}

// Nothing fails through a proxy, with real sends; what it answers by itself is skipped. So the limits count the client
// in front of it, and paths arrive as they are sent.
func TestProxiesConform(t *testing.T) {
	all := maps.Clone(examples)
	all["httputil.ReverseProxy"] = startReverseProxy
	eachProxy(t, all, func(t *testing.T, start proxy) {
		sink := harness.ListenMail(t)
		p := behind(t, start, func(s *config.Settings) { s.SMTPURL = sink.URL() })
		report := expect.Value(conform.Run(t.Context(), checks.Contract(), conform.Options{
			URL: p.base, Send: true, Sink: sink, RootCAs: p.roots,
		}))(t)
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
		expect.AtMost(t, "checks that ended at the proxy", 10, byProxy)
	})
}

// A proxy waits as long as the service does, and passes its answer on.
func TestProxiesWaitForTheMail(t *testing.T) {
	if testing.Short() {
		t.Skip("waits as long as a send may take")
	}
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		p := behind(t, start)
		p.Mail.SetFault(mailtest.Fault{Stage: mailtest.Data, Action: mailtest.Hang})
		got := p.contact(t)
		harness.WantStatus(t, got, 502)
		expect.Same(t, "the proxy's answer", contract.BadGateway, problemOf(t, got).Code)
	})
}

func (p proxied) contact(t *testing.T) harness.Answer {
	t.Helper()
	return p.ask(t, p.client(t), "POST", p.base+contract.PathContact, harness.ContactBody(""), harness.JSONType)
}

func (p proxied) health(t *testing.T, header ...string) harness.Answer {
	t.Helper()
	return p.ask(t, p.client(t), "GET", p.base+contract.PathHealth, "", header...)
}

func TestProxiesWithoutTheService(t *testing.T) {
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		p := proxied{Desk: &harness.Desk{}, site: newSite(t)}
		unused, _ := programs.FreeAddr(t)
		p.upstreams = []string{unused}
		start(t, p.site)
		for _, address := range []string{p.base + contract.PathHealth, p.app() + contract.PathWorkspaceCard} {
			got := p.ask(t, p.client(t), "GET", address, "")
			if got.StatusCode != 502 && got.StatusCode != 503 {
				t.Errorf("%s: status %d, want 502 or 503", address, got.StatusCode)
			}
			problemOf(t, got)
		}
	})
}

// A request that is cut in the middle is not repeated, because it may have been acted on.
func TestProxiesSendOnce(t *testing.T) {
	eachProxy(t, examples, func(t *testing.T, start proxy) {
		p := proxied{Desk: harness.Start(t, nil), site: newSite(t)}
		unused, _ := programs.FreeAddr(t)
		p.upstreams = []string{unused, p.Addr().String()}
		start(t, p.site)
		for range 4 {
			harness.WantStatus(t, p.health(t), 200)
		}
		// Caddy before 2.8 cannot repeat a body that it has not sent: its caller retries.
		harness.Eventually(t, func() bool { return p.contact(t).StatusCode == 200 })

		first, second := newCutter(t), newCutter(t)
		p.site = newSite(t)
		p.upstreams = []string{first.addr, second.addr}
		start(t, p.site)
		problemOf(t, p.contact(t))
		expect.Same(t, "a request that was cut was sent", 1, first.requests.Load()+second.requests.Load())
	})
}

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
