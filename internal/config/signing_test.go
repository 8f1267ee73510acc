package config

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/signing"
)

// pemKey is a private key as text, with its id.
func pemKey(t *testing.T, n byte) (text, id string) {
	t.Helper()
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(seed))
	if err != nil {
		t.Fatal(err)
	}
	text = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	key, err := signing.ParseKey([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return text, key.ID
}

func fileWith(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSigningKeys(t *testing.T) {
	t.Parallel()
	first, firstID := pemKey(t, 1)
	second, secondID := pemKey(t, 2)
	tests := []struct {
		name             string
		settings         Settings
		current, another string
	}{
		{"none", Settings{}, "", ""},
		{"PEM", Settings{SigningKey: first}, firstID, ""},
		{"PEM after a line break", Settings{SigningKey: "\n" + first}, firstID, ""},
		{"path", Settings{SigningKey: fileWith(t, first)}, firstID, ""},
		{"file", Settings{SigningKeyFile: fileWith(t, first+"\n")}, firstID, ""},
		{"both", Settings{SigningKey: first, SigningKeyNextFile: fileWith(t, second)}, firstID, secondID},
		{"next beside the one in the data folder", Settings{SigningKeyNext: second}, "", secondID},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			service, err := tt.settings.Service(8080)
			if err != nil || service.SigningKey.ID != tt.current || service.SigningKeyNext.ID != tt.another {
				t.Errorf("%q, %q, %v; want %q, %q", service.SigningKey, service.SigningKeyNext, err, tt.current, tt.another)
			}
		})
	}
}

func TestSigningFaultsNameTheSetting(t *testing.T) {
	t.Parallel()
	first, _ := pemKey(t, 1)
	const framed = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----"
	tests := []struct {
		name     string
		settings Settings
		want     string
	}{
		{"no such file", Settings{SigningKey: "secret/key.pem"}, "FRONTDESK_SIGNING_KEY: is neither PEM nor a file that can be read: no such file"},
		{"a key without its frame", Settings{SigningKey: "c2VjcmV0"}, "FRONTDESK_SIGNING_KEY: is neither PEM nor a file"},
		{"broken PEM", Settings{SigningKey: framed}, "FRONTDESK_SIGNING_KEY: holds a private key that cannot be read"},
		{"broken file", Settings{SigningKeyFile: fileWith(t, "secret")}, "FRONTDESK_SIGNING_KEY_FILE: holds no PEM"},
		{"broken next", Settings{SigningKeyNext: framed}, "FRONTDESK_SIGNING_KEY_NEXT: holds a private key"},
		{"broken next file", Settings{SigningKeyNextFile: fileWith(t, "")}, "FRONTDESK_SIGNING_KEY_NEXT_FILE: holds no PEM"},
		{"value and file", Settings{SigningKey: first, SigningKeyFile: fileWith(t, first)}, "FRONTDESK_SIGNING_KEY_FILE: is set together with FRONTDESK_SIGNING_KEY"},
		{"twice the same", Settings{SigningKey: first, SigningKeyNext: first}, "FRONTDESK_SIGNING_KEY_NEXT: is the same key"},
		{"plain directory", Settings{AgentDirectories: []string{"http://agent.example"}}, "FRONTDESK_AGENT_DIRECTORIES: \"http://agent.example\" must be https"},
		{"directory with a port", Settings{AgentDirectories: []string{"https://agent.example:8443"}}, "FRONTDESK_AGENT_DIRECTORIES: \"https://agent.example:8443\" must be https and without a port"},
		{"directory with a path", Settings{AgentDirectories: []string{"https://agent.example/keys"}}, "FRONTDESK_AGENT_DIRECTORIES: "},
		{"directory with a password", Settings{AgentDirectories: []string{"https://a:b@agent.example"}}, "FRONTDESK_AGENT_DIRECTORIES: "},
		{"no directory", Settings{AgentDirectories: []string{"agent.example"}}, "FRONTDESK_AGENT_DIRECTORIES: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := tt.settings.Service(8080)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "c2Vj") {
				t.Errorf("error %v, want one with %q and nothing of the key", err, tt.want)
			}
		})
	}
}

func TestAgentDirectories(t *testing.T) {
	t.Parallel()
	given := []string{"https://b.example", " https://A.example/ ", "", "https://b.example:443"}
	service, err := Settings{AgentDirectories: given}.Service(8080)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"https://a.example", "https://b.example"}, service.AgentDirectories); diff != "" {
		t.Errorf("directories (-want +got):\n%s", diff)
	}
}

func TestKeysAreNotDescribed(t *testing.T) {
	t.Parallel()
	text, _ := pemKey(t, 1)
	for _, setting := range (Settings{SigningKey: text, SigningKeyNext: text}).Describe() {
		if strings.Contains(setting.Value, "PRIVATE") {
			t.Errorf("%s is shown: %s", setting.Name, setting.Value)
		}
	}
}
