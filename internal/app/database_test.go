package app_test

import (
	"strings"
	"testing"

	"frontdesk/internal/command"
	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

// TestStartWithoutPostgres: a service starts while no server answers, and a command or a
// wrong setting fails at once. Nothing that is printed holds the password.
func TestStartWithoutPostgres(t *testing.T) {
	t.Parallel()
	const unreachable = "postgres://desk:hunter2@127.0.0.1:1/frontdesk"
	serve := []string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"without a key": {append(serve, "--database-url", unreachable), "FRONTDESK_SIGNING_KEY: is required with a PostgreSQL database"},
		"malformed":     {append(serve, "--database-url", "hunter2", "--signing-key="+harness.PEMKey(t, 1)), "FRONTDESK_DATABASE_URL: is not an address"},
		"a list":        {[]string{"inquiries", "--database-url", unreachable}, "FRONTDESK_DATABASE_URL: records: open postgres://desk@127.0.0.1:1/frontdesk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, stderr := harness.Command(t, test.args...)
			if code != command.ExitFailed || !strings.Contains(stderr, test.want) || strings.Contains(out+stderr, "hunter2") {
				t.Errorf("exit %d: %s%s, want %q and no password", code, out, stderr, test.want)
			}
		})
	}
	d := harness.Start(t, func(s *config.Settings) { s.DatabaseURL, s.SigningKey = unreachable, harness.PEMKey(t, 1) })
	if log := d.Log.String(); !strings.Contains(log, "starting without it") || strings.Contains(log, "hunter2") {
		t.Errorf("the log of a start without a server: %s", log)
	}
}
