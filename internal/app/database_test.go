package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

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
