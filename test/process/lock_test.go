package process_test

import (
	"os"
	"path/filepath"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// A service that cannot detect other senders of the data folder logs that and runs.
func TestWithoutTheLock(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) {
		expect.OK(t, os.Mkdir(filepath.Join(s.Dir(), "senders.lock"), 0o700))
	})
	expect.Holds(t, "the log", d.Log.String(), "senders.lock", "retried after one minute")
	got := d.Send(t, harness.NewClient(t), "POST", "/v1/contact", harness.ContactBody(""), harness.JSONType)
	harness.WantStatus(t, got, 200)
}
