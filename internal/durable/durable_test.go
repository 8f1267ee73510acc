package durable

import (
	"errors"
	"io/fs"
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
