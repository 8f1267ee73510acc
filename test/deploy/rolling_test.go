package deploy_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

// rolling is the environment variable with the number of requests that TestRollingRestart
// sends through each proxy; without it the test is skipped.
const rolling = "FRONTDESK_TEST_ROLLING"

// Load of the test: about 200 requests a second from clients that keep their connections.
const (
	rollingClients = 8
	rollingPause   = 40 * time.Millisecond
)

// TestRollingRestart restarts two instances in turn while clients call them through a
// proxy. No request may fail. nginx has no active health checks and rightly never repeats a
// POST, so behind it the test depends on how an instance closes its port and its last
// connections.
func TestRollingRestart(t *testing.T) {
	requests, err := strconv.Atoi(os.Getenv(rolling))
	if err != nil {
		t.Skipf("takes minutes: set %s=10000, or run make rolling", rolling)
	}
	for name, start := range examples {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			_, port := programs.FreeAddr(t) // free on 127.0.0.1 and 127.0.0.2
			_, s.healthPort = programs.FreeAddr(t)
			instances := []*instance{newInstance(t, "127.0.0.1", port, s.healthPort), newInstance(t, "127.0.0.2", port, s.healthPort)}
			for _, i := range instances {
				i.start()
				s.upstreams = append(s.upstreams, i.addr)
			}
			start(t, s)

			load := &load{site: s, why: map[string]int{}}
			ctx, stop := context.WithCancel(t.Context())
			restarts := 0
			var restarting sync.WaitGroup
			restarting.Go(func() {
				for ctx.Err() == nil {
					for _, i := range instances {
						i.stop()
						i.start()
						restarts++
						time.Sleep(2 * time.Second) // until every health check has seen it
					}
				}
			})
			load.run(requests)
			stop()
			restarting.Wait()
			t.Logf("%d requests, %d restarts", requests, restarts)
			if len(load.why) > 0 || restarts < 2 {
				t.Errorf("requests failed during %d restarts: %v", restarts, load.why)
			}
		})
	}
}

// instance is one process of frontdesk that can be restarted at its address.
type instance struct {
	t           *testing.T
	addr, admin string
	data        string
	process     *exec.Cmd
}

func newInstance(t *testing.T, host, port, adminPort string) *instance {
	i := &instance{t: t, addr: net.JoinHostPort(host, port), admin: net.JoinHostPort(host, adminPort), data: t.TempDir()}
	t.Cleanup(i.stop)
	return i
}

// start returns when the instance is ready.
func (i *instance) start() {
	i.process = harness.Process(context.Background(), "serve", "--addr", i.addr)
	i.process.Env = append(i.process.Env, "FRONTDESK_ADMIN_ADDR="+i.admin, "FRONTDESK_DATA="+i.data, "FRONTDESK_LOG_LEVEL=error",
		"FRONTDESK_TRUSTED_PROXIES=127.0.0.1", "FRONTDESK_DRAIN_DELAY=5s", "FRONTDESK_BASE_URL=http://"+deskHost)
	i.process.Stderr = os.Stderr
	if err := i.process.Start(); err != nil {
		i.t.Error(err)
		return
	}
	harness.Eventually(i.t, func() bool {
		response, err := http.Get("http://" + i.admin + "/readyz")
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}

// stop ends the instance as a service manager does.
func (i *instance) stop() {
	if i.process == nil {
		return
	}
	_ = i.process.Process.Signal(syscall.SIGTERM)
	if err := i.process.Wait(); err != nil {
		i.t.Errorf("%s ended with %v", i.addr, err)
	}
	i.process = nil
}

// load sends requests through a proxy and counts those that fail.
type load struct {
	site
	sent atomic.Int64

	mu  sync.Mutex
	why map[string]int // the failed requests by their reason
}

// run sends n requests: GET and POST in turn, from clients that keep their connections.
func (l *load) run(n int) {
	var clients sync.WaitGroup
	for range rollingClients {
		clients.Go(func() {
			transport := &http.Transport{
				DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
					return new(net.Dialer).DialContext(ctx, network, l.addr)
				},
				TLSClientConfig: l.tls(deskHost),
			}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport, Timeout: 20 * time.Second}
			tick := time.NewTicker(rollingPause)
			defer tick.Stop()
			for l.sent.Add(1) <= int64(n) {
				l.send(client, l.sent.Load()%2 == 0)
				<-tick.C
			}
		})
	}
	clients.Wait()
}

func (l *load) send(client *http.Client, post bool) {
	url := "https://" + deskHost
	var response *http.Response
	var err error
	if post {
		response, err = client.Post(url+contract.PathContact, "application/json", strings.NewReader(harness.ContactBody(`,"dry_run":true`)))
	} else {
		response, err = client.Get(url + contract.PathCatalog)
	}
	if err != nil {
		l.fail(err.Error())
		return
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
		l.fail(fmt.Sprintf("status %d %v", response.StatusCode, err))
	}
}

func (l *load) fail(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.why[why]++
}
