package process_test

import (
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"frontdesk/internal/app"
	"frontdesk/test/harness"
)

// adminAddress matches the admin address in its log line.
var adminAddress = regexp.MustCompile(`"address":"([0-9.:]+)"`)

// TestTerminateFinishesWhatIsInFlight sends SIGTERM to the process while a pilot request
// waits for the mail server: readiness fails, the request is answered, its mail arrives,
// and the process ends without an error.
func TestTerminateFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	held := harness.HoldMail(t)
	mail := held.Mail
	process, url, log := harness.StartProcess(t, "FRONTDESK_SMTP_URL="+mail.URL(), "FRONTDESK_MAIL_TO=owner@desk.example", "FRONTDESK_MAIL_FROM=desk@desk.example",
		"FRONTDESK_ADMIN_ADDR=127.0.0.1:0", "FRONTDESK_LOG_FORMAT=json")
	ready := "http://" + adminAddress.FindStringSubmatch(log.String())[1] + "/readyz"
	if status, body := harness.Get(t, ready); status != http.StatusOK {
		t.Errorf("before: %d %s", status, body)
	}

	answered := make(chan int, 1)
	go func() {
		response, err := http.Post(url+"/v1/contact", "application/json", strings.NewReader(harness.ContactBody("")))
		if err != nil {
			answered <- 0
			return
		}
		_ = response.Body.Close()
		answered <- response.StatusCode
	}()
	<-held.Reached
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	// Readiness fails before the log line.
	log.Wait(t, "stopping: finishing what is in flight", 1)
	if status, body := harness.Get(t, ready); status != http.StatusServiceUnavailable || !strings.Contains(body, app.ErrStopping.Error()) {
		t.Errorf("while stopping: %d %s", status, body)
	}
	waitRefused(t, url)
	if status, _ := harness.Get(t, ready); status != http.StatusServiceUnavailable {
		t.Errorf("with a request in flight the admin listener answers %d", status)
	}
	close(held.Open)

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

// waitRefused waits until the service accepts no more connections.
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
