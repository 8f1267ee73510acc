package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/command"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/signing"
	"frontdesk/test/harness"
)

func keyID(t testing.TB, text string) string {
	t.Helper()
	key := expect.Value(signing.ParseKey([]byte(text)))(t)
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
		{"with a given key", func(s *config.Settings) { s.SigningKey = harness.PEMKey(t, 1) }, keyID(t, harness.PEMKey(t, 1))},
		{"while keys are changed", func(s *config.Settings) { s.SigningKey, s.SigningKeyNext = harness.PEMKey(t, 1), harness.PEMKey(t, 2) }, keyID(t, harness.PEMKey(t, 1))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := harness.Start(t, tt.change)
			code, out, errs := harness.Command(t, "ask", "--verify", "--url", d.URL, "Who is it for?")
			if code != command.ExitDone || !strings.Contains(out, "verified · signed ") || !strings.Contains(out, tt.key) {
				t.Errorf("code %d, %q, %q; want an answer verified by %s", code, out, errs, tt.key)
			}
		})
	}
}

// TestKeyIsMadeOnce starts a service twice on one data folder.
func TestKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	published := func() string {
		d := harness.Start(t, func(s *config.Settings) { s.Data = folder })
		return string(d.Send(t, harness.NewClient(t), http.MethodGet, contract.PathKeyDirectory, "").Text)
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
		expect.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(first, harness.PEMKey(t, 1))
	write(next, harness.PEMKey(t, 2))
	d := harness.Start(t, func(s *config.Settings) { s.SigningKeyFile, s.SigningKeyNext = first, next })
	signedBy := func(want, published string) {
		t.Helper()
		got := d.Send(t, harness.NewClient(t), http.MethodPost, contract.PathAsk, harness.Question("Who is it for?"), harness.JSONType, `Accept-Signature: sig1=("@status" "content-digest")`)
		if by := got.Header.Get("Signature-Input"); !strings.Contains(by, keyID(t, want)) {
			t.Errorf("signed as %s, want by %s", by, keyID(t, want))
		}
		if list := d.Send(t, harness.NewClient(t), http.MethodGet, contract.PathKeyDirectory, ""); !strings.Contains(string(list.Text), keyID(t, published)) {
			t.Errorf("%s is not published: %s", keyID(t, published), list.Text)
		}
	}
	signedBy(harness.PEMKey(t, 1), harness.PEMKey(t, 2))
	for i, mistake := range []string{"no key", "", harness.PEMKey(t, 2)} { // the last is the other one's
		write(first, mistake)
		d.Hangup <- syscall.SIGHUP
		d.Log.Wait(t, "signing keys refused: the old keys stay in use", i+1)
		signedBy(harness.PEMKey(t, 1), harness.PEMKey(t, 2))
	}
	write(first, harness.PEMKey(t, 2))
	write(next, harness.PEMKey(t, 1))
	d.Hangup <- syscall.SIGHUP
	d.Log.Wait(t, "signing keys reloaded", 1)
	signedBy(harness.PEMKey(t, 2), harness.PEMKey(t, 1))
	if strings.Contains(d.Log.String(), "PRIVATE") {
		t.Error("a key is in the log")
	}
}

// TestKeyThatCannotBeHad stops the start with the name of the setting.
func TestKeyThatCannotBeHad(t *testing.T) {
	t.Parallel()
	broken := t.TempDir()
	expect.OK(t, os.WriteFile(filepath.Join(broken, signing.KeyFile), []byte("no key"), 0o600))
	for name, settings := range map[string]config.Settings{
		"FRONTDESK_DATA":        {Addr: "127.0.0.1:0", DataFolder: config.DataFolder{Data: broken}},
		"FRONTDESK_SIGNING_KEY": {Addr: "127.0.0.1:0", DataFolder: config.DataFolder{Data: t.TempDir()}, SigningKey: "no key"},
	} {
		if _, err := app.New(t.Context(), settings, app.Options{Log: zerolog.Nop(), Replace: app.Replacements{Book: harness.Book}}); err == nil || !strings.Contains(err.Error(), name+": ") {
			t.Errorf("error %v, want one that names %s", err, name)
		}
	}
}

// TestAgentDirectoriesDoNotHoldUpAStop checks that fetching directories does not delay a
// stop. The clean-up of the desk waits for the service to end.
func TestAgentDirectoriesDoNotHoldUpAStop(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.AgentDirectories = []string{"https://agent.invalid"} })
	a := d.Send(t, harness.NewClient(t), http.MethodPost, contract.PathAsk, harness.Question("Who is it for?"), harness.JSONType,
		`Signature-Agent: sig1="https://agent.invalid"`, `Signature: sig1=:AAAA:`,
		`Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=1;expires=2;keyid="k";tag="web-bot-auth"`)
	harness.WantStatus(t, a, http.StatusOK)
	if log := d.Log.String(); !strings.Contains(log, `"agent_signature":"unverified"`) {
		t.Errorf("log = %s", log)
	}
}
