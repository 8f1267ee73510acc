package app_test

import (
	"fmt"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/test/harness"
)

// What a model chose is remembered until the content changes; its daily cap outlives that.
func TestChoicesGoWithTheContent(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := harness.Start(t, harness.WithModel(t, server, "2"))
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	first := d.Send(t, harness.NewClient(t), "POST", contract.PathAsk, harness.Question(beyond), "Traceparent: "+parent)
	harness.WantStatus(t, first, 200)
	expect.Same(t, "the traceparent that reaches the model", parent, server.Requests()[0].Parent)
	for i, want := range []contract.Reason{contract.ReasonMatched, contract.ReasonMatched, contract.ReasonRateLimitedGlobal} {
		for range 2 {
			expect.Same(t, fmt.Sprint("content ", i), want, d.Ask(t, beyond).Reason)
		}
		expect.Same(t, fmt.Sprint("calls for content ", i), min(i+1, 2), server.Calls())
		harness.Edit(t, d.Settings.Content, "faq.yaml", harness.OneAnswer(fmt.Sprintf("Version %d.", i)))
		d.Log.Wait(t, harness.Reloaded, i+1)
	}
	expect.Lacks(t, "the log", d.Log.String(), "parrot", modeltest.Key)
}
