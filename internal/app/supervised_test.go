package app_test

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestSystemdNotify(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	listener := expect.Value(net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"}))(t)
	t.Cleanup(func() { _ = listener.Close() })
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "100000")
	t.Setenv("WATCHDOG_PID", "")
	states := make(chan string, 1000)
	go func() {
		for buffer := make([]byte, 1<<10); ; {
			n, err := listener.Read(buffer)
			if err != nil {
				close(states)
				return
			}
			states <- string(buffer[:n])
		}
	}()
	waitFor := func(want string) {
		t.Helper()
		for state := range states {
			if strings.Contains(state, want) {
				return
			}
		}
		t.Errorf("systemd never hears %s", want)
	}
	var d *harness.Desk
	t.Run("service", func(t *testing.T) {
		d = harness.Start(t, harness.WithAdmin)
		d.Operate(t, "/healthz", 200)
		waitFor("READY=1")
		waitFor("WATCHDOG=1")
		waitFor("WATCHDOG=1")
	}) // stops the service
	waitFor("STOPPING=1")
	expect.Lacks(t, "the log", d.Log.String(), `"level":"error"`)
}
