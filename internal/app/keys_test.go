package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"frontdesk/contract"
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
		got := d.Send(t, harness.NewClient(t), "POST", contract.PathAsk, harness.Question("Who is it for?"), harness.JSONType, `Accept-Signature: sig1=("@status" "content-digest")`)
		expect.Holds(t, "Signature-Input", got.Header.Get("Signature-Input"), keyID(t, want))
		if list := d.Send(t, harness.NewClient(t), "GET", contract.PathKeyDirectory, ""); !strings.Contains(string(list.Text), keyID(t, published)) {
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
