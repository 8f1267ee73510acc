package app_test

import (
	"fmt"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/model/modeltest"
	"frontdesk/test/harness"
)

// What a model chose is remembered until the content
// changes; its daily cap outlives that.
func TestChoicesGoWithTheContent(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := harness.Start(t, harness.WithModel(t, server, "2"))
	for i, want := range []contract.Reason{contract.ReasonMatched, contract.ReasonMatched, contract.ReasonRateLimitedGlobal} {
		for range 2 {
			if got := d.Ask(t, beyond); got.Reason != want {
				t.Errorf("content %d: %+v, want %s", i, got, want)
			}
		}
		if want := min(i+1, 2); server.Calls() != want {
			t.Errorf("content %d: %d calls, want %d", i, server.Calls(), want)
		}
		harness.Edit(t, d.Settings.Content, "faq.yaml", harness.OneAnswer(fmt.Sprintf("Version %d.", i)))
		d.Log.Wait(t, harness.Reloaded, i+1)
	}
}
