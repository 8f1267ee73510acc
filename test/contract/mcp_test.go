package contract_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// TestTrials lists no trials, stores a draft for a page of the application, lists it, and
// mails the owner only if that is set.
func TestTrials(t *testing.T) {
	t.Parallel()
	for _, mails := range []bool{false, true} {
		t.Run(fmt.Sprint("mail ", mails), func(t *testing.T) {
			t.Parallel()
			var data string
			d := harness.Start(t, func(s *config.Settings) {
				data, s.TrialMail.Text, s.AppURL.Text = s.Data, fmt.Sprint(mails), "https://app.example"
			})
			list := func(args ...string) string {
				t.Helper()
				code, out, errs := harness.Command(t, append([]string{"workspaces", "--data", data}, args...)...)
				if code != 0 {
					t.Fatalf("exit %d: %s", code, errs)
				}
				return out
			}
			expect.Same(t, "no trials, as JSON", "[]\n", list("--json"))
			expect.Same(t, "no trials", "No trials yet.\n", list())
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
			listed := expect.JSON[[]records.Workspace](t, []byte(list("--json")))
			if len(listed) != 1 {
				t.Fatalf("listed = %+v", listed)
			}
			if w := listed[0]; w.ID != trial.WorkspaceID || w.State != "draft" || w.Email != "ada@example.com" || !w.CreatedAt.Truncate(time.Second).Equal(trial.CreatedAt) {
				t.Errorf("listed = %+v", w)
			}
			expect.Holds(t, "the list", list(), trial.WorkspaceID)
		})
	}
}
