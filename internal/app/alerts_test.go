package app_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// TestEventsReachTheirAlerts causes what an alert of its own is for: each event is counted, and a
// rule reads its count.
func TestEventsReachTheirAlerts(t *testing.T) {
	t.Parallel()
	dir := harness.SmallContent(t)
	d := harness.Start(t, func(s *config.Settings) {
		harness.WithAdmin(s)
		s.Content, s.AdminToken, s.DailyRows.Text = dir, "0123456789abcdef", "0"
	})
	feedback := d.Send(t, harness.NewClient(t), "POST", contract.PathFeedback, `{"helpful":true,"q":"x"}`, harness.JSONType)
	harness.WantStatus(t, feedback, 200)
	openPages(t, d).post(t, "/owner/sign-in", url.Values{"token": {"another token"}}, 401)
	harness.Edit(t, dir, "faq.yaml", "fallback: [")
	d.Log.Wait(t, harness.Refused, 1)

	rules := string(expect.Value(os.ReadFile(filepath.Join("deploy", "monitoring", "alerts.yaml")))(t))
	for alert, counted := range map[string][2]string{
		"FrontdeskNotesDropped":   {"frontdesk_notes_dropped_total", ""},
		"FrontdeskSignInsRefused": {"frontdesk_sign_ins_total", `outcome="refused"`},
		"FrontdeskContentRefused": {"frontdesk_content_reloads_total", `result="refused"`},
	} {
		_, rule, _ := strings.Cut(rules, "alert: "+alert+"\n")
		rule, _, _ = strings.Cut(rule, "- alert: ")
		expect.Holds(t, "the rule "+alert, rule, counted[0]+"{", counted[1])
		series := regexp.MustCompile(`(?m)^` + counted[0] + `(\{` + counted[1] + `\})? [1-9]`)
		harness.Eventually(t, func() bool { // notes are stored, or dropped, behind the answer
			return series.MatchString(d.Operate(t, "/metrics", 200))
		}, func() string { return alert + ": nothing is counted" })
	}
}
