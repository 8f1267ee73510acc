package admin

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

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
	// As of a service that was killed.
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

func TestAdminWhileStarting(t *testing.T) {
	t.Parallel()
	a := expect.Value(Listen(t.Context(), "127.0.0.1:0", t.TempDir(), zerolog.Nop()))(t)
	t.Cleanup(a.Close)
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503, "/metrics": 503} {
		response := expect.Value(http.Get("http://" + a.listener.Addr().String() + path))(t)
		response.Body.Close()
		expect.Same(t, path, want, response.StatusCode)
	}
}

// Without a setting, a restart finds the same port, or another if that is taken.
func TestPortIsRemembered(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	listen := func() *Admin {
		a := expect.Value(Listen(t.Context(), "", folder, zerolog.Nop()))(t)
		t.Cleanup(a.Close)
		return a
	}
	first := listen()
	address := first.PagesURL("")
	if beside := listen(); beside.PagesURL("") == address {
		t.Errorf("a second listener has the address of the first, %s", address)
	}
	first.Close()
	expect.Same(t, "after a restart", address, listen().PagesURL(""))
}

// Pages of operators answer private names and the configured one. A proxy publishes only the owner's pages.
func TestHosts(t *testing.T) {
	t.Parallel()
	fine := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	handler := onlyPrivateHosts("ops.example.com:9090", map[string]bool{"desk.example": true}, fine)
	for _, tt := range []struct {
		path  string
		want  int
		hosts []string
	}{
		{"/metrics", 200, []string{"127.0.0.1:9090", "[::1]:9090", "10.1.2.3", "localhost:9090", "frontdesk:9090",
			"frontdesk.shop.svc:9090", "host.docker.internal:9090", "ops.example.com", "OPS.example.com.:9090",
			""}}, // HTTP/1.0: no browser sends it
		{"/metrics", 403, []string{"evil.example:9090", "localhost.evil.example", "internal.example", "desk.example"}},
		{"/owner/", 200, []string{"desk.example"}},
		{"/owner/", 403, []string{"evil.example", "desk.example.evil.example"}},
		{"/owner", 403, []string{"desk.example"}},
	} {
		for _, host := range tt.hosts {
			r := httptest.NewRequestWithContext(t.Context(), "GET", tt.path, nil)
			r.Host = host
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			expect.Same(t, tt.path+" of "+host, tt.want, w.Code)
		}
	}
}
