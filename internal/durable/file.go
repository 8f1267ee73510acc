package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile makes a file appear whole or not at all, readable only by its owner: the bytes
// are on the disk before the name is, and the name is on the disk before it returns. It
// makes the folder if it is missing.
func WriteFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	if err == nil {
		err = temporary.Sync()
	}
	err = errors.Join(err, temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return err
	}
	return SyncDir(filepath.Dir(path))
}
