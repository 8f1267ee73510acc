package app

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
)

// database is one that can be down or hang.
type database struct {
	down, hangs atomic.Bool
	asked       atomic.Int32
}

func (d *database) write(ctx context.Context) error {
	d.asked.Add(1)
	if d.hangs.Load() {
		<-ctx.Done()
		return ctx.Err()
	}
	if d.down.Load() {
		return errors.New("connection refused")
	}
	return nil
}

// TestStorage goes through the life of a database.
func TestStorage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var d database
		s := storage{write: d.write}
		check := func(want string) {
			t.Helper()
			err := s.check(context.Background())
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("check says %v, want %q", err, want)
			}
		}
		check("")
		d.down.Store(true)
		check("") // the result of a moment ago
		time.Sleep(storeCheckInterval)
		check("connection refused")
		d.down.Store(false)
		check("connection refused")
		time.Sleep(storeCheckInterval)
		check("")
		expect.Same(t, "questions to the database", 3, d.asked.Load())

		d.hangs.Store(true)
		time.Sleep(storeCheckInterval)
		began := time.Now()
		for range 10 {
			check("deadline")
		}
		if took := time.Since(began); took != storeCheckTimeout || d.asked.Load() != 4 {
			t.Errorf("ten checks of a database that hangs took %v and asked it %d times", took, d.asked.Load()-3)
		}
		d.hangs.Store(false)
		time.Sleep(storeCheckInterval)
		gone, leave := context.WithCancel(context.Background())
		leave()
		if err := s.check(gone); err != nil {
			t.Errorf("a caller that has left makes it %v for the next", err)
		}
	})
}

// TestAdminWhileStarting asks before anything else is open.
func TestAdminWhileStarting(t *testing.T) {
	t.Parallel()
	a := expect.Value(openAdmin(t.Context(), "127.0.0.1:0", zerolog.Nop()))(t)
	t.Cleanup(a.close)
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusServiceUnavailable, "/metrics": http.StatusServiceUnavailable} {
		response := expect.Value(http.Get("http://" + a.listener.Addr().String() + path))(t)
		response.Body.Close()
		expect.Same(t, path, want, response.StatusCode)
	}
}

// TestHosts: the pages of operators answer private names and the configured one. A proxy
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
		{"[::1]", "/metrics", 200},
		{"10.1.2.3", "/metrics", 200},
		{"localhost:9090", "/metrics", 200},
		{"LOCALHOST", "/metrics", 200},
		{"frontdesk:9090", "/metrics", 200},
		{"frontdesk.shop.svc:9090", "/metrics", 200},
		{"host.docker.internal:9090", "/metrics", 200},
		{"ops.example.com", "/metrics", 200},
		{"OPS.example.com.:9090", "/metrics", 200},
		{"evil.example:9090", "/metrics", 403},
		{"localhost.evil.example", "/metrics", 403},
		{"127.0.0.1.evil.example", "/metrics", 403},
		{"internal.example", "/metrics", 403},
		{"", "/metrics", 200}, // HTTP/1.0: no browser sends it
		{"desk.example", "/owner/", 200},
		{"DESK.example:443", "/owner/inquiries", 200},
		{"desk.example", "/metrics", 403},
		{"desk.example", "/debug/pprof/heap", 403},
		{"desk.example", "/owner", 403},
		{"evil.example", "/owner/", 403},
		{"desk.example.evil.example", "/owner/", 403},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, tt.path, nil)
		r.Host = tt.host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s of %q: %d, want %d", tt.path, tt.host, w.Code, tt.want)
		}
	}
}
