package app

import (
	"context"
	"errors"
	"net/http"
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

func TestReadiness(t *testing.T) {
	t.Parallel()
	behind := errors.New("the encoder reads")
	r := readiness{stopping: new(atomic.Bool), meaning: func() error { return behind }}
	if err := r.check(); err != nil {
		t.Errorf("a service that runs: %v", err)
	}
	r.byMeaning = true
	expect.Error(t, "a service whose selector is late", r.check(), behind)
	r.stopping.Store(true)
	expect.Error(t, "a service that stops", r.check(), ErrStopping)
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
