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
		if n := d.asked.Load(); n != 3 {
			t.Errorf("the database was asked %d times, want 3", n)
		}

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
	if err := r.check(); !errors.Is(err, behind) {
		t.Errorf("a service whose selector is late: %v, want %v", err, behind)
	}
	r.stopping.Store(true)
	if err := r.check(); !errors.Is(err, ErrStopping) {
		t.Errorf("a service that stops: %v, want %v", err, ErrStopping)
	}
}

// TestAdminWhileStarting asks before anything else is open.
func TestAdminWhileStarting(t *testing.T) {
	t.Parallel()
	a, err := openAdmin(t.Context(), "127.0.0.1:0", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.close)
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusServiceUnavailable, "/metrics": http.StatusServiceUnavailable} {
		response, err := http.Get("http://" + a.listener.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, response.StatusCode, want)
		}
	}
}
