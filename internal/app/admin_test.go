package app_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

func TestAdminListener(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, harness.WithAdmin)
	for _, tt := range []struct {
		path   string
		status int
		want   string
	}{
		{"/healthz", 200, "ok\n"},
		{"/readyz", 200, "ready\n"},
		{"/readyz/store", 200, "ready\n"},
		{"/metrics", 200, "frontdesk_content_entries "},
		{"/debug/pprof/", 200, "goroutine"},
		{"/debug/pprof/heap?debug=1", 200, "heap profile"},
		{"/debug/pprof/cmdline", 404, ""},
		{"/", 404, ""},
		{"/v1/health", 404, ""},
	} {
		d.Operate(t, tt.path, tt.status, tt.want)
		if tt.path != "/" && tt.path != "/v1/health" {
			harness.WantStatus(t, d.Send(t, harness.NewClient(t), "GET", tt.path, ""), 404)
		}
	}
	expect.OK(t, d.Store().Close())
	d.Operate(t, "/readyz/store", 503, "the database cannot store a row")
	d.Operate(t, "/readyz", 200) // questions are answered without the database
	d.Operate(t, "/healthz", 200)
}

func TestMetricsOfAService(t *testing.T) {
	t.Parallel()
	const mark = "zanzibar"
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := harness.Start(t, func(s *config.Settings) {
		harness.WithModel(t, server, "5")(s)
		harness.WithAdmin(s)
		s.DailyRows.Text = "0"
	})
	client := harness.NewClient(t)
	marked := []string{"User-Agent: " + mark, "X-Request-Id: " + mark, "Authorization: Bearer " + mark,
		"Referer: https://" + mark + ".example", "X-Forwarded-For: 203.0.113.77"}
	post := func(path, body string, status int) {
		t.Helper()
		harness.WantStatus(t, d.Send(t, client, "POST", path, body, marked...), status)
	}
	post(contract.PathAsk, harness.Question("Do you offer refunds?"), 200)
	post(contract.PathAsk, harness.Question(beyond+" "+mark), 200)
	post(contract.PathMCP, `{"jsonrpc":"2.0","id":"`+mark+`","method":"tools/call","params":{"name":"ask_faq","arguments":{"q":"When are you open?"}}}`, 200)
	post(contract.PathFeedback, `{"helpful":false,"q":"`+mark+`","comment":"`+mark+`"}`, 200)
	for range contract.AskPolicy.Quota - 4 {
		post(contract.PathAsk, `{"q":""}`, 400)
	}
	post(contract.PathAsk, harness.Question(mark), 429)
	post(contract.PathContact, `{"name":"`+mark+`","business":"`+mark+`","email":"`+mark+`@example.com","message":"`+mark+`","phone":"`+mark+`"}`, 200)
	post("/"+mark+"?"+mark, mark, 404)
	harness.WantStatus(t, d.Send(t, client, "GET", "/privacy", "", marked...), 200)
	for _, fault := range []mailtest.Fault{{Stage: mailtest.To, Action: mailtest.Refuse}, {Stage: mailtest.FinalDot, Action: mailtest.Cut}} {
		d.Mail.SetFault(fault)
		harness.WantStatus(t, d.Send(t, harness.NewClient(t), "POST", contract.PathContact, harness.ContactBody("")), 502)
	}
	harness.Edit(t, d.Settings.Content, "faq.yaml", harness.OneAnswer("Never again."))
	d.Log.Wait(t, harness.Reloaded, 1)
	harness.Edit(t, d.Settings.Content, "faq.yaml", "fallback: [")
	d.Log.Wait(t, harness.Refused, 1)

	var text string
	harness.Eventually(t, func() bool { // notes are dropped behind the answer
		text = d.Operate(t, "/metrics", 200)
		return regexp.MustCompile(`(?m)^frontdesk_notes_dropped_total [1-9]`).MatchString(text)
	})
	for _, want := range []string{
		`frontdesk_http_requests_total{method="POST",route="/v1/ask",status="200"} 2`,
		`frontdesk_http_requests_total{method="POST",route="/v1/ask",status="429"} 1`,
		`frontdesk_http_requests_total{method="POST",route="/mcp",status="200"} 1`,
		`frontdesk_http_requests_total{method="POST",route="other",status="404"} 1`,
		`frontdesk_http_requests_total{method="GET",route="/{page}",status="200"} 1`,
		`frontdesk_http_request_duration_seconds_count{route="/v1/ask"} 4`,
		`frontdesk_limit_refusals_total{policy="ask"} 1`,
		`frontdesk_asks_total{match="exact",reason="matched"} 2`,
		`frontdesk_asks_total{match="model",reason="matched"} 1`,
		`frontdesk_mails_total{outcome="sent"} 1`,
		`frontdesk_mails_total{outcome="failed"} 1`,
		`frontdesk_mails_total{outcome="unknown"} 1`,
		`frontdesk_content_reloads_total{result="reloaded"} 1`,
		`frontdesk_content_reloads_total{result="refused"} 1`,
		`frontdesk_content_entries 2`,
		fmt.Sprintf(`frontdesk_content_info{revision=%q} 1`, d.Revision()),
		`frontdesk_model_cap_left 4`,
		`frontdesk_limiter_store{store="memory"} 1`,
	} {
		expect.Holds(t, "/metrics", text, want+"\n")
	}
	expect.Lacks(t, "/metrics", strings.ToLower(text), mark, "203.0.113.77", "parrot", "example.com",
		"127.16.") // with which harness.LocalAddr begins
}
