package process_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// TestKilledDuringASend kills the process with SIGKILL at each stage of a mail and starts
// it again on the same data. The mail must arrive, under one Message-ID, and twice only
// if the mail server already had it.
func TestKilledDuringASend(t *testing.T) {
	t.Parallel()
	for _, stage := range []mailtest.Stage{mailtest.Greeting, mailtest.Hello, mailtest.From, mailtest.To, mailtest.Data, mailtest.FinalDot} {
		for _, key := range []string{"", "k"} {
			t.Run(string(stage)+key, func(t *testing.T) {
				t.Parallel()
				c := crash{dir: t.TempDir(), mail: mailtest.Listen(t, mailtest.Options{})}
				c.mail.SetFault(mailtest.Fault{Stage: stage, Action: mailtest.Hang})
				process, url := c.start(t)
				ended := make(chan int, 1)
				go func() { ended <- c.contact(url, key) }()
				c.mail.WaitFault()
				if err := process.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				if status := <-ended; status != 0 {
					t.Errorf("the killed process answered %d", status)
				}
				_ = process.Wait() // it was killed
				c.mail.WaitIdle()
				before := len(c.mail.Messages())
				c.mail.SetFault(mailtest.Fault{})
				c.restart(t, key, before)
			})
		}
	}
}

// crash holds the data folder and the mail server, which outlive the process.
type crash struct {
	dir  string
	mail *mailtest.Server
}

func (c crash) start(t *testing.T) (process *exec.Cmd, url string) {
	t.Helper()
	process, url, _ = harness.StartProcess(t, "FRONTDESK_DATA="+c.dir, "FRONTDESK_SMTP_URL="+c.mail.URL(),
		"FRONTDESK_MAIL_TO=owner@desk.example", "FRONTDESK_MAIL_FROM=desk@desk.example")
	return process, url
}

// contact returns the status of a request, or 0 without an answer.
func (c crash) contact(url, key string) int {
	request, err := http.NewRequest(http.MethodPost, url+"/v1/contact", strings.NewReader(harness.ContactBody("")))
	if err != nil {
		return 0
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// restart starts the service again and checks what became of the request.
func (c crash) restart(t *testing.T, key string, before int) {
	t.Helper()
	process, url := c.start(t)
	if key != "" { // repeating the request works, before or after the recovery
		if status := c.contact(url, key); status != http.StatusOK {
			t.Errorf("the request again: %d, want 200", status)
		}
	}
	c.mail.Wait(before + 1)
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := process.Wait(); err != nil { // it finishes requests in flight
		t.Error(err)
	}
	store, err := records.Open(t.Context(), records.Options{Dir: c.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	inquiries, err := store.Inquiries(t.Context(), records.Filter{State: records.Sent})
	if err != nil || len(inquiries) != 1 {
		t.Fatalf("%d inquiries are sent (%v), want 1", len(inquiries), err)
	}
	mails := c.mail.Messages()
	if len(mails) != before+1 {
		t.Errorf("%d mails arrived after the start, want 1", len(mails)-before)
	}
	for _, mail := range mails {
		if header, _ := mail.Read(t); header.Get("Message-Id") != "<"+inquiries[0].MessageID+">" || string(mail.Data) != string(mails[0].Data) {
			t.Errorf("a mail with the Message-ID %s, want <%s>:\n%s", header.Get("Message-Id"), inquiries[0].MessageID, mail.Data)
		}
	}
	if age := time.Since(inquiries[0].CreatedAt); age > 30*time.Second {
		t.Errorf("it was sent after %v: a restart must not wait for a lease", age)
	}
}

// TestWithoutTheLock checks that a service that cannot detect other senders of the data
// folder logs that and runs.
func TestWithoutTheLock(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) {
		if err := os.Mkdir(filepath.Join(s.Dir(), "senders.lock"), 0o700); err != nil {
			t.Fatal(err)
		}
	})
	if log := d.Log.String(); !strings.Contains(log, "senders.lock") || !strings.Contains(log, "retried after one minute") {
		t.Errorf("the start does not say what is missing: %s", log)
	}
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
}
