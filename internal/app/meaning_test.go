package app_test

import (
	"testing"

	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

func late(t *testing.T, golden string, ready string) (d *harness.Desk, goOn func()) {
	t.Helper()
	dir := harness.SmallContent(t)
	harness.Edit(t, dir, "faq.yaml", harness.OneAnswer("Within 30 days."))
	harness.Edit(t, dir, "golden.yaml", golden)
	parts, goOn := harness.Late(t)
	return harness.Start(t, func(s *config.Settings) { s.Content, s.AdminAddr, s.Ready = dir, "127.0.0.1:0", ready }, parts), goOn
}

const otherWords = "do you offer a refund"

// With a golden question that fails, the selector stays off until the content is corrected.
func TestLateSelectorWithFaults(t *testing.T) {
	t.Parallel()
	d, goOn := late(t, "answered:\n  - {q: "+otherWords+", id: hours}\n", "meaning")
	d.Operate(t, "/readyz", 503, "the encoder has read 0 of 0 texts")
	d.Operate(t, "/metrics", 200, "\nfrontdesk_meaning_ready 0\n")
	goOn()
	d.Log.Wait(t, "the selector stays off", 1)
	d.Operate(t, "/readyz", 503, "golden.yaml:2: ")
	openPages(t, d).get(t, "/owner/state", 200, "golden.yaml:2: Your test question", "only exact wordings are answered")
	harness.Edit(t, d.Settings.Content, "golden.yaml", "answered:\n  - {q: "+otherWords+", id: refunds}\n")
	d.Log.Wait(t, harness.Reloaded, 1)
	d.Operate(t, "/readyz", 200)
}

func TestStopWhileTheSelectorIsLate(t *testing.T) {
	t.Parallel()
	late(t, "unanswered:\n  - Do you sell boats?\n", "serving")
}
