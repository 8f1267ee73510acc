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

// Two instances restart in turn, and no request through a proxy fails. nginx has no active health checks and rightly
// never repeats a POST, so behind it all depends on how an instance closes its port and its last connections.
func TestRollingRestart(t *testing.T) {
	requests, err := strconv.Atoi(os.Getenv("FRONTDESK_TEST_ROLLING")) // through each proxy
	if err != nil {
		t.Skip("takes minutes: set FRONTDESK_TEST_ROLLING=10000, or run make rolling")
	}
	for name, start := range examples {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			_, port := programs.FreeAddr(t) // free on 127.0.0.1 and 127.0.0.2
			_, s.healthPort = programs.FreeAddr(t)
			var instances []*instance
			for _, host := range []string{"127.0.0.1", "127.0.0.2"} {
				i := &instance{t, host + ":" + port, host + ":" + s.healthPort, t.TempDir(), nil}
				i.start()
				instances, s.upstreams = append(instances, i), append(s.upstreams, i.addr)
			}
			start(t, s)

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
			failed := s.load(requests)
			stop()
			restarting.Wait()
			for _, i := range instances {
				i.stop()
			}
			t.Logf("%d requests, %d restarts", requests, restarts)
			if len(failed) > 0 || restarts < 2 {
				t.Errorf("requests failed during %d restarts: %v", restarts, failed)
			}
		})
	}
}

type instance struct {
	t                 *testing.T
	addr, admin, data string
	process           *exec.Cmd
}

func (i *instance) start() {
	i.process, _, _ = harness.StartProcess(i.t, "FRONTDESK_ADDR="+i.addr, "FRONTDESK_ADMIN_ADDR="+i.admin,
		"FRONTDESK_DATA="+i.data, "FRONTDESK_TRUSTED_PROXIES=127.0.0.1", "FRONTDESK_DRAIN_DELAY=1s",
		"FRONTDESK_BASE_URL=http://"+deskHost)
}

func (i *instance) stop() {
	_ = i.process.Process.Signal(syscall.SIGTERM)
	if err := i.process.Wait(); err != nil {
		i.t.Errorf("%s ended with %v", i.addr, err)
	}
}

// load sends GET and POST in turn, from clients that keep their connections, and counts failures by their reason.
func (s site) load(n int) map[string]int {
	var sent atomic.Int64
	var clients sync.WaitGroup
	failures := make(chan string, n)
	for range 8 {
		clients.Go(func() {
			transport := &http.Transport{
				DialContext:     s.dial(new(net.Dialer)),
				TLSClientConfig: s.tls(deskHost),
			}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport, Timeout: 20 * time.Second}
			tick := time.NewTicker(40 * time.Millisecond)
			defer tick.Stop()
			for i := sent.Add(1); i <= int64(n); i = sent.Add(1) {
				if why := failure(client, i%2 == 0); why != "" {
					failures <- why
				}
				<-tick.C
			}
		})
	}
	clients.Wait()
	close(failures)
	counts := map[string]int{}
	for why := range failures {
		counts[why]++
	}
	return counts
}

func failure(client *http.Client, post bool) string {
	url := "https://" + deskHost
	var response *http.Response
	var err error
	if post {
		body := strings.NewReader(harness.ContactBody(`,"dry_run":true`))
		response, err = client.Post(url+contract.PathContact, "application/json", body)
	} else {
		response, err = client.Get(url + contract.PathCatalog)
	}
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != 200 {
		return fmt.Sprintf("status %d %v", response.StatusCode, err)
	}
	return ""
}
