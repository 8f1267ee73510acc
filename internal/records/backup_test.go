package records

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// TestBackupDuringWrites backs up again and again while two programs write: each
// backup opens, is sound, and holds every inquiry that was confirmed before it.
func TestBackupDuringWrites(t *testing.T) {
	t.Parallel()
	const backups = 5
	dir := t.TempDir()
	var mu sync.Mutex
	var confirmed []string
	more := make(chan struct{}, 1) // an inquiry was confirmed
	ctx, stop := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	defer wait.Wait()
	defer stop()
	for program := range 2 {
		store := openStore(t, dir)
		wait.Go(func() {
			for n := program; ctx.Err() == nil; n += 2 {
				inquiry := sample(n)
				if err := store.AddInquiry(context.WithoutCancel(ctx), inquiry, Claim{}); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				confirmed = append(confirmed, inquiry.ID)
				mu.Unlock()
				select {
				case more <- struct{}{}:
				default:
				}
			}
		})
	}
	for range backups {
		<-more
		mu.Lock()
		before := slices.Clone(confirmed)
		mu.Unlock()
		restored := t.TempDir()
		expect.OK(t, Backup(t.Context(), dir, filepath.Join(restored, FileName)))
		wantRestored(t, restored, before)
	}
}

// wantRestored opens a folder into which a backup was put.
func wantRestored(t *testing.T, dir string, want []string) {
	t.Helper()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder of the backup holds %v, %v; want only the backup", entries, err)
	}
	if info, err := os.Stat(filepath.Join(dir, FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v; want 0600", info.Mode(), err)
	}
	store := openStore(t, dir)
	var sound string
	if err := store.db.QueryRow(`PRAGMA integrity_check`).Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity: %s, %v", sound, err)
	}
	got := ids(t, store, InquiryQuery{})
	for _, id := range want {
		if !slices.Contains(got, id) {
			t.Errorf("%s was confirmed and is not in the backup", id)
		}
	}
}

// TestBackupRefuses leaves everything as it was when it cannot do its work.
func TestBackupRefuses(t *testing.T) {
	t.Parallel()
	full := t.TempDir()
	fill(t, openStore(t, full), 1)
	foreign := t.TempDir()
	expect.OK(t, execute(filepath.Join(foreign, FileName), `CREATE TABLE x (y TEXT)`))
	gone, leave := context.WithTimeout(t.Context(), time.Nanosecond)
	defer leave()
	<-gone.Done()
	for name, test := range map[string]struct {
		ctx       context.Context
		dir, file string
		is        error
		message   string
	}{
		"a file that is there":  {t.Context(), full, "taken", fs.ErrExist, "taken"},
		"a link that is there":  {t.Context(), full, "link", fs.ErrExist, "link"},
		"no such folder":        {t.Context(), full, "missing/b.db", fs.ErrNotExist, "missing"},
		"no database":           {t.Context(), t.TempDir(), "b.db", ErrNoDatabase, "no database at"},
		"another's database":    {t.Context(), foreign, "b.db", nil, "no database of frontdesk"},
		"a caller that is gone": {gone, full, "b.db", context.DeadlineExceeded, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := t.TempDir()
			expect.OK(t, errors.Join(os.WriteFile(filepath.Join(target, "taken"), []byte("mine"), 0o600),
				os.Symlink("nowhere", filepath.Join(target, "link"))))
			err := Backup(test.ctx, test.dir, filepath.Join(target, test.file))
			if err == nil || (test.is != nil && !errors.Is(err, test.is)) || !strings.Contains(err.Error(), test.message) {
				t.Errorf("error = %v, want %v with %q", err, test.is, test.message)
			}
			entries, err := os.ReadDir(target)
			if err != nil || len(entries) != 2 {
				t.Errorf("left in the folder: %v, %v", entries, err)
			}
			if text, err := os.ReadFile(filepath.Join(target, "taken")); err != nil || string(text) != "mine" {
				t.Errorf("the file that was there: %q, %v", text, err)
			}
		})
	}
}

// TestMustExist makes nothing where there is nothing.
func TestMustExist(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := Open(t.Context(), Options{Dir: dir, MustExist: true}); !errors.Is(err, ErrNoDatabase) || !strings.Contains(err.Error(), dir) {
		t.Errorf("error = %v, want that nothing is there", err)
	}
	expect.Error(t, "the folder", expect.ErrorOf(os.Stat(dir)), fs.ErrNotExist)
	openStore(t, dir)
	openAt(t, Options{Dir: dir, MustExist: true})
}
