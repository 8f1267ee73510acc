package admin

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func serveControl(t *testing.T, dir string, reload func(context.Context) (string, error)) {
	t.Helper()
	t.Cleanup(expect.Value(ServeControl(t.Context(), dir, map[string]Action{ActionReload: reload}))(t))
}

// No other user can open the socket, and an older service refuses what a newer
// command asks for.
func TestServeControl(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	serveControl(t, dir, nil)
	if info, err := os.Stat(filepath.Join(dir, socketName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	got, err := Ask(t.Context(), dir, "fly")
	if _, ok := errors.AsType[*RefusedError](err); !ok || got != "" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestNotRunning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Ask(t.Context(), dir, ActionReload); !errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), dir) {
		t.Errorf("no socket: %v", err)
	}
	// A service that was killed leaves its socket behind.
	listener := expect.Value(net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, socketName), Net: "unix"}))(t)
	listener.SetUnlinkOnClose(false)
	expect.OK(t, listener.Close())
	expect.Error(t, "a socket that was left behind", expect.ErrorOf(Ask(t.Context(), dir, ActionReload)), ErrNotRunning)
	if IsRunning(t.Context(), dir) {
		t.Error("a service that was killed is reported as running")
	}
	serveControl(t, dir, func(context.Context) (string, error) { return "live", nil })
	if !IsRunning(t.Context(), dir) {
		t.Error("a running service is not found")
	}
	if got, err := Ask(t.Context(), dir, ActionReload); got != "live" || err != nil {
		t.Errorf("after a new start: %q, %v", got, err)
	}
	expect.Error(t, "a second service", expect.ErrorOf(ServeControl(t.Context(), dir, nil)), ErrInUse)
}
