package app_test

import (
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

const beyond = "Will my grandmother's parrot need a passport to visit the moon?"

func TestMostAskedIsOfferedFirst(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.Content, s.KeepAnswered.Text = harness.SmallContent(t), "true" })
	isFirst := func(question, other string) bool {
		_, page := harness.Get(t, d.URL)
		return strings.Index(page, ">"+question+"</a>") < strings.Index(page, ">"+other+"</a>")
	}
	const refunds, hours = "Do you offer refunds?", "When are you open?"
	if !isFirst(refunds, hours) {
		t.Error("before anything was asked the order is not that of the content")
	}
	d.Ask(t, hours)
	harness.Eventually(t, func() bool { return len(expect.Value(d.Store().EntryUses(t.Context()))(t)) == 1 })
	harness.Edit(t, d.Settings.Content, "pages/home.md", "# Another title\n")
	harness.Eventually(t, func() bool { return isFirst(hours, refunds) })
}

func TestQuestionsAreNotKept(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.KeepQuestions.Text = "false" })
	d.Ask(t, beyond)
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), "POST", contract.PathFeedback,
		`{"helpful":false,"entry_id":"refunds","q":"Do you refund order 4711?"}`, harness.JSONType), 200)
	if feedback := d.Feedback(t); len(feedback) != 1 || feedback[0].Q != "" || len(d.Kept(t, 0)) > 0 {
		t.Errorf("feedback: %+v; questions: %+v", feedback, d.Kept(t, 0))
	}
}

// Not even one whose call is refused.
func TestLogNamesNoPerson(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.SharedClients = []string{"openai=127.16.0.0/16"} })
	const calls = `{"name":"ask_faq","arguments":{"q":"Refunds?"},"_meta":{"` + contract.MetaSubject + `":"lovelace"}}`
	var last harness.Answer
	client := harness.NewClient(t)
	for range contract.AskPolicy.Quota + 1 {
		last = d.Send(t, client, "POST", contract.PathMCP, harness.RPC("tools/call", calls))
	}
	expect.Holds(t, "the last answer", last.Text, "retry_after_seconds")
	d.Log.Wait(t, contract.PathMCP, contract.AskPolicy.Quota+1)
	expect.Lacks(t, "the log", d.Log.String(), "lovelace")
}

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
