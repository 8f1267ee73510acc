package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/doctor"
	"frontdesk/mailer/mailtest"
)

// TestDoctor examines a running service by the command line that its operator would
// write, then with a wrong password.
func TestDoctor(t *testing.T) {
	t.Parallel()
	options := mailtest.Options{User: "desk", Password: "s3cr3t-p4ssword"}
	mail := mailtest.Listen(t, options)
	d := startDesk(t, withoutMail)
	content := filepath.Join(t.TempDir(), "mydesk")
	if code, _, err := command(t, "init", content); code != 0 {
		t.Fatal(err)
	}
	args := []string{"doctor", "--addr", d.listener.Addr().String(), "--base-url", d.url, "--data", d.settings.Data, "--content", content,
		"--mail-to", "owner@desk.example", "--mail-from", "desk@desk.example", "--smtp-url"}

	code, out, err := command(t, append(args, mail.URL())...)
	if code != 0 || err != "" {
		t.Errorf("exit %d, want 0: %s", code, err)
	}
	for _, line := range []string{"settings", "data folder", "database", "signing key", "mail", "listen address", "base address"} {
		if !strings.Contains(out, "ok       "+line+" ") {
			t.Errorf("%s is not ok:\n%s", line, out)
		}
	}

	code, out, err = command(t, append(args, strings.Replace(mail.URL(), options.Password, "t00-s3cr3t", 1), "--json")...)
	if code != exitFailed || !strings.Contains(err, "checks that failed: 1") || strings.Contains(out+err, "t00-s3cr3t") {
		t.Errorf("exit %d, want %d for one failed check, without the password: %s", code, exitFailed, err)
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
