package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// TestTraceOfACaller: the traceparent of a question is in its log line and reaches the
// model's endpoint; an invalid one does neither.
func TestTraceOfACaller(t *testing.T) {
	t.Parallel()
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	valid := "00-" + trace + "-00f067aa0ba902b7-01"
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := harness.Start(t, harness.WithModel(t, server, ""))
	for n, parent := range []string{valid, strings.ToUpper(valid)} {
		question := harness.Question(fmt.Sprintf("%s %c", beyond, 'a'+n))
		harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, contract.PathAsk, question, harness.JSONType, "Traceparent: "+parent), http.StatusOK)
	}
	if got := server.Requests(); len(got) != 2 || got[0].Parent != valid || got[1].Parent != "" {
		t.Errorf("the model was sent %+v, want the traceparent of the first", got)
	}
	if n := strings.Count(d.Log.String(), trace); n != 1 {
		t.Errorf("the trace is in the log %d times, want once:\n%s", n, d.Log)
	}
}

// beyond is a question that the sample content does not answer by itself.
const beyond = "Will my grandmother's parrot need a passport to visit the moon?"

func TestModelChooses(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := harness.Start(t, harness.WithModel(t, server, ""))
	refunds := d.Ask(t, "Do you offer refunds?")
	if refunds.Match != contract.MatchExact || server.Calls() != 0 {
		t.Fatalf("an approved wording: %+v with %d calls", refunds, server.Calls())
	}
	for _, q := range []string{beyond, strings.ToUpper(beyond)} {
		want := refunds
		want.Match = contract.MatchModel
		expect.Same(t, fmt.Sprintf("Ask(%q)", q), want, d.Ask(t, q))
	}
	if server.Calls() != 1 || server.Requests()[0].Question != beyond || len(server.Requests()[0].IDs) != 3 {
		t.Errorf("the model was asked %+v", server.Requests())
	}
	server.Behave(modeltest.Fail(http.StatusInternalServerError))
	if got := d.Ask(t, beyond+" Soon?"); got.Reason != contract.ReasonModelUnavailable || got.EntryID != nil {
		t.Errorf("with a model that fails: %+v", got)
	}
	for _, secret := range []string{"parrot", modeltest.Key} {
		if strings.Contains(strings.ToLower(d.Log.String()), secret) {
			t.Errorf("the log holds %q:\n%s", secret, d.Log)
		}
	}
}

// TestMostAskedIsOfferedFirst asks the second entry of the content and reads the home page,
// which is made anew with the content.
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

func TestQuestionsAreKept(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	d.Ask(t, "Do you offer refunds?")
	d.Ask(t, beyond+" Write to ada@example.com or +1 555 0100")
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/api/ask/feedback",
		`{"helpful":false,"entry_id":"refunds","q":"Do you refund order 4711?"}`, harness.JSONType), http.StatusOK)
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/api/ask/feedback", `{"helpful":true,"q":"Do you offer refunds?"}`, harness.JSONType), http.StatusOK)
	got := d.Kept(t, 2)
	slices.SortFunc(got, func(a, b records.Question) int { return a.FirstAt.Compare(b.FirstAt) }) // one batch stores both
	if len(got) != 2 || got[0].Q != beyond+" Write to [mail] or [number]" || got[1].Q != "Do you refund order [number]?" || got[1].EntryID != "refunds" || got[1].Unhelpful != 1 {
		t.Errorf("kept: %+v", got)
	}
	if feedback := d.Feedback(t); len(feedback) != 2 || strings.Contains(feedback[0].Q+feedback[1].Q, "4711") {
		t.Errorf("feedback: %+v", feedback)
	}
}

func TestQuestionsAreNotKept(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.KeepQuestions.Text = "false" })
	d.Ask(t, beyond)
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/api/ask/feedback", `{"helpful":false,"entry_id":"refunds","q":"Do you bake?"}`, harness.JSONType), http.StatusOK)
	if got := d.Kept(t, 0); len(got) > 0 {
		t.Errorf("kept: %+v", got)
	}
	if feedback := d.Feedback(t); len(feedback) != 1 || feedback[0].Q != "" {
		t.Errorf("feedback: %+v", feedback)
	}
}
