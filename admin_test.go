package main

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/model/modeltest"
	"frontdesk/mailer/mailtest"
)

// adminAddress finds the address in the line that says so.
var adminAddress = regexp.MustCompile(`"address":"([0-9.:]+)"`)

func adminGet(t testing.TB, url string) (status int, body string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// operate asks the admin listener of a desk.
func (d *desk) operate(t testing.TB, path string) (status int, body string) {
	t.Helper()
	return adminGet(t, "http://"+d.admin.listener.Addr().String()+path)
}

func withAdmin(s *config.Settings) { s.AdminAddr = "127.0.0.1:0" }

func TestAdminListener(t *testing.T) {
	t.Parallel()
	d := startDesk(t, withAdmin)
	for _, tt := range []struct {
		path   string
		status int
		want   string
	}{
		{"/healthz", http.StatusOK, "ok\n"},
		{"/readyz", http.StatusOK, "ready\n"},
		{"/metrics", http.StatusOK, "frontdesk_content_entries "},
		{"/debug/pprof/", http.StatusOK, "goroutine"},
		{"/debug/pprof/heap?debug=1", http.StatusOK, "heap profile"},
		{"/debug/pprof/cmdline", http.StatusNotFound, ""},
		{"/", http.StatusNotFound, ""},
		{"/v1/health", http.StatusNotFound, ""},
	} {
		if status, body := d.operate(t, tt.path); status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d %.200s, want %d with %q", tt.path, status, body, tt.status, tt.want)
		}
		if tt.path != "/" && tt.path != "/v1/health" {
			wantStatus(t, d.send(t, newClient(t), http.MethodGet, tt.path, ""), http.StatusNotFound)
		}
	}
	if err := d.store.Close(); err != nil {
		t.Fatal(err)
	}
	d.admin.ready.mu.Lock()
	d.admin.ready.checked = d.admin.ready.checked.Add(-readyFor)
	d.admin.ready.mu.Unlock()
	if status, body := d.operate(t, "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "the database does not answer") {
		t.Errorf("with the database closed: %d %s", status, body)
	}
	if status, _ := d.operate(t, "/healthz"); status != http.StatusOK {
		t.Errorf("the process lives, and /healthz says %d", status)
	}
}

// TestMetricsOfAService uses every face of a service and looks at what was counted;
// whatever a caller wrote is not in it.
func TestMetricsOfAService(t *testing.T) {
	t.Parallel()
	const mark = "zanzibar"
	server := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := startDesk(t, func(s *config.Settings) {
		withModel(t, server, "5")(s)
		withAdmin(s)
	})
	client := newClient(t)
	marked := []string{jsonType, "User-Agent: " + mark, "X-Request-Id: " + mark, "Authorization: Bearer " + mark,
		"Referer: https://" + mark + ".example", "X-Forwarded-For: 203.0.113.77"}
	post := func(path, body string, status int) {
		t.Helper()
		wantStatus(t, d.send(t, client, http.MethodPost, path, body, marked...), status)
	}
	post(contract.PathAsk, question("Do you offer refunds?"), 200)
	post(contract.PathAsk, question(beyond+" "+mark), 200)
	post(contract.PathMCP, `{"jsonrpc":"2.0","id":"`+mark+`","method":"tools/call","params":{"name":"ask_faq","arguments":`+question("When are you open?")+`}}`, 200)
	post(contract.PathFeedback, `{"helpful":false,"q":"`+mark+`","comment":"`+mark+`"}`, 200)
	post(contract.PathAsk, `{"q":""}`, 400)
	post(contract.PathAsk, question(mark), 429)
	post(contract.PathContact, `{"name":"`+mark+`","business":"`+mark+`","email":"`+mark+`@example.com","message":"`+mark+`","phone":"`+mark+`"}`, 200)
	post("/"+mark+"?"+mark, mark, 404)
	wantStatus(t, d.send(t, client, http.MethodGet, "/privacy", "", marked...), 200)
	edit(t, d.settings.Content, "faq.yaml", oneAnswer("Never again."))
	d.log.wait(t, reloaded, 1)

	_, text := d.operate(t, "/metrics")
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
		`frontdesk_clients_total{class="other"} 9`,
		`frontdesk_mails_total{outcome="sent"} 1`,
		`frontdesk_content_reloads_total{result="reloaded"} 1`,
		`frontdesk_content_entries 2`,
		fmt.Sprintf(`frontdesk_content_info{revision=%q} 1`, d.live.current.Load().state.Revision()),
		`frontdesk_model_cap_left 4`,
		`frontdesk_limiter_store{store="memory"} 1`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %s", want)
		}
	}
	for _, personal := range []string{mark, "203.0.113.77", "127.1", "parrot", "example.com"} {
		if strings.Contains(strings.ToLower(text), personal) {
			t.Errorf("the metrics hold %q", personal)
		}
	}
}

// TestMailOutcomes counts what the mail server does.
func TestMailOutcomes(t *testing.T) {
	t.Parallel()
	d := startDesk(t, withAdmin)
	for fault, outcome := range map[mailtest.Fault]string{
		{Stage: mailtest.To, Action: mailtest.Refuse}:    "failed",
		{Stage: mailtest.FinalDot, Action: mailtest.Cut}: "unknown",
	} {
		d.mail.SetFault(fault)
		wantStatus(t, d.send(t, newClient(t), http.MethodPost, contract.PathContact, contactBody(""), jsonType), http.StatusBadGateway)
		if _, text := d.operate(t, "/metrics"); !strings.Contains(text, fmt.Sprintf("frontdesk_mails_total{outcome=%q} 1\n", outcome)) {
			t.Errorf("a mail with the outcome %s is not counted:\n%s", outcome, text)
		}
	}
}
