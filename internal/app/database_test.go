package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/command"
	"frontdesk/internal/config"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// inquiriesOf are the owner's list, as the command prints it.
func inquiriesOf(t *testing.T, server *programs.Server) []records.Inquiry {
	t.Helper()
	code, out, stderr := harness.Command(t, "inquiries", "--json", "--database-url", server.URL)
	var inquiries []records.Inquiry
	if err := json.Unmarshal([]byte(out), &inquiries); code != command.ExitDone || err != nil {
		t.Fatalf("inquiries: exit %d, %v: %s", code, err, stderr)
	}
	return inquiries
}

// TestTwoInstancesOnPostgres: what one instance takes, the other, the owner's
// commands and the next start all see.
func TestTwoInstancesOnPostgres(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	model := modeltest.Listen(t, modeltest.Pick("refunds"))
	change := func(s *config.Settings) {
		harness.WithModel(t, model, "1")(s)
		harness.OnPostgres(t, server)(s)
	}
	first, second := harness.Start(t, change), harness.Start(t, change)
	for _, d := range []*harness.Desk{first, second} {
		harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	}
	list := inquiriesOf(t, server)
	if len(list) != 2 || list[0].State != records.Sent || list[1].State != records.Sent {
		t.Errorf("inquiries = %+v, want two that were sent", list)
	}
	if got := first.Ask(t, beyond); got.Match != contract.MatchModel {
		t.Errorf("the first instance: %+v, want the model's choice", got)
	}
	if got := second.Ask(t, beyond+" Today?"); got.Reason != contract.ReasonRateLimitedGlobal {
		t.Errorf("the second instance: %+v, want the cap of both reached", got)
	}
	if got := second.Kept(t, 1); len(got) != 1 {
		t.Errorf("kept: %+v", got)
	}
	again := harness.Start(t, change)
	harness.WantStatus(t, again.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	if n := len(inquiriesOf(t, server)); n != 3 {
		t.Errorf("after another start: %d inquiries, want 3", n)
	}
	for _, args := range [][]string{{"questions"}, {"workspaces"}, {"export"}} {
		if code, out, stderr := harness.Command(t, append(args, "--database-url", server.URL)...); code != command.ExitDone || out == "" {
			t.Errorf("%v: exit %d: %s%s", args, code, out, stderr)
		}
	}
}

// TestPostgresDown takes the server away from a running service, in two ways: what
// needs the database says so in time, everything else answers, and it mends itself.
func TestPostgresDown(t *testing.T) {
	t.Parallel()
	server := programs.Postgres(t)
	model := modeltest.Listen(t, modeltest.Pick("refunds"))
	d := harness.Start(t, func(s *config.Settings) {
		harness.WithModel(t, model, "")(s)
		harness.OnPostgres(t, server)(s)
	})
	contact := func(status int) harness.Answer {
		t.Helper()
		got := d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType)
		harness.WantStatus(t, got, status)
		return got
	}
	contact(http.StatusOK)
	for name, fault := range map[string]struct{ begin, mend func() }{
		"stopped": {server.Stop, server.Start},
		"hanging": {server.Freeze, server.Thaw},
	} {
		fault.begin()
		calls := model.Calls()
		wantAllButTheDatabase(t, d, name)
		if model.Calls() != calls {
			t.Errorf("%s: the model was called, uncounted", name)
		}
		refused := contact(http.StatusInternalServerError)
		var problem contract.Problem
		if err := json.Unmarshal(refused.Text, &problem); err != nil || problem.Code != contract.InternalError ||
			refused.Header.Get("Content-Type") != contract.TypeProblem || strings.Contains(string(refused.Text), "connect") {
			t.Errorf("%s: contact: %v, %s", name, err, refused.Text)
		}
		fault.mend()
		contact(http.StatusOK)
		if got := d.Ask(t, beyond+" Now "+name+"?"); got.Match != contract.MatchModel {
			t.Errorf("after %s: %+v, want the model's choice", name, got)
		}
	}
	if n := len(d.Mail.Messages()); n != 3 {
		t.Errorf("%d mails, want 3: none for what was not stored", n)
	}
	for _, secret := range []string{"Ada", "ada@example.com", "Analytical", "parrot"} {
		if strings.Contains(d.Log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, d.Log)
		}
	}
}

// wantAllButTheDatabase asks what has to answer without the database, all at once,
// and what has to say that it cannot.
func wantAllButTheDatabase(t *testing.T, d *harness.Desk, fault string) {
	t.Helper()
	// A call to a database that hangs takes 2 s; a busy machine may add to what waits for it.
	const withoutIt, waiting = 2 * time.Second, 10 * time.Second
	dryRun := harness.ContactBody(`,"dry_run":true`)
	var wait sync.WaitGroup
	for _, call := range []struct {
		method, path, body string
		status             int
		limit              time.Duration
	}{
		{http.MethodGet, "/v1/health", "", http.StatusOK, withoutIt},
		{http.MethodGet, "/v1/catalog", "", http.StatusOK, withoutIt},
		{http.MethodGet, "/faq", "", http.StatusOK, withoutIt},
		{http.MethodPost, "/v1/ask", harness.Question("Do you offer refunds?"), http.StatusOK, withoutIt},
		{http.MethodPost, "/v1/contact", dryRun, http.StatusOK, withoutIt},
		{http.MethodPost, "/v1/ask", harness.Question(beyond), http.StatusOK, waiting},
		{http.MethodPost, "/api/ask/feedback", `{"helpful":true,"entry_id":"refunds"}`, http.StatusInternalServerError, waiting},
	} {
		wait.Go(func() {
			begun := time.Now()
			got := d.Send(t, harness.NewClient(t), call.method, call.path, call.body, harness.JSONType)
			if took := time.Since(begun); got.StatusCode != call.status || took > call.limit {
				t.Errorf("%s: %s %s %s: status %d after %v, want %d within %v: %s", fault, call.method, call.path, call.body, got.StatusCode, took, call.status, call.limit, got.Text)
			}
		})
	}
	wait.Wait()
}

// TestStartWithoutPostgres: a service starts while no server answers, and a command or a
// wrong setting fails at once. Nothing that is printed holds the password.
func TestStartWithoutPostgres(t *testing.T) {
	t.Parallel()
	const unreachable = "postgres://desk:hunter2@127.0.0.1:1/frontdesk"
	serve := []string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"without a key": {append(serve, "--database-url", unreachable), "FRONTDESK_SIGNING_KEY: is required with a PostgreSQL database"},
		"malformed":     {append(serve, "--database-url", "hunter2", "--signing-key="+harness.PEMKey(t, 1)), "FRONTDESK_DATABASE_URL: is not an address"},
		"a list":        {[]string{"inquiries", "--database-url", unreachable}, "FRONTDESK_DATABASE_URL: records: open postgres://desk@127.0.0.1:1/frontdesk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, stderr := harness.Command(t, test.args...)
			if code != command.ExitFailed || !strings.Contains(stderr, test.want) || strings.Contains(out+stderr, "hunter2") {
				t.Errorf("exit %d: %s%s, want %q and no password", code, out, stderr, test.want)
			}
		})
	}
	d := harness.Start(t, func(s *config.Settings) { s.DatabaseURL, s.SigningKey = unreachable, harness.PEMKey(t, 1) })
	if log := d.Log.String(); !strings.Contains(log, "starting without it") || strings.Contains(log, "hunter2") {
		t.Errorf("the log of a start without a server: %s", log)
	}
}
