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

	"frontdesk/internal/expect"
)

// TestBackupDuringWrites backs up again and again while the service writes: each
// backup opens, is sound, and holds every inquiry that was confirmed before it.
func TestBackupDuringWrites(t *testing.T) {
	t.Parallel()
	dir, confirmed := t.TempDir(), make(chan string)
	store := openStore(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	defer wait.Wait()
	defer stop()
	wait.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			if err := store.AddInquiry(context.WithoutCancel(ctx), sample(n), Claim{}); err != nil {
				t.Error(err)
			}
			select {
			case confirmed <- sample(n).ID:
			case <-ctx.Done():
			}
		}
	})
	var before []string
	for range 5 {
		before = append(before, <-confirmed)
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

func TestBackupRefuses(t *testing.T) {
	t.Parallel()
	foreign := t.TempDir()
	expect.OK(t, execute(filepath.Join(foreign, FileName), `CREATE TABLE x (y TEXT)`))
	for dir, message := range map[string]string{t.TempDir(): "no database at", foreign: "no database of frontdesk"} {
		if err := Backup(t.Context(), dir, filepath.Join(t.TempDir(), "b.db")); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("error = %v, want one with %q", err, message)
		}
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
