package signing

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// KeyFile is the name of the key in the data folder.
const KeyFile = "signing-key.pem"

const (
	modeOwner    fs.FileMode = 0o600
	modeOthers   fs.FileMode = 0o077 // what a private key grants nobody
	modeDataPath fs.FileMode = 0o700
)

// OpenKey reads the key of a data folder, or makes it there at the first start.
func OpenKey(folder string) (Key, error) {
	path := filepath.Join(folder, KeyFile)
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := makeKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return Key{}, err
	}
	return readKey(path) // also when another process has made it first
}

// readKey reads a key file of ours. A backup that was put back may have lost the
// mode, so a file that others can read is closed again.
func readKey(path string) (Key, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Key{}, err
	}
	if info.Mode().Perm()&modeOthers != 0 {
		if err := os.Chmod(path, modeOwner); err != nil {
			return Key{}, fmt.Errorf("%s can be read by others: %w", path, err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Key{}, err
	}
	key, err := ParseKey(text)
	if err != nil {
		return Key{}, fmt.Errorf("%s %w", path, err)
	}
	return key, nil
}

// makeKey writes a new key, synced, and never over one that is there: what was
// signed with a lost key can be verified no more.
func makeKey(path string) (err error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	text, err := Key{private: private}.encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), modeDataPath); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, modeOwner)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			_ = os.Remove(path) // half a key would stop every later start
		}
	}()
	if _, err := file.Write(text); err != nil {
		return err
	}
	return file.Sync()
}
