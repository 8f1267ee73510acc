package command_test

import (
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

// TestReloadCommand asks a running service to reload, as systemctl reload does.
func TestReloadCommand(t *testing.T) {
	t.Parallel()
	content := harness.SmallContent(t)
	d := harness.Start(t, func(s *config.Settings) { s.Content = content })
	data := d.Settings.Data
	d.WaitReady(t)
	check := func(name string, wantCode int, wantOut, wantErr string, args ...string) {
		t.Helper()
		code, out, err := harness.Command(t, append([]string{"reload"}, args...)...)
		if code != wantCode || !strings.Contains(out, wantOut) || !strings.Contains(err, wantErr) {
			t.Errorf("%s: exit %d, want %d\nout: %s\nwant %q\nerr: %s\nwant %q", name, code, wantCode, out, wantOut, err, wantErr)
		}
	}
	check("good content", 0, "is live", "", "--data", data)
	harness.Edit(t, content, "faq.yaml", "fallback: No.\nentries:\n  - {id: x, question: Why?, anwser: x}\n")
	check("content with a fault", 1, "", "faq.yaml:3: ", "--data", data)
	check("no service", 3, "", "no service runs", "--data", t.TempDir())
}
