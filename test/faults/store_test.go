package faults

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/mailer/mailtest"
)

// TestDatabaseFileDeleted takes the database away during a send: if the mail then fails, the answer does not claim
// that the request is kept.
func TestDatabaseFileDeleted(t *testing.T) {
	t.Parallel()
	mails, until := mailtest.Listen(t, mailtest.Options{}), make(chan struct{})
	mails.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Wait, Until: until})
	s := setup{dir: t.TempDir(), mail: mails}
	c := newCaller(t, s.start(t).url)
	sent := make(chan answer, 1)
	go func() { sent <- c.contact(mark(0), "") }()
	mails.WaitFaults(1)
	expect.OK(t, os.Remove(filepath.Join(s.dir, "frontdesk.db")))
	mails.SetFault(mailtest.Fault{Stage: mailtest.Data, Action: mailtest.Refuse})
	close(until)
	got := <-sent
	wantCode(t, got, http.StatusInternalServerError, contract.InternalError)
	if strings.Contains(got.body, "nothing is lost") {
		t.Errorf("the answer promises what is not true: %s", got.body)
	}
}

// slowDisk is a command that makes each sync of the program that follows it take
// a tenth of a second.
func slowDisk(t *testing.T) []string {
	t.Helper()
	strace := programs.Find(t, "strace", "apt-get install strace")
	command := []string{strace, "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync",
		"-e", "inject=fsync,fdatasync:delay_enter=100000"}
	if out, err := exec.Command(command[0], append(command[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("strace cannot trace here: %v: %s", err, out)
	}
	return command
}

// killChildren ends the processes that a process has started.
func killChildren(t *testing.T, pid int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if err != nil {
		t.Error(err)
	}
	for child := range strings.FieldsSeq(string(text)) {
		n, err := strconv.Atoi(child)
		expect.OK(t, err)
		process, err := os.FindProcess(n) // syscall.Kill does not exist on Windows
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// TestFeedbackFlood floods a service on a slow disk with feedback and unanswered
// questions: inquiries go first, and each is accepted.
func TestFeedbackFlood(t *testing.T) {
	t.Parallel()
	mails := mailtest.Listen(t, mailtest.Options{})
	p := setup{mail: mails, environ: []string{withAdmin}, command: slowDisk(t)}.start(t)
	t.Cleanup(func() { killChildren(t, p.cmd.Process.Pid) }) // else it would outlive strace
	c := newCaller(t, p.url)
	stop := make(chan struct{})
	var flood sync.WaitGroup
	defer flood.Wait()
	defer close(stop)
	for w := range 32 {
		flood.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				c.send(http.MethodPost, contract.PathFeedback, `{"helpful":false,"q":"Do you sell ships?"}`)
				c.ask(asked(fmt.Sprintf("Can parrot %d of %d sing?", i, w)))
			}
		})
	}
	for i := range sized(3, 10) {
		key := "key-" + mark(i)
		got := c.contact(mark(i), key)
		for range 2 { // a machine that is busy with other work may take longer than the caller waits
			if got.status == http.StatusInternalServerError {
				got = c.contact(mark(i), key)
			}
		}
		wantStatus(t, got, http.StatusOK)
		t.Logf("accepted after %v", got.took)
	}
}
