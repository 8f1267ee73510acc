package app_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/signing"
	"frontdesk/test/harness"
)

func TestKeysAreReloaded(t *testing.T) {
	t.Parallel()
	first, next := filepath.Join(t.TempDir(), "first.pem"), filepath.Join(t.TempDir(), "next.pem")
	write := func(path, text string) { expect.Write(t, path, text) }
	one, two := harness.PEMKey(t, 1), harness.PEMKey(t, 2)
	write(first, one)
	write(next, two)
	d := harness.Start(t, func(s *config.Settings) { s.SigningKeyFile, s.SigningKeyNext = first, next })
	signedBy := func(want, published string) {
		t.Helper()
		id := func(text string) string { return expect.Value(signing.ParseKey([]byte(text)))(t).ID }
		got := d.Send(t, harness.NewClient(t), "POST", contract.PathAsk, harness.Question("Who is it for?"),
			`Accept-Signature: sig1=("@status" "content-digest")`)
		expect.Holds(t, "Signature-Input", got.Header.Get("Signature-Input"), id(want))
		expect.Holds(t, "the directory", d.Send(t, harness.NewClient(t), "GET", contract.PathKeyDirectory, "").Text, id(published))
	}
	signedBy(one, two)
	for i, mistake := range []string{"no key", "", two} { // the last is the other one's
		write(first, mistake)
		d.Hangup <- syscall.SIGHUP
		d.Log.Wait(t, "signing keys refused: the old keys stay in use", i+1)
		signedBy(one, two)
	}
	write(first, two)
	write(next, one)
	d.Hangup <- syscall.SIGHUP
	d.Log.Wait(t, "signing keys reloaded", 1)
	signedBy(two, one)
	expect.Lacks(t, "the log", d.Log.String(), "PRIVATE")
}
