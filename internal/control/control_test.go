package control

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

// serve answers at the socket of a new folder until the test ends.
func serve(t *testing.T, dir string, reload func(context.Context) (string, error)) {
	t.Helper()
	t.Cleanup(expect.Value(Serve(t.Context(), dir, map[string]Action{Reload: reload}))(t))
}

func TestReload(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		verdict string
		err     error
	}{
		{"accepted", "revision a, 3 entries", nil},
		{"refused", "", errors.New("faq.yaml:3: unknown field\nfaq.yaml:9: no answer")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			serve(t, dir, func(context.Context) (string, error) { return tt.verdict, tt.err })
			got, err := Ask(t.Context(), dir, Reload)
			expect.Same(t, "verdict", tt.verdict, got)
			refused, ok := errors.AsType[*RefusedError](err)
			if ok != (tt.err != nil) || ok && refused.Reason != tt.err.Error() {
				t.Errorf("error %v, want %v", err, tt.err)
			}
		})
	}
}

// TestUnknownAction: an older service refuses what a newer command asks for.
func TestUnknownAction(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	serve(t, dir, nil)
	got, err := Ask(t.Context(), dir, "fly")
	if _, ok := errors.AsType[*RefusedError](err); !ok || got != "" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestOnlyItsUser checks that no other user can open the socket.
func TestOnlyItsUser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	serve(t, dir, nil)
	info, err := os.Stat(filepath.Join(dir, socketName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestNotRunning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Ask(t.Context(), dir, Reload); !errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), dir) {
		t.Errorf("no socket: %v", err)
	}
	// A service that was killed leaves its socket behind.
	listener := expect.Value(net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, socketName), Net: "unix"}))(t)
	listener.SetUnlinkOnClose(false)
	expect.OK(t, listener.Close())
	expect.Error(t, "a socket that was left behind", expect.ErrorOf(Ask(t.Context(), dir, Reload)), ErrNotRunning)
	if Running(t.Context(), dir) {
		t.Error("a service that was killed is reported as running")
	}
	serve(t, dir, func(context.Context) (string, error) { return "live", nil })
	if !Running(t.Context(), dir) {
		t.Error("a running service is not found")
	}
	if got, err := Ask(t.Context(), dir, Reload); got != "live" || err != nil {
		t.Errorf("after a new start: %q, %v", got, err)
	}
	expect.Error(t, "a second service", expect.ErrorOf(Serve(t.Context(), dir, nil)), ErrInUse)
}
