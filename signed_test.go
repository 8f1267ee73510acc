package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/signing"
)

// pemKey is a signing key that is always the same, as text.
func pemKey(t testing.TB, n byte) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

func keyID(t testing.TB, text string) string {
	t.Helper()
	key, err := signing.ParseKey([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return key.ID
}

// TestAskVerify asks real services for signed answers.
func TestAskVerify(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*config.Settings)
		key    string // of the one that signs; any when empty
	}{
		{"with the key of the data folder", nil, ""},
		{"with a given key", func(s *config.Settings) { s.SigningKey = pemKey(t, 1) }, keyID(t, pemKey(t, 1))},
		{"while keys are changed", func(s *config.Settings) { s.SigningKey, s.SigningKeyNext = pemKey(t, 1), pemKey(t, 2) }, keyID(t, pemKey(t, 1))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := startDesk(t, tt.change)
			var out, errs bytes.Buffer
			code := run(t.Context(), []string{"ask", "--verify", "--url", d.url, "Who is it for?"}, streams{strings.NewReader(""), &out, &errs})
			if code != exitDone || !strings.Contains(out.String(), "verified · signed ") || !strings.Contains(out.String(), tt.key) {
				t.Errorf("code %d, %q, %q; want an answer verified by %s", code, &out, &errs, tt.key)
			}
		})
	}
}

// TestKeyIsMadeOnce starts a service twice on one data folder.
func TestKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	published := func() string {
		d := startDesk(t, func(s *config.Settings) { s.Data = folder })
		return string(d.send(t, newClient(t), http.MethodGet, contract.PathKeyDirectory, "").body)
	}
	if first, second := published(), published(); first != second {
		t.Errorf("the second start publishes another key:\n%s\n%s", first, second)
	}
	if info, err := os.Stat(filepath.Join(folder, signing.KeyFile)); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v; want mode 0600", info, err)
	}
}

// TestKeysAreReloaded goes through a change of keys by their files, with a mistake on
// the way.
func TestKeysAreReloaded(t *testing.T) {
	t.Parallel()
	first, next := filepath.Join(t.TempDir(), "first.pem"), filepath.Join(t.TempDir(), "next.pem")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(first, pemKey(t, 1))
	write(next, pemKey(t, 2))
	d := startDesk(t, func(s *config.Settings) { s.SigningKeyFile, s.SigningKeyNext = first, next })
	signedBy := func(want, published string) {
		t.Helper()
		got := d.send(t, newClient(t), http.MethodPost, contract.PathAsk, question("Who is it for?"), jsonType, `Accept-Signature: sig1=("@status" "content-digest")`)
		if by := got.Header.Get("Signature-Input"); !strings.Contains(by, keyID(t, want)) {
			t.Errorf("signed as %s, want by %s", by, keyID(t, want))
		}
		if list := d.send(t, newClient(t), http.MethodGet, contract.PathKeyDirectory, ""); !strings.Contains(string(list.body), keyID(t, published)) {
			t.Errorf("%s is not published: %s", keyID(t, published), list.body)
		}
	}
	signedBy(pemKey(t, 1), pemKey(t, 2))
	for i, mistake := range []string{"no key", "", pemKey(t, 2)} { // the last is the other one's
		write(first, mistake)
		d.hangup <- syscall.SIGHUP
		d.log.wait(t, "signing keys refused: the old stay", i+1)
		signedBy(pemKey(t, 1), pemKey(t, 2))
	}
	write(first, pemKey(t, 2))
	write(next, pemKey(t, 1))
	d.hangup <- syscall.SIGHUP
	d.log.wait(t, "signing keys reloaded", 1)
	signedBy(pemKey(t, 2), pemKey(t, 1))
	if strings.Contains(d.log.String(), "PRIVATE") {
		t.Error("a key is in the log")
	}
}

// TestKeyThatCannotBeHad stops the start with the name of the setting.
func TestKeyThatCannotBeHad(t *testing.T) {
	t.Parallel()
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, signing.KeyFile), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, settings := range map[string]config.Settings{
		"FRONTDESK_DATA":        {Addr: "127.0.0.1:0", DataFolder: config.DataFolder{Data: broken}},
		"FRONTDESK_SIGNING_KEY": {Addr: "127.0.0.1:0", DataFolder: config.DataFolder{Data: t.TempDir()}, SigningKey: "no key"},
	} {
		if _, err := newService(t.Context(), settings, zerolog.Nop(), sampleBooks.of); err == nil || !strings.Contains(err.Error(), name+": ") {
			t.Errorf("error %v, want one that names %s", err, name)
		}
	}
}

// TestAgentDirectoriesDoNotHoldUpAStop: the directories are fetched beside the
// service, which ends when it is told to. The desk's clean-up waits for it.
func TestAgentDirectoriesDoNotHoldUpAStop(t *testing.T) {
	t.Parallel()
	d := startDesk(t, func(s *config.Settings) { s.AgentDirectories = []string{"https://agent.invalid"} })
	a := d.send(t, newClient(t), http.MethodPost, contract.PathAsk, question("Who is it for?"), jsonType,
		`Signature-Agent: sig1="https://agent.invalid"`, `Signature: sig1=:AAAA:`,
		`Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=1;expires=2;keyid="k";tag="web-bot-auth"`)
	wantStatus(t, a, http.StatusOK)
	if log := d.log.String(); !strings.Contains(log, `"agent_signature":"unverified"`) {
		t.Errorf("log = %s", log)
	}
}
