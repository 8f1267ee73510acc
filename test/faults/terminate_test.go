package faults

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
)

// At SIGTERM readiness fails, new connections are refused, each request that the mail server holds gets its real
// answer, and the exit code is 0. It does not run in parallel: on a busy machine the first requests could wait longer
// than a send may take.
func TestTerminated(t *testing.T) {
	chance := newChance(t, 4)
	times, inFlight := sized(1, 20), sized(20, 200)
	answered := 0
	for range times {
		answered += terminated(t, chance, inFlight)
	}
	t.Logf("%d times SIGTERM with %d requests in flight: %d answered", times, inFlight, answered)
}

func terminated(t *testing.T, chance *chance, inFlight int) (answered int) {
	t.Helper()
	mail, open := mailtest.Listen(t, login), make(chan struct{})
	held := everyStage[:len(everyStage)-1] // at QUIT the mail is sent
	mail.SetPlan(func() mailtest.Fault {
		return mailtest.Fault{Stage: held[chance.n(len(held))], Action: mailtest.Wait, Until: open}
	})
	p := setup{mail: mail, environ: []string{withAdmin}}.start(t)
	c, answers := newCaller(t, p.url), make(chan answer, inFlight)
	for i := range inFlight {
		go func() { answers <- c.contact(mark(i), "") }()
	}
	mail.WaitFaults(inFlight)
	expect.Same(t, "readiness before", 200, p.answers(t, "/readyz"))
	p.terminate()
	p.log.Wait(t, "stopping: ", 1)
	expect.Same(t, "readiness while it stops", 503, p.answers(t, "/readyz"))
	eventually(t, "new connections to be refused", func() bool { return !p.accepts() })
	close(open)
	for range inFlight {
		if got := <-answers; got.status == 200 {
			answered++
		} else {
			t.Errorf("a request in flight: %d %v", got.status, got.err)
		}
	}
	p.wait()
	expect.Same(t, "requests and mails", []any{inFlight, inFlight}, []any{len(arrived(t, mail)), len(mail.Messages())})
	return answered
}

// Until the listener closes, all requests are answered, and asked to close their connections.
func TestDrain(t *testing.T) {
	t.Parallel()
	p := setup{mail: listenMail(t), environ: []string{withAdmin, "FRONTDESK_DRAIN_DELAY=3s"}}.start(t)
	c := newCaller(t, p.url)
	p.terminate()
	eventually(t, "readiness to fail", func() bool { return p.answers(t, "/readyz") == 503 })
	answered := 0
	for p.accepts() {
		got := c.send("GET", contract.PathCatalog, "")
		if got.status == 0 {
			break // the listener closed in between
		}
		if answered++; got.status != 200 || got.header.Get("Connection") != "close" {
			t.Errorf("request %d while draining: %d %v", answered, got.status, got.header)
		}
	}
	p.wait()
	expect.AtLeast(t, "answered while draining", 1, answered)
	t.Logf("%d requests answered while draining", answered)
}

func (p *process) accepts() bool {
	conn, err := net.DialTimeout("tcp", strings.TrimPrefix(p.url, "http://"), time.Second)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

func (p *process) admin(t *testing.T, path string) (status int, body string) {
	t.Helper()
	addr := p.log.address(`"address":"`)
	if addr == "" {
		t.Fatalf("the log names no admin listener:\n%s", p.log)
	}
	client := http.Client{Timeout: patience}
	response := expect.Value(client.Get("http://" + addr + path))(t)
	defer response.Body.Close()
	return response.StatusCode, string(expect.Value(io.ReadAll(response.Body))(t))
}

func (p *process) answers(t *testing.T, path string) int {
	t.Helper()
	status, _ := p.admin(t, path)
	return status
}
