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
	var dir string
	d := harness.Start(t, func(s *config.Settings) {
		dir = harness.SmallContent(t)
		s.Content = dir
		s.KeepAnswered.Text = "true"
	})
	isFirst := func(question, other string) bool {
		_, page := harness.Get(t, d.URL)
		return strings.Index(page, ">"+question+"</a>") < strings.Index(page, ">"+other+"</a>")
	}
	const refunds, hours = "Do you offer refunds?", "When are you open?"
	if !isFirst(refunds, hours) {
		t.Error("before anything was asked the order is not that of the content")
	}
	d.Ask(t, hours)
	harness.Eventually(t, func() bool {
		uses := expect.Value(d.Store().EntryUses(t.Context()))(t)
		return len(uses) == 1
	})
	harness.Edit(t, dir, "pages/home.md", "# Another title\n")
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

// In a shared range each person behind an assistant has a limit, and
// the log does not have the name, even of a person whose call is refused.
func TestLogNamesNoPerson(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.SharedClients = []string{"openai=127.16.0.0/16"} })
	client := harness.NewClient(t)
	callFor := func(person string) string {
		return string(d.Send(t, client, "POST", contract.PathMCP, harness.RPC("tools/call",
			`{"name":"ask_faq","arguments":`+harness.Question("Do you offer refunds?")+`,"_meta":{"`+contract.MetaSubject+`":"`+person+`"}}`),
			harness.JSONType, "Accept: application/json, text/event-stream").Text)
	}
	for range contract.AskPolicy.Quota {
		callFor("lovelace")
	}
	const refusal = "retry_after_seconds"
	expect.Holds(t, "a refusal", callFor("lovelace"), refusal)
	if got := callFor("hopper"); strings.Contains(got, refusal) {
		t.Errorf("the first call for another person: %s", got)
	}
	d.Log.Wait(t, contract.PathMCP, contract.AskPolicy.Quota+2)
	if strings.Contains(d.Log.String(), "lovelace") {
		t.Errorf("the log has the name of a person:\n%s", d.Log)
	}
}
