package app

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// database is one that can be down or hang.
type database struct {
	down, hangs atomic.Bool
	asked       atomic.Int32
}

func (d *database) ping(ctx context.Context) error {
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

// TestReadiness goes through the life of a service.
func TestReadiness(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var d database
		ready := readiness{ping: d.ping}
		check := func(want string) {
			t.Helper()
			err := ready.check(t.Context())
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("check says %v, want %q", err, want)
			}
		}
		check("")
		d.down.Store(true)
		check("") // what was said a moment ago
		time.Sleep(readyFor)
		check("connection refused")
		d.down.Store(false)
		check("connection refused")
		time.Sleep(readyFor)
		check("")
		if n := d.asked.Load(); n != 3 {
			t.Errorf("the database was asked %d times, want 3", n)
		}

		d.hangs.Store(true)
		time.Sleep(readyFor)
		began := time.Now()
		for range 10 {
			check("deadline")
		}
		if took := time.Since(began); took != pingTimeout || d.asked.Load() != 4 {
			t.Errorf("ten checks of a database that hangs took %v and asked it %d times", took, d.asked.Load()-3)
		}
		d.hangs.Store(false)
		time.Sleep(readyFor)
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := ready.check(gone); err != nil {
			t.Errorf("a caller that has left makes it %v for the next", err)
		}
		ready.stopping.Store(true)
		check(ErrStopping.Error())
	})
}
