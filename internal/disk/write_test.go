package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestSyncDir(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := SyncDir(dir); err != nil {
		t.Errorf("SyncDir of a folder: %v", err)
	}
	if err := SyncDir(filepath.Join(dir, "missing")); runtime.GOOS != "windows" && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("SyncDir of nothing: %v, want that it does not exist", err)
	}
}

// TestCreateReplacesNothing meets a file that is there, and one that comes up while the new
// one is written. What could not be finished leaves nothing.
func TestCreateReplacesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	old := func(*os.File) error { return os.WriteFile(path, []byte("old"), 0o600) }
	for _, write := range []func(*os.File) error{old, old} {
		if err := Create(path, write); !errors.Is(err, fs.ErrExist) {
			t.Errorf("error = %v, want that it exists", err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	fault := errors.New("the disk is full")
	if err := Create(filepath.Join(dir, "other"), func(*os.File) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("error = %v, want %v", err, fault)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}
