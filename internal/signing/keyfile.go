package signing

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"frontdesk/internal/durable"
)

// KeyFile is the name of the key in the data folder.
const KeyFile = "signing-key.pem"

const (
	modeOwner  fs.FileMode = 0o600
	modeOthers fs.FileMode = 0o077 // permissions that no one else may have on a private key
)

// OpenKey reads the key in a data folder, and makes it at the first start.
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

// readKey reads a key file. A restored backup may have lost the mode, so a file that
// others can read gets its mode back.
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

// makeKey writes a new key. It never overwrites one: signatures of a lost key can no
// longer be verified.
func makeKey(path string) error {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	text, err := Key{private: private}.encode()
	if err != nil {
		return err
	}
	return durable.Create(path, func(file *os.File) error {
		_, err := file.Write(text)
		return err
	})
}
