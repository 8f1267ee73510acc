package signing

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"frontdesk/internal/disk"
)

// Key is an Ed25519 private key with its name.
type Key struct {
	ID      string // the thumbprint of the public half
	private ed25519.PrivateKey
}

// newKey names a private key. It refuses the example keys of standards, because
// anyone can sign with them.
func newKey(private ed25519.PrivateKey) (Key, error) {
	key := Key{private: private}
	key.ID = thumbprint(key.public())
	if slices.Contains(publishedKeys, key.ID) {
		return Key{}, errors.New("is the example key of a standard, which is public: " + howToMake)
	}
	return key, nil
}

// String returns only the name, so that a key printed by mistake stays secret.
func (k Key) String() string { return k.ID }

// GoString is String, for %#v.
func (k Key) GoString() string { return k.ID }

// Secret derives a secret for a purpose from the key.
func (k Key) Secret(purpose string) []byte {
	secret, _ := hkdf.Key(sha256.New, k.private.Seed(), nil, purpose, sha256.Size) // HKDF has this length
	return secret
}

func (k Key) public() ed25519.PublicKey { return k.private.Public().(ed25519.PublicKey) }

// thumbprint names a public key (RFC 7638 with the members of RFC 8037 A.3).
func thumbprint(public ed25519.PublicKey) string {
	sum := sha256.Sum256(fmt.Appendf(nil, `{"crv":%q,"kty":%q,"x":%q}`, curveEd25519, typeOKP, base64url(public)))
	return base64url(sum[:])
}

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// publishedKeys are the thumbprints of example keys: RFC 9421 B.1.4, which
// verifiers of Web Bot Auth must refuse, and RFC 8037 A.1.
var publishedKeys = []string{
	"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
	"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
}

const (
	howToMake  = "make one with `openssl genpkey -algorithm ed25519`"
	pemPrivate = "PRIVATE KEY" // PKCS#8, RFC 5958
)

// ParseKey reads a private key: one PEM block in PKCS#8 and nothing else. Its errors
// never repeat their input.
func ParseKey(text []byte) (Key, error) {
	block, rest := pem.Decode(bytes.TrimSpace(text))
	if block != nil && block.Type == pemPrivate && len(bytes.TrimSpace(rest)) == 0 {
		parsed, _ := x509.ParsePKCS8PrivateKey(block.Bytes) // nil if it is none
		if private, ok := parsed.(ed25519.PrivateKey); ok {
			return newKey(private)
		}
	}
	return Key{}, errors.New("is not one Ed25519 private key in PEM (PKCS#8): " + howToMake)
}

// encode returns the PEM that ParseKey reads.
func (k Key) encode() []byte {
	der, _ := x509.MarshalPKCS8PrivateKey(k.private) // it fails only for other types of keys
	return pem.EncodeToMemory(&pem.Block{Type: pemPrivate, Bytes: der})
}

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
	_, private, _ := ed25519.GenerateKey(nil) // crypto/rand never fails
	// Create never overwrites a key: signatures of a lost one can no longer be verified.
	err = disk.Create(path, disk.Bytes(Key{private: private}.encode()))
	if err != nil && !errors.Is(err, fs.ErrExist) {
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
