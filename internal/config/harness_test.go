package config

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"frontdesk/internal/expect"
	"frontdesk/internal/signing"
)

func TestMain(m *testing.M) {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, Prefix) {
			_ = os.Unsetenv(name)
		}
	}
	os.Exit(m.Run())
}

// given reads flags without their dashes as serve does.
func given(t *testing.T, flags ...string) Settings {
	t.Helper()
	var command struct{ Settings }
	parser := expect.Value(kong.New(&command))(t)
	var args []string
	for _, flag := range flags {
		args = append(args, "--"+flag)
	}
	expect.Value(parser.Parse(args))(t)
	return command.Settings
}

func service(t *testing.T, flags ...string) Service {
	t.Helper()
	service, err := given(t, flags...).Service(0)
	if err != nil {
		t.Fatalf("%q: %v", flags, err)
	}
	return service
}

func pemKey(t *testing.T, n byte) (text, id string) {
	t.Helper()
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	der := expect.Value(x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(seed)))(t)
	text = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	key := expect.Value(signing.ParseKey([]byte(text)))(t)
	return text, key.ID
}

func fileWith(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	expect.Write(t, path, text)
	return path
}
