package contract_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// TestTrials stores drafts for a page of the application, lists them, and mails the owner
// only if that is set.
func TestTrials(t *testing.T) {
	t.Parallel()
	for _, mails := range []bool{false, true} {
		t.Run(fmt.Sprint("mail ", mails), func(t *testing.T) {
			t.Parallel()
			var data string
			d := harness.Start(t, func(s *config.Settings) {
				data, s.TrialMail.Text, s.AppURL.Text = s.Data, fmt.Sprint(mails), "https://app.example"
			})
			a := d.CallTool(t, harness.NewClient(t), contract.PathWorkspaceMCP, "start_trial", trialRequest, "Origin: https://app.example")
			var got struct {
				Result struct{ StructuredContent contract.Trial }
			}
			expect.OK(t, json.Unmarshal(a.Text, &got))
			trial := got.Result.StructuredContent
			if want := "https://app.example/workspaces/" + trial.WorkspaceID; trial.URL == nil || *trial.URL != want {
				t.Errorf("trial = %s, want the url %s", a.Text, want)
			}
			expect.Same(t, "mails", map[bool]int{true: 1}[mails], len(d.Mail.Messages()))
			code, out, errs := harness.Command(t, "workspaces", "--json", "--data", data)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, errs)
			}
			var listed []records.Workspace
			if err := json.Unmarshal([]byte(out), &listed); err != nil || len(listed) != 1 {
				t.Fatalf("%v: %s", err, out)
			}
			if w := listed[0]; w.ID != trial.WorkspaceID || w.State != "draft" || w.Email != "ada@example.com" || !w.CreatedAt.Truncate(time.Second).Equal(trial.CreatedAt) {
				t.Errorf("listed = %+v", w)
			}
			if code, out, _ := harness.Command(t, "workspaces", "--data", data); code != 0 || !strings.Contains(out, trial.WorkspaceID) {
				t.Errorf("exit %d: %s", code, out)
			}
		})
	}
}

// TestNoTrials lists an empty database, as JSON and as text.
func TestNoTrials(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: data}))(t)
	expect.OK(t, store.Close())
	for args, want := range map[string]string{"--json": "[]\n", "": "No trials yet.\n"} {
		line := slices.DeleteFunc([]string{"workspaces", args, "--data", data}, func(s string) bool { return s == "" })
		if code, out, errs := harness.Command(t, line...); code != 0 || out != want {
			t.Errorf("exit %d: %q %s, want %q", code, out, errs, want)
		}
	}
}
