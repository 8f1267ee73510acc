package faults

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// TestTerminated sends SIGTERM while the mail server holds 200 requests at random stages,
// and then lets them go on: readiness fails, new connections are refused, each request
// gets its real answer, and the exit code is 0.
//
// It does not run in parallel with others: on a busy machine the first requests could
// wait longer than a send may take until the last ones have come.
func TestTerminated(t *testing.T) {
	chance := newChance(t, 4)
	times, inFlight := sized(1, 20), sized(20, 200)
	answered := 0
	for range times {
		answered += terminated(t, chance, inFlight)
	}
	t.Logf("%d times SIGTERM with %d requests in flight: %d answered, %d dropped", times, inFlight, answered, times*inFlight-answered)
}

func terminated(t *testing.T, chance *chance, inFlight int) (answered int) {
	t.Helper()
	mail, open := mailtest.Listen(t, login), make(chan struct{})
	held := []mailtest.Stage{mailtest.Greeting, mailtest.Hello, mailtest.Auth, mailtest.From, mailtest.To, mailtest.Data, mailtest.FinalDot}
	mail.SetPlan(func() mailtest.Fault {
		return mailtest.Fault{Stage: held[chance.n(len(held))], Action: mailtest.Wait, Until: open}
	})
	p := setup{mail: mail, environ: []string{withAdmin}}.start(t)
	c, answers := newCaller(t, p.url), make(chan answer, inFlight)
	for i := range inFlight {
		go func() { answers <- c.contact(mark(i), "") }()
	}
	mail.WaitFaults(inFlight)
	if status, body := p.admin(t, "/readyz"); status != http.StatusOK {
		t.Errorf("readiness before: %d %s", status, body)
	}
	p.terminate()
	eventually(t, "the stop to begin", func() bool { return strings.Contains(p.log.String(), "stopping: ") })
	if status, body := p.admin(t, "/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("readiness while it stops: %d %s", status, body)
	}
	eventually(t, "new connections to be refused", func() bool { return !p.accepts() })
	close(open)
	for range inFlight {
		if got := <-answers; got.status == http.StatusOK {
			answered++
		} else {
			t.Errorf("a request in flight: %d %v", got.status, got.err)
		}
	}
	p.wait()
	if n := len(arrived(t, mail)); n != inFlight || len(mail.Messages()) != inFlight {
		t.Errorf("%d mails of %d requests arrived, want %d", len(mail.Messages()), n, inFlight)
	}
	return answered
}

// TestDrain sends requests from SIGTERM until the listener closes: all are answered,
// and asked to close their connections.
func TestDrain(t *testing.T) {
	t.Parallel()
	p := setup{mail: mailtest.Listen(t, mailtest.Options{}), environ: []string{withAdmin, "FRONTDESK_DRAIN_DELAY=3s"}}.start(t)
	c := newCaller(t, p.url)
	p.terminate()
	eventually(t, "readiness to fail", func() bool {
		status, _ := p.admin(t, "/readyz")
		return status == http.StatusServiceUnavailable
	})
	answered := 0
	for p.accepts() {
		got := c.send(http.MethodGet, contract.PathCatalog, "")
		if got.status == 0 {
			break // the listener closed in between
		}
		if answered++; got.status != http.StatusOK || got.header.Get("Connection") != "close" {
			t.Errorf("request %d while draining: %d %v", answered, got.status, got.header)
		}
	}
	p.wait()
	if answered == 0 {
		t.Error("nothing was answered while draining")
	}
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
	addr := p.log.address(adminListener)
	if addr == "" {
		t.Fatalf("the log names no admin listener:\n%s", p.log)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request := expect.Value(http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil))(t)
	response := expect.Value(http.DefaultClient.Do(request))(t)
	defer response.Body.Close()
	text := expect.Value(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(text)
}

// TestStopDuringComparison sends SIGTERM while the service compares the entries with each other, which takes it some
// seconds of processor once someone has opened the owner's State: the comparison is left undone.
func TestStopDuringComparison(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef0123456789abcdef"
	dir := manyEntries(t, 400)
	faq := expect.Value(os.ReadFile(filepath.Join(dir, "faq.yaml")))(t)
	harness.Edit(t, dir, "faq.yaml", string(regexp.MustCompile(`question: How does (lesson \d+) work\?`).ReplaceAll(faq,
		[]byte("question: How does $1 work?, alternates: [What is $1 about?, Who gives $1?, When does $1 begin?, Where is $1?, May I miss $1?]"))))
	p := setup{environ: []string{
		withAdmin, "FRONTDESK_ADMIN_TOKEN=" + token, "FRONTDESK_SMTP_URL=file:", "FRONTDESK_CONTENT=" + dir, "GOMAXPROCS=1",
	}}.start(t)
	browser := &http.Client{Jar: expect.Value(cookiejar.New(nil))(t), Timeout: patience}
	response := expect.Value(browser.PostForm("http://"+p.log.address(adminListener)+"/owner/sign-in", url.Values{"token": {token}}))(t)
	expect.OK(t, response.Body.Close())
	response = expect.Value(browser.Get("http://" + p.log.address(adminListener) + "/owner/state"))(t)
	page := expect.Value(io.ReadAll(response.Body))(t)
	expect.OK(t, response.Body.Close())
	if !strings.Contains(string(page), "is comparing the answers") {
		t.Fatalf("the entries are not being compared:\n%s", page)
	}
	before := p.cpu(t)
	p.stop()
	if used := p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime() - before; used > time.Second {
		t.Errorf("the stop took %v of processor", used)
	}
}
