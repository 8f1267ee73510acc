package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

func late(t *testing.T, golden string, ready string) (d *harness.Desk, goOn func()) {
	t.Helper()
	dir := harness.SmallContent(t)
	harness.Edit(t, dir, "faq.yaml", harness.OneAnswer("Within 30 days."))
	if err := os.WriteFile(filepath.Join(dir, "golden.yaml"), []byte(golden), 0o600); err != nil {
		t.Fatal(err)
	}
	parts, goOn := harness.Late(t)
	return harness.Start(t, func(s *config.Settings) { s.Content, s.AdminAddr, s.Ready = dir, "127.0.0.1:0", ready }, parts), goOn
}

const otherWords = "do you offer a refund"

// TestLateSelectorWithFaults tries a golden question that fails: the selector stays off until the content is
// corrected.
func TestLateSelectorWithFaults(t *testing.T) {
	t.Parallel()
	d, goOn := late(t, "answered:\n  - {q: "+otherWords+", id: hours}\n", "meaning")
	if status, text := d.Operate(t, "/readyz"); status != 503 || !strings.Contains(text, "the encoder has read 0 of 0 texts") {
		t.Errorf("/readyz: %d %s", status, text)
	}
	if _, text := d.Operate(t, "/metrics"); !strings.Contains(text, "\nfrontdesk_meaning_ready 0\n") {
		t.Error("the metric does not say that the selector is missing")
	}
	goOn()
	d.Log.Wait(t, "the selector stays off", 1)
	if status, text := d.Operate(t, "/readyz"); status != 503 || !strings.Contains(text, "golden.yaml:2: ") {
		t.Errorf("/readyz: %d %s", status, text)
	}
	if _, text := openPages(t, d).get(t, "/owner/state"); !strings.Contains(text, "golden.yaml:2: Your test question") || !strings.Contains(text, "only exact wordings are answered") {
		t.Errorf("the state does not show the fault:\n%s", text)
	}
	harness.Edit(t, d.Settings.Content, "golden.yaml", "answered:\n  - {q: "+otherWords+", id: refunds}\n")
	d.Log.Wait(t, harness.Reloaded, 1)
	if status, text := d.Operate(t, "/readyz"); status != 200 {
		t.Errorf("/readyz after the correction: %d %s", status, text)
	}
}

func TestStopWhileTheSelectorIsLate(t *testing.T) {
	t.Parallel()
	late(t, "unanswered:\n  - Do you sell boats?\n", "serving")
}
