package pilot

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
)

const app = "https://app.example"

var trialRequest = contract.TrialRequest{Business: "Café\u200dAda", Email: "ada@example.com", Name: "Ada", Segment: "retail"}

var noKey contract.IdempotencyKey

func newTrials(t *testing.T) (*Trials, *records.Store) {
	t.Helper()
	w := newWorld(t)
	return w.trials[0], w.stores[0]
}

func stored(t *testing.T, store *records.Store) []records.Workspace {
	t.Helper()
	return expect.Value(store.Workspaces(t.Context()))(t)
}

func TestStart(t *testing.T) {
	t.Parallel()
	trials, store := newTrials(t)
	// A caller that has left already does not undo the trial.
	ctx, leave := context.WithCancel(t.Context())
	leave()
	trial, decision, err := trials.Start(ctx, trialRequest, noKey)
	expect.OK(t, err)
	expect.Same(t, "remaining", 2, decision.Remaining)
	want := records.Workspace{ID: trial.WorkspaceID, State: "draft", Business: trialRequest.Business, Email: trialRequest.Email,
		Name: "Ada", Segment: "retail", CreatedAt: trial.CreatedAt}
	// The answer has whole seconds, the record microseconds.
	toTheSecond := cmp.Comparer(func(a, b time.Time) bool { return a.Truncate(time.Second).Equal(b.Truncate(time.Second)) })
	expect.Same(t, "stored", []records.Workspace{want}, stored(t, store), toTheSecond)
	if trial.State != "draft" || *trial.URL != app+"/workspaces/"+trial.WorkspaceID || !strings.Contains(trial.Next, trialRequest.Email) {
		t.Errorf("trial = %+v", trial)
	}
	expect.Same(t, "created", time.Now(), trial.CreatedAt, cmpopts.EquateApproxTime(time.Minute))
	expect.AtLeast(t, "age", 0, time.Since(trial.CreatedAt))
	trials.AppURL = ""
	trial, _, err = trials.Start(t.Context(), trialRequest, noKey)
	expect.OK(t, err)
	expect.Same(t, "the URL without an application", nil, trial.URL)
}

func TestNotice(t *testing.T) {
	t.Parallel()
	trials, store := newTrials(t)
	mail := mailtest.Listen(t, mailtest.Options{})
	trials.Notice = &Notice{Sender: expect.Value(mailer.Parse(mail.URL(), ""))(t), Mail: func() mailer.Account {
		return mailer.Account{From: "desk@desk.example", To: "owner@desk.example"}
	}}
	trial, _, err := trials.Start(t.Context(), trialRequest, noKey)
	expect.OK(t, err)
	expect.Same(t, "mails", 1, len(mail.Messages()))
	expect.Holds(t, "the mail", mail.Messages()[0].Data,
		"Message-ID: <"+trial.WorkspaceID+"@desk.example>", "To: <owner@desk.example>", `Reply-To: "Ada" <ada@example.com>`, "A trial was started.", "Workspace: "+trial.WorkspaceID, "Segment:   retail")

	// A mail that cannot be sent costs the trial nothing, and the log no personal data.
	var log bytes.Buffer
	trials.Log = zerolog.New(&log)
	trials.Notice.Sender = broken{}
	_, _, err = trials.Start(t.Context(), trialRequest, noKey)
	expect.OK(t, err)
	expect.Same(t, "workspaces are stored", 2, len(stored(t, store)))
	expect.Holds(t, "log", log.String(), "no route")
	expect.Lacks(t, "log", log.String(), "ada@example.com")
}

type broken struct{}

func (broken) Send(context.Context, mailer.Message) error { return errors.New("no route") }
