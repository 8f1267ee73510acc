package admin

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"frontdesk/internal/expect"
)

// An older service refuses what a newer command asks for.
func TestServeControl(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Cleanup(expect.Value(ServeControl(t.Context(), dir, nil))(t))
	expect.Same(t, "mode", 0o600, expect.Value(os.Stat(filepath.Join(dir, socketName)))(t).Mode().Perm())
	got, err := Ask(t.Context(), dir, "fly")
	if _, ok := errors.AsType[*RefusedError](err); !ok || got != "" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestNotRunning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	err := expect.ErrorOf(Ask(t.Context(), dir, ActionReload))
	expect.Error(t, "no socket", err, ErrNotRunning)
	expect.Says(t, "no socket", err, dir)
	// A service that was killed leaves its socket behind.
	listener := expect.Value(net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, socketName), Net: "unix"}))(t)
	listener.SetUnlinkOnClose(false)
	expect.OK(t, listener.Close())
	expect.Error(t, "a socket that was left behind", expect.ErrorOf(Ask(t.Context(), dir, ActionReload)), ErrNotRunning)
	expect.Same(t, "a service that was killed is running", false, IsRunning(t.Context(), dir))
	reload := func(context.Context) (string, error) { return "live", nil }
	t.Cleanup(expect.Value(ServeControl(t.Context(), dir, map[string]Action{ActionReload: reload}))(t))
	expect.Same(t, "a running service is found", true, IsRunning(t.Context(), dir))
	expect.Same(t, "after a new start", "live", expect.Value(Ask(t.Context(), dir, ActionReload))(t))
	expect.Error(t, "a second service", expect.ErrorOf(ServeControl(t.Context(), dir, nil)), ErrInUse)
}
