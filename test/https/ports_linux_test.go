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
	unit := string(expect.Value(os.ReadFile("deploy/frontdesk.service"))(t))
	const (
		bindService = 10 // CAP_NET_BIND_SERVICE of linux/capability.h
		nobody      = 65534
		host        = "127.0.0.80" // of the loopback network, so that another server on 127.0.0.1 does not matter
	)
	expect.Holds(t, "the unit",
		unit, "\nUser=frontdesk\n", "\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n", "\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n")
	folder := expect.Value(os.MkdirTemp("", "frontdesk-ports"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	program := filepath.Join(folder, "frontdesk")
	if out, err := exec.CommandContext(t.Context(), "cp", os.Args[0], program).CombinedOutput(); err != nil { // the folder of the test binary is root's
		t.Fatalf("%v: %s", err, out)
	}
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	roots := programs.SelfSigned(t, cert, key, time.Hour, domain)
	for _, file := range []string{folder, cert, key} {
		expect.OK(t, os.Chown(file, nobody, nobody))
	}
	start := func(capabilities ...uintptr) (*exec.Cmd, *harness.Log) {
		process, log := harness.Process(t.Context(), "serve"), new(harness.Log)
		process.Path, process.Dir, process.Stderr = program, folder, log
		process.Env = append(process.Env, "FRONTDESK_DOMAIN="+domain, "FRONTDESK_TLS_CERT="+cert, "FRONTDESK_TLS_KEY="+key,
			"FRONTDESK_ADDR="+host+":443", "FRONTDESK_HTTP_ADDR="+host+":80", "FRONTDESK_SMTP_URL=file:", "FRONTDESK_DATA="+filepath.Join(folder, "data"))
		process.SysProcAttr = &syscall.SysProcAttr{
			Credential: &syscall.Credential{Uid: nobody, Gid: nobody}, AmbientCaps: capabilities, Pdeathsig: syscall.SIGKILL,
		}
		expect.OK(t, process.Start())
		return process, log
	}
	process, log := start()
	if err := process.Wait(); err == nil || !strings.Contains(log.String(), "permission denied") {
		t.Errorf("without the capability: %v\n%s", err, log)
	}
	process, log = start(bindService)
	log.Wait(t, "frontdesk serves", 1)
	d := &desk{t: t, addr: host + ":443", httpAddr: host + ":80"}
	browser := d.browser(roots)
	if page, _ := send(t, browser, "GET", "https://"+domain+"/", ""); page.StatusCode != 200 {
		t.Errorf("the home page: %d", page.StatusCode)
	}
	if got, _ := send(t, browser, "GET", "http://"+domain+"/", ""); got.Header.Get("Location") != "https://"+domain+"/" {
		t.Errorf("port 80 is answered %d to %s", got.StatusCode, got.Header.Get("Location"))
	}
	expect.OK(t, process.Process.Signal(syscall.SIGTERM))
	if err := process.Wait(); err != nil {
		t.Errorf("SIGTERM: %v\n%s", err, log)
	}
}
