package command_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/command"
	"frontdesk/internal/doctor"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// TestDoctor examines a running service by the command line that its operator would
// write, then with a wrong password.
func TestDoctor(t *testing.T) {
	t.Parallel()
	options := mailtest.Options{User: "desk", Password: "s3cr3t-p4ssword"}
	mail := mailtest.Listen(t, options)
	d := harness.Start(t, harness.WithoutMail)
	content := filepath.Join(t.TempDir(), "mydesk")
	if code, _, err := harness.Command(t, "init", content); code != 0 {
		t.Fatal(err)
	}
	args := []string{"doctor", "--addr", d.Addr().String(), "--base-url", d.URL, "--data", d.Settings.Data, "--content", content,
		"--mail-to", "owner@desk.example", "--mail-from", "desk@desk.example", "--smtp-url"}

	code, out, err := harness.Command(t, append(args, mail.URL())...)
	if code != 0 || err != "" {
		t.Errorf("exit %d, want 0: %s", code, err)
	}
	for _, line := range []string{"settings", "data folder", "database", "signing key", "mail", "listen address", "base address"} {
		if !strings.Contains(out, "ok       "+line+" ") {
			t.Errorf("%s is not ok:\n%s", line, out)
		}
	}

	code, out, err = harness.Command(t, append(args, strings.Replace(mail.URL(), options.Password, "t00-s3cr3t", 1), "--json")...)
	if code != command.ExitFailed || !strings.Contains(err, "checks that failed: 1") || strings.Contains(out+err, "t00-s3cr3t") {
		t.Errorf("exit %d, want %d for one failed check, without the password: %s", code, command.ExitFailed, err)
	}
	var examined []doctor.Examined
	if err := json.Unmarshal([]byte(out), &examined); err != nil {
		t.Fatal(err)
	}
	for _, one := range examined {
		if (one.Name == "mail") != (one.Result == doctor.Failed) {
			t.Errorf("%s: %s %s", one.Name, one.Result, one.What)
		}
	}
}
