package app_test

import (
	"errors"
	"frontdesk/test/harness"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestHangup sends the signal to the real process: with good content, with bad, and
// with good again; and to one that serves the sample.
func TestHangup(t *testing.T) {
	t.Parallel()
	dir := harness.SmallContent(t)
	process, url, log := harness.StartProcess(t, "FRONTDESK_CONTENT="+dir)
	hangup := func() {
		t.Helper()
		if err := process.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(want string) {
		t.Helper()
		response, err := http.Get(url + "/faq.md")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if body, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(body), want) {
			t.Errorf("/faq.md does not hold %q: %v\n%s", want, err, body)
		}
	}
	hangup()
	log.Wait(t, reloaded, 1)
	harness.Edit(t, dir, "faq.yaml", oneAnswer("*never"))
	hangup()
	log.Wait(t, "faq.yaml:3: ", 1)
	log.Wait(t, refused, 1)
	holds("Never.") // the answer of the start
	harness.Edit(t, dir, "faq.yaml", oneAnswer("On Sundays."))
	hangup()
	log.Wait(t, reloaded, 2)
	holds("On Sundays.")
	endWell(t, process)
}

// TestHangupOfTheSample says that nothing to reload, and lives.
func TestHangupOfTheSample(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	d.Hangup <- syscall.SIGHUP
	d.Log.Wait(t, "nothing to reload", 1)
	process, _, _ := harness.StartProcess(t)
	if err := process.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	endWell(t, process)
}

func endWell(t *testing.T, process *exec.Cmd) {
	t.Helper()
	if err := errors.Join(process.Process.Signal(syscall.SIGTERM), process.Wait()); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}
