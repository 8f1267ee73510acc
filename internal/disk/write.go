// Package disk writes files whole or not at all, makes the names in a folder survive a power
// failure, and reports changed files of a folder.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// WriteFile makes a file appear whole or not at all, readable only by its owner: the bytes
// are on the disk before the name is, and the name is on the disk before it returns. It
// makes a missing folder, but not the parents of that folder, because the path may be
// mistyped.
func WriteFile(path string, content []byte) error {
	return appear(path, os.Rename, Bytes(content))
}

// Bytes writes content, for Create and Stage.
func Bytes(content []byte) func(*os.File) error {
	return func(file *os.File) error {
		_, err := file.Write(content)
		return err
	}
}

// Create is WriteFile for what write writes. It replaces no file: the error is then
// fs.ErrExist.
func Create(path string, write func(*os.File) error) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return appear(path, nameNew, write)
}

// nameNew gives a finished file its name. A link, unlike a rename, does not replace a file
// that was created meanwhile; on file systems without links only the earlier check
// protects it.
func nameNew(part, path string) error {
	err := os.Link(part, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(part, path)
	}
	return err
}

func appear(path string, name func(part, path string) error, write func(*os.File) error) error {
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	part, err := Stage(path, 0o600, write)
	defer os.Remove(part) // it has its final name by then, or is of no use
	if err == nil {
		err = name(part, path)
	}
	if err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Staged is the pattern of the names that Stage gives. A process that is killed leaves such a file.
const Staged = ".new-*"

// Stage writes a hidden file beside path, with the mode that the file of that name is to
// have. The caller renames or removes it; its name is empty if there is none.
func Stage(path string, mode fs.FileMode, write func(*os.File) error) (part string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), Staged)
	if err != nil {
		return "", err
	}
	if err = write(file); err == nil {
		err = errors.Join(file.Chmod(mode), file.Sync())
	}
	return file.Name(), errors.Join(err, file.Close())
}

// TryWriting fails if no file can be written in dir. It creates a hidden file and removes it.
func TryWriting(dir string) error {
	part, err := Stage(filepath.Join(dir, "try"), 0o600, Bytes([]byte("try\n")))
	if part != "" {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

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
