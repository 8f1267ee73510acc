package main

import (
	"errors"
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
	dir := smallFAQ(t)
	process, url, log := startLogged(t, "FRONTDESK_CONTENT="+dir)
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
	log.wait(t, reloaded, 1)
	edit(t, dir, "faq.yaml", oneAnswer("*never"))
	hangup()
	log.wait(t, "faq.yaml:3: ", 1)
	log.wait(t, refused, 1)
	holds("Never.") // the answer of the start
	edit(t, dir, "faq.yaml", oneAnswer("On Sundays."))
	hangup()
	log.wait(t, reloaded, 2)
	holds("On Sundays.")
	endWell(t, process)
}

// TestHangupOfTheSample says that there is nothing to reload, and lives.
func TestHangupOfTheSample(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	d.hangup <- syscall.SIGHUP
	d.log.wait(t, "there is nothing to reload", 1)
	process, _ := startProcess(t)
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
