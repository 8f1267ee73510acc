package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"frontdesk/internal/expect"
)

func TestSyncDir(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.OK(t, SyncDir(dir))
	if err := SyncDir(filepath.Join(dir, "missing")); runtime.GOOS != "windows" {
		expect.Error(t, "nothing", err, fs.ErrNotExist)
	}
}

// A file that exists or appears meanwhile stays. An unfinished write leaves nothing.
func TestCreateReplacesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	old := func(*os.File) error { return os.WriteFile(path, []byte("old"), 0o600) }
	for range 2 {
		expect.Error(t, "a file that is there", Create(path, old), fs.ErrExist)
	}
	fault := errors.New("the disk is full")
	err := Create(filepath.Join(dir, "other"), func(*os.File) error { return fault })
	expect.Error(t, "a full disk", err, fault)
	expect.Same(t, "files", map[string]string{"file": "old"}, expect.Files(t, os.DirFS(dir), " "))
}
