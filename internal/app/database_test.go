package app_test

import (
	"strings"
	"testing"

	"frontdesk/internal/command"
	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

// TestStartWithoutPostgres: a service starts while no server answers, and a command fails at
// once. Nothing that is printed holds the password.
func TestStartWithoutPostgres(t *testing.T) {
	t.Parallel()
	const unreachable = "postgres://desk:hunter2@127.0.0.1:1/frontdesk"
	code, out, stderr := harness.Command(t, "inquiries", "--database-url", unreachable)
	if want := "FRONTDESK_DATABASE_URL: records: open postgres://desk@127.0.0.1:1/frontdesk"; code != command.ExitFailed || !strings.Contains(stderr, want) || strings.Contains(out+stderr, "hunter2") {
		t.Errorf("exit %d: %s%s, want %q and no password", code, out, stderr, want)
	}
	d := harness.Start(t, func(s *config.Settings) { s.DatabaseURL, s.SigningKey = unreachable, harness.PEMKey(t, 1) })
	if log := d.Log.String(); !strings.Contains(log, "starting without it") || strings.Contains(log, "hunter2") {
		t.Errorf("the log of a start without a server: %s", log)
	}
}
