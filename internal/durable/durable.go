// Package durable makes what is written to a folder survive a power failure.
package durable

import (
	"os"
	"runtime"
)

// SyncDir makes the names in dir durable: a file that was synced itself can still
// lose its name. Windows has no such call for a folder: NTFS keeps its own journal
// of names.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
