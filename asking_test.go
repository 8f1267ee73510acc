package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/records"
)

// beyond is a question that the sample content does not answer by itself.
const beyond = "Will my grandmother's parrot need a passport to visit the moon?"

// smallFAQ is a content folder with so few entries that a model sees them all.
func smallFAQ(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := content.Init(dir); err != nil {
		t.Fatal(err)
	}
	faq := "fallback: I do not know.\nentries:\n" +
		"  - {id: refunds, question: Do you offer refunds?, answer: \"No.\\n\\nNever.\"}\n" +
		"  - {id: hours, question: When are you open?, answer: Always.}\n"
	err := errors.Join(os.Remove(filepath.Join(dir, "golden.yaml")), os.WriteFile(filepath.Join(dir, "faq.yaml"), []byte(faq), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// withModel sets a model and its daily cap.
func withModel(t testing.TB, server *modeltest.Server, dailyCap string) func(*config.Settings) {
	return func(s *config.Settings) {
		s.Content = smallFAQ(t)
		s.ModelURL, s.ModelName, s.ModelKey, s.ModelDailyCap = server.URL(), modeltest.Name, modeltest.Key, dailyCap
	}
}

// ask asks as a client of its own, so that no limit stands in the way.
func (d *desk) ask(t testing.TB, q string) contract.Answer {
	t.Helper()
	got := d.send(t, newClient(t), http.MethodPost, "/v1/ask", question(q), jsonType)
	wantStatus(t, got, http.StatusOK)
	var answer contract.Answer
	if err := json.Unmarshal(got.body, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestModelChooses goes down the whole ladder over HTTP.
func TestModelChooses(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := startDesk(t, withModel(t, server, ""))
	refunds := d.ask(t, "Do you offer refunds?")
	if refunds.Match != contract.MatchExact || server.Calls() != 0 {
		t.Fatalf("an approved wording: %+v with %d calls", refunds, server.Calls())
	}
	for _, q := range []string{beyond, strings.ToUpper(beyond)} {
		want := refunds
		want.Match = contract.MatchModel
		if diff := cmp.Diff(want, d.ask(t, q)); diff != "" {
			t.Errorf("Ask(%q) (-want +got):\n%s", q, diff)
		}
	}
	if server.Calls() != 1 || server.Requests()[0].Question != beyond || len(server.Requests()[0].IDs) != 3 {
		t.Errorf("the model was asked %+v", server.Requests())
	}
	server.Behave(modeltest.Fail(http.StatusInternalServerError))
	if got := d.ask(t, beyond+" Soon?"); got.Reason != contract.ReasonModelUnavailable || got.EntryID != nil {
		t.Errorf("with a model that fails: %+v", got)
	}
	for _, secret := range []string{"parrot", modeltest.Key} {
		if strings.Contains(strings.ToLower(d.log.String()), secret) {
			t.Errorf("the log holds %q:\n%s", secret, d.log)
		}
	}
}

// TestDailyCap has fifty clients ask at once (WALLET-002): the model sees no more
// than the cap allows, and none after a restart.
func TestDailyCap(t *testing.T) {
	t.Parallel()
	const clients, dailyCap = 50, 6
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := startDesk(t, withModel(t, server, fmt.Sprint(dailyCap)))
	var wait sync.WaitGroup
	for i := range clients {
		wait.Go(func() {
			got := d.ask(t, fmt.Sprintf("%s %c%c", beyond, 'a'+i%7, 'a'+i/7))
			if got.EntryID == nil && got.Reason != contract.ReasonRateLimitedGlobal && got.Reason != contract.ReasonModelUnavailable {
				t.Errorf("got %+v", got)
			}
		})
	}
	wait.Wait()
	for i := range dailyCap + 1 {
		d.ask(t, fmt.Sprintf("%s again %c", beyond, 'a'+i))
	}
	if calls := server.Calls(); calls != dailyCap {
		t.Errorf("%d calls, want %d", calls, dailyCap)
	}
	again := startDesk(t, func(s *config.Settings) {
		withModel(t, server, fmt.Sprint(dailyCap))(s)
		s.DataFolder = d.settings.DataFolder
	})
	if got := again.ask(t, beyond+" after all"); got.Reason != contract.ReasonRateLimitedGlobal || server.Calls() != dailyCap {
		t.Errorf("after a restart: %+v with %d calls", got, server.Calls())
	}
}

// TestDatabaseDown closes the model's rung and drops questions; ask still answers.
func TestDatabaseDown(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := startDesk(t, withModel(t, server, ""))
	if err := d.store.Close(); err != nil {
		t.Fatal(err)
	}
	if got := d.ask(t, beyond); got.Reason != contract.ReasonModelUnavailable || server.Calls() != 0 {
		t.Errorf("got %+v with %d calls", got, server.Calls())
	}
	if got := d.ask(t, "Do you offer refunds?"); got.Match != contract.MatchExact {
		t.Errorf("got %+v", got)
	}
}

// kept waits for the questions that a service keeps behind the callers' backs.
func (d *desk) kept(t testing.TB, n int) []records.Question {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		questions, err := d.store.Questions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(questions) >= n || time.Now().After(deadline) {
			return questions
		}
	}
}

// feedback is all that is stored, as its owner exports it.
func (d *desk) feedback(t *testing.T) (all []records.Feedback) {
	t.Helper()
	var out bytes.Buffer
	if err := d.store.Export(t.Context(), &out, time.Time{}); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out.Bytes()) {
		var record struct {
			Type string
			records.Feedback
		}
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if record.Type == "feedback" {
			all = append(all, record.Feedback)
		}
	}
	return all
}

func TestQuestionsAreKept(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	d.ask(t, "Do you offer refunds?")
	d.ask(t, beyond+" Write to ada@example.com or +1 555 0100")
	wantStatus(t, d.send(t, newClient(t), http.MethodPost, "/api/ask/feedback",
		`{"helpful":false,"entry_id":"refunds","q":"Do you refund order 4711?"}`, jsonType), http.StatusOK)
	wantStatus(t, d.send(t, newClient(t), http.MethodPost, "/api/ask/feedback", `{"helpful":true,"q":"Do you offer refunds?"}`, jsonType), http.StatusOK)
	got := d.kept(t, 2)
	if len(got) != 2 || got[0].Q != beyond+" Write to [mail] or [number]" || got[1].Q != "Do you refund order [number]?" || got[1].EntryID != "refunds" || got[1].Unhelpful != 1 {
		t.Errorf("kept: %+v", got)
	}
	if feedback := d.feedback(t); len(feedback) != 2 || strings.Contains(feedback[0].Q+feedback[1].Q, "4711") {
		t.Errorf("feedback: %+v", feedback)
	}
}

func TestQuestionsAreNotKept(t *testing.T) {
	t.Parallel()
	d := startDesk(t, func(s *config.Settings) { s.KeepQuestions = "false" })
	d.ask(t, beyond)
	wantStatus(t, d.send(t, newClient(t), http.MethodPost, "/api/ask/feedback", `{"helpful":false,"entry_id":"refunds","q":"Do you bake?"}`, jsonType), http.StatusOK)
	if got := d.kept(t, 0); len(got) > 0 {
		t.Errorf("kept: %+v", got)
	}
	if feedback := d.feedback(t); len(feedback) != 1 || feedback[0].Q != "" {
		t.Errorf("feedback: %+v", feedback)
	}
}
