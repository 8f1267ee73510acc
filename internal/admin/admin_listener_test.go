package admin

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
)

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

// TestPortIsRemembered: without a setting, a restart finds the same port, and another one if that is taken.
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

// The pages of operators answer private names and the configured one. A proxy
// publishes the owner's pages and nothing else, even when it forwards more.
func TestHosts(t *testing.T) {
	t.Parallel()
	handler := onlyPrivateHosts("ops.example.com:9090", map[string]bool{"desk.example": true}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, tt := range []struct {
		host, path string
		want       int
	}{
		{"127.0.0.1:9090", "/metrics", 200},
		{"[::1]:9090", "/metrics", 200},
		{"10.1.2.3", "/metrics", 200},
		{"localhost:9090", "/metrics", 200},
		{"frontdesk:9090", "/metrics", 200},
		{"frontdesk.shop.svc:9090", "/metrics", 200},
		{"host.docker.internal:9090", "/metrics", 200},
		{"ops.example.com", "/metrics", 200},
		{"OPS.example.com.:9090", "/metrics", 200},
		{"evil.example:9090", "/metrics", 403},
		{"localhost.evil.example", "/metrics", 403},
		{"internal.example", "/metrics", 403},
		{"", "/metrics", 200}, // HTTP/1.0: no browser sends it
		{"desk.example", "/owner/", 200},
		{"desk.example", "/metrics", 403},
		{"desk.example", "/owner", 403},
		{"evil.example", "/owner/", 403},
		{"desk.example.evil.example", "/owner/", 403},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", tt.path, nil)
		r.Host = tt.host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s of %q: %d, want %d", tt.path, tt.host, w.Code, tt.want)
		}
	}
}
