package signing

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

const (
	rfc9421X    = "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs" // B.1.4
	rfc9421ID   = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"
	rfc9421Seed = "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU"
	rfc8037X    = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" // A.2
	rfc8037ID   = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
	rfc8037Seed = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
)

func example(t testing.TB, seed, id string) Key {
	t.Helper()
	return Key{id, ed25519.NewKeyFromSeed(expect.Value(base64.RawURLEncoding.DecodeString(seed))(t))}
}

func testKey(t testing.TB, n byte) Key {
	t.Helper()
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	return expect.Value(newKey(ed25519.NewKeyFromSeed(seed)))(t)
}

// None of the standards' keys may sign.
func TestExampleKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ seed, x, id string }{
		{rfc9421Seed, rfc9421X, rfc9421ID}, {rfc8037Seed, rfc8037X, rfc8037ID},
	} {
		key := example(t, tt.seed, tt.id)
		expect.Same(t, "x", []any{tt.x, tt.id}, []any{base64url(key.public()), thumbprint(key.public())})
		expect.Says(t, "the key "+tt.id, expect.ErrorOf(ParseKey(key.encode())), "which is public")
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	good := key.encode()
	curve := expect.Value(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	block := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	for _, tt := range []struct {
		name, text string
		ok         bool
	}{
		{"good", string(good), true},
		{"white space around", "\n\n" + string(good) + "\r\n ", true},
		{"no PEM", "c2VjcmV0LXNlZWQ=", false},
		{"cut off", string(good[:len(good)/2]), false},
		{"two", string(good) + string(good), false},
		{"certificate", block("CERTIFICATE", []byte("x")), false},
		{"broken inside", block(pemPrivate, []byte("secret-seed")), false},
		{"other kind", block(pemPrivate, expect.Value(x509.MarshalPKCS8PrivateKey(curve))(t)), false},
	} {
		got, err := ParseKey([]byte(tt.text))
		if (err == nil) != tt.ok || tt.ok && got.ID != key.ID || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: key %q, %v; want %q: %v", tt.name, got.ID, err, key.ID, tt.ok)
		}
	}
}

func TestKeysAreNotPrinted(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		expect.Same(t, format+" prints", key.ID, fmt.Sprintf(format, key))
	}
}

// The file is taken from other users again.
func TestOpenKey(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	first := expect.Value(OpenKey(folder))(t)
	path := filepath.Join(folder, KeyFile)
	wantMode(t, path, 0o600)
	wantMode(t, folder, fs.ModeDir|0o700)
	expect.OK(t, os.Chmod(path, 0o644))
	expect.Same(t, "second start", first.ID, expect.Value(OpenKey(folder))(t).ID)
	wantMode(t, path, 0o600)
}

func wantMode(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	expect.Same(t, path+" has mode", mode, expect.Value(os.Stat(path))(t).Mode())
}

// Signatures of a lost key could no longer be verified.
func TestOpenKeyKeepsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, KeyFile)
	expect.Write(t, path, "half a key")
	expect.Says(t, "a broken file", expect.ErrorOf(OpenKey(folder)), path)
	expect.Same(t, "the file holds", "half a key", expect.File(t, path))
}
