package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"frontdesk/internal/config"
	"frontdesk/mailer/mailtest"
)

func withoutMail(s *config.Settings) { s.SMTPURL, s.MailTo, s.MailFrom = "", "", "" }

// rawAnswer sends bytes and returns the bytes that come back.
func rawAnswer(t *testing.T, d *desk, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", d.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// gate is a listener that holds its connections until it is opened.
type gate struct {
	net.Listener
	first         sync.Once
	reached, open chan struct{}
}

func (g *gate) Accept() (net.Conn, error) {
	conn, err := g.Listener.Accept()
	if err == nil {
		g.first.Do(func() { close(g.reached) })
		<-g.open
	}
	return conn, err
}

// heldMail is a mail server that answers nobody until its gate is opened.
type heldMail struct {
	*gate
	mail *mailtest.Server
}

func hold(t *testing.T) heldMail {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	held := &gate{Listener: listener, reached: make(chan struct{}), open: make(chan struct{})}
	return heldMail{held, mailtest.Listen(t, mailtest.Options{Listener: held})}
}

// TestTerminateFinishesWhatIsInFlight sends SIGTERM to the real process while a
// pilot request waits for the mail server: readiness fails, the request gets its
// answer, its mail arrives, and the process ends well.
func TestTerminateFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	held := hold(t)
	mail := held.mail
	process, url, log := startLogged(t, "FRONTDESK_SMTP_URL="+mail.URL(), "FRONTDESK_MAIL_TO=owner@desk.example", "FRONTDESK_MAIL_FROM=desk@desk.example",
		"FRONTDESK_ADMIN_ADDR=127.0.0.1:0", "FRONTDESK_LOG_FORMAT=json")
	ready := "http://" + adminAddress.FindStringSubmatch(log.String())[1] + "/readyz"
	if status, body := adminGet(t, ready); status != http.StatusOK {
		t.Errorf("before: %d %s", status, body)
	}

	answered := make(chan int, 1)
	go func() {
		response, err := http.Post(url+"/v1/contact", "application/json", strings.NewReader(contactBody("")))
		if err != nil {
			answered <- 0
			return
		}
		_ = response.Body.Close()
		answered <- response.StatusCode
	}()
	<-held.reached
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	// Readiness fails first: as soon as anything tells of the stop, it does.
	log.wait(t, "stopping: finishing what is in flight", 1)
	if status, body := adminGet(t, ready); status != http.StatusServiceUnavailable || !strings.Contains(body, errStopping.Error()) {
		t.Errorf("while stopping: %d %s", status, body)
	}
	waitRefused(t, url)
	if status, _ := adminGet(t, ready); status != http.StatusServiceUnavailable {
		t.Errorf("with a request in flight the admin listener answers %d", status)
	}
	close(held.open)

	if status := <-answered; status != http.StatusOK {
		t.Errorf("the request in flight is answered with %d, want 200", status)
	}
	if err := process.Wait(); err != nil {
		t.Errorf("the process ended with %v", err)
	}
	if n := len(mail.Messages()); n != 1 {
		t.Errorf("%d mails arrived, want 1", n)
	}
}

// listening finds the address in the line that says so.
var listening = regexp.MustCompile(`frontdesk serves \S+ on ([0-9.:]+)`)

// startProcess runs frontdesk serve as a process of its own on a free port.
func startProcess(t *testing.T, environ ...string) (process *exec.Cmd, url string) {
	t.Helper()
	process, url, _ = startLogged(t, environ...)
	return process, url
}

// startLogged is startProcess with what the process logs.
func startLogged(t *testing.T, environ ...string) (process *exec.Cmd, url string, log *lockedBuffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	process = exec.CommandContext(ctx, os.Args[0], "serve", "--addr", "127.0.0.1:0")
	process.Env = append(os.Environ(), "FRONTDESK_DATA="+t.TempDir(), asMain+"=1") // of a name given twice the last counts
	process.Env = append(process.Env, environ...)
	stderr, err := process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	log = &lockedBuffer{}
	lines := bufio.NewScanner(io.TeeReader(stderr, log))
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(log, stderr) }()
			return process, "http://" + found[1], log
		}
	}
	t.Fatalf("the process says no address: %v", lines.Err())
	return nil, "", nil
}

// waitRefused returns when the service accepts no connection any more.
func waitRefused(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		conn, err := net.DialTimeout("tcp", strings.TrimPrefix(url, "http://"), time.Second)
		if err != nil {
			return
		}
		_ = conn.Close()
	}
	t.Fatal("the service still accepts connections after SIGTERM")
}
