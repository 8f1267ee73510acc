package https_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

// TestPortsWithoutRoot listens on 443 and 80 as a user who is not root, by the capability that the unit gives, and not
// without it.
func TestPortsWithoutRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	const (
		bindService = 10 // CAP_NET_BIND_SERVICE of linux/capability.h
		nobody      = 65534
		host        = "127.0.0.80" // of the loopback network, so that another server on 127.0.0.1 does not matter
	)
	expect.Holds(t, "the unit", expect.Value(os.ReadFile("deploy/frontdesk.service"))(t), "\nUser=frontdesk\n",
		"\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n", "\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n")
	folder := expect.Value(os.MkdirTemp("", "frontdesk-ports"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	program := filepath.Join(folder, "frontdesk") // the folder of the test binary is root's
	expect.OK(t, exec.CommandContext(t.Context(), "cp", os.Args[0], program).Run())
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	roots := programs.SelfSigned(t, cert, key, time.Hour, domain)
	for _, file := range []string{folder, cert, key} {
		expect.OK(t, os.Chown(file, nobody, nobody))
	}
	start := func(capabilities ...uintptr) (*exec.Cmd, *harness.Log) {
		process, log := harness.Process(t.Context(), "serve"), new(harness.Log)
		process.Path, process.Dir, process.Stderr = program, folder, log
		process.Env = append(process.Env, "FRONTDESK_DOMAIN="+domain, "FRONTDESK_TLS_CERT="+cert,
			"FRONTDESK_TLS_KEY="+key, "FRONTDESK_ADDR="+host+":443", "FRONTDESK_HTTP_ADDR="+host+":80",
			"FRONTDESK_SMTP_URL=file:", "FRONTDESK_DATA="+filepath.Join(folder, "data"))
		process.SysProcAttr = &syscall.SysProcAttr{AmbientCaps: capabilities, Pdeathsig: syscall.SIGKILL,
			Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		expect.OK(t, process.Start())
		return process, log
	}
	process, log := start()
	if err := process.Wait(); err == nil || !strings.Contains(log.String(), "permission denied") {
		t.Errorf("without the capability: %v\n%s", err, log)
	}
	process, log = start(bindService)
	log.Wait(t, "frontdesk serves", 1)
	d := &desk{t: t, addr: host + ":443", httpAddr: host + ":80", process: process}
	browser := d.browser(roots)
	page, _ := send(t, browser, "GET", "https://"+domain+"/", "")
	expect.Same(t, "the home page", 200, page.StatusCode)
	got, _ := send(t, browser, "GET", "http://"+domain+"/", "")
	expect.Same(t, "port 80 leads to", "https://"+domain+"/", got.Header.Get("Location"))
	expect.Error(t, log.String(), d.end(syscall.SIGTERM), nil)
}
