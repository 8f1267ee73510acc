package deploy_test

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// notHere are the alerts that fire only in TestAlertRules, and why.
var notHere = map[string]string{
	"FrontdeskEncoderBusy":     "needs more questions at once than a machine has processors for",
	"FrontdeskLimitsNotShared": "needs Redis; metrics.TestValues reads its gauge",
	"FrontdeskRedisSlow":       "needs Redis; metrics.TestValues reads its counters",
	"FrontdeskLogLinesDropped": "needs a log that is not read; app.TestStalledReader counts the lines",
}

// TestAlertsFire breaks running services in the way that each alert is for, until it
// fires in a real Prometheus. The rules are those that are shipped, but do not wait.
func TestAlertsFire(t *testing.T) {
	t.Parallel()
	programs.Find(t, "prometheus", "apt-get install prometheus")
	model := modeltest.Listen(t, modeltest.Pick("hours"))
	start := func(changes ...func(*config.Settings)) *harness.Desk {
		return harness.Start(t, func(s *config.Settings) {
			harness.WithAdmin(s)
			for _, change := range changes {
				change(s)
			}
		})
	}
	mailless, waiting, stuck, lost := start(), start(), start(), start(func(s *config.Settings) {
		s.DailyRows.Text = "1"
		s.Backup = "daily:" + writeFile(t, filepath.Join(t.TempDir(), "no folder"), "") // backups fail
	})
	busy := start(func(s *config.Settings) { s.DailySends.Text = "1" })
	edited := start(harness.WithModel(t, model, "20"))
	capped := start(harness.WithModel(t, model, "0"))
	late, _ := harness.Late(t) // the encoder reads on and on
	slow := harness.Start(t, harness.WithAdmin, late)
	ended := start(func(s *config.Settings) { withCertificate(t, s, time.Second) })
	dead, _ := programs.FreeAddr(t)
	targets := []string{dead}
	for _, d := range []*harness.Desk{mailless, waiting, stuck, lost, busy, edited, capped, slow, ended} {
		targets = append(targets, d.AdminAddr().String())
	}
	rules := regexp.MustCompile(`(?m)^ +for: .*\n`).ReplaceAllString(deployFile(t, "monitoring/alerts.yaml"), "")
	p := startPrometheus(t, rules, targets...)
	answered := fmt.Sprintf(`max_over_time(up{job="frontdesk", instance!=%q}[10m]) == 1`, dead)
	harness.Eventually(t, func() bool { return p.count(answered) == len(targets)-1 }, p.targets)
	contact := func(d *harness.Desk, status int) {
		t.Helper()
		harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, contract.PathContact, harness.ContactBody(""), harness.JSONType), status)
	}

	mailless.Mail.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse})
	contact(mailless, http.StatusBadGateway) // mails fail

	released, sent := make(chan struct{}), make(chan struct{})
	waiting.Mail.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Wait, Until: released})
	go func() { // an inquiry is pending
		defer close(sent)
		waiting.Send(t, harness.NewClient(t), http.MethodPost, contract.PathContact, harness.ContactBody(""), harness.JSONType)
	}()
	defer func() { close(released); <-sent }() // and no cleanup, before which the context of the test ends

	release := lockDatabase(t, stuck.Settings.Data) // reads go on, writes do not
	t.Cleanup(release)
	contact(stuck, http.StatusInternalServerError)
	for range 3 { // slow answers
		stuck.Send(t, harness.NewClient(t), http.MethodPost, contract.PathFeedback, `{"helpful":true,"q":"How much?"}`, harness.JSONType)
	}

	for i := range 3 { // more rows than a day has
		lost.Ask(t, fmt.Sprintf("Can parrot number %d sing?", i))
	}
	harness.Eventually(t, func() bool { return p.count(`frontdesk_notes_dropped_total > 0`) > 0 })
	if err := lost.Store().Close(); err != nil { // the database is away
		t.Fatal(err)
	}

	contact(busy, http.StatusOK)
	contact(busy, http.StatusTooManyRequests) // the sends of the day
	one := harness.NewClient(t)
	for range 400 { // one client over its limit
		busy.Send(t, one, http.MethodPost, contract.PathAsk, harness.Question("What does it cost?"), harness.JSONType)
	}
	spam := url.Values{"name": {"Ada"}, "business": {"B"}, "email": {"ada@example.com"}, "message": {"Hello there"}, "website": {"https://spam.example"}}.Encode()
	for range 10 {
		harness.WantStatus(t, busy.Send(t, harness.NewClient(t), http.MethodPost, contract.PathContactPage, spam, "Content-Type: application/x-www-form-urlencoded"), http.StatusOK)
	}

	for range 25 { // guesses of the token
		response := expect.Value(http.PostForm("http://"+busy.AdminAddr().String()+"/owner/sign-in", url.Values{"token": {"wrong"}}))(t)
		expect.OK(t, response.Body.Close())
	}

	model.Behave(modeltest.Fail(http.StatusInternalServerError)) // the model fails until it is left alone
	for i := range 10 {
		edited.Ask(t, fmt.Sprintf("At what time could visitor %d come by?", i))
	}
	harness.Edit(t, edited.Settings.Content, "faq.yaml", "entries: [") // content that is refused

	for _, rule := range alertName.FindAllStringSubmatch(rules, -1) {
		name := rule[1]
		if notHere[name] != "" {
			continue
		}
		harness.Eventually(t, func() bool {
			return p.count(fmt.Sprintf(`max_over_time(ALERTS{alertname=%q, alertstate="firing"}[10m])`, name)) > 0 // a mail waits for 15 s only
		}, func() string { return name + " does not fire" })
	}
}

// lockDatabase keeps every other program from writing to the database of a data folder,
// until the function that it returns is called.
func lockDatabase(t *testing.T, dir string) (release func()) {
	t.Helper()
	db := expect.Value(sql.Open("sqlite", filepath.Join(dir, records.FileName)))(t)
	db.SetMaxOpenConns(1)
	expect.OK(t, expect.ErrorOf(db.Exec(`BEGIN IMMEDIATE`)))
	return func() {
		_, err := db.Exec(`ROLLBACK`)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Error(err)
		}
	}
}

// withCertificate serves HTTPS with a certificate of the test's own, valid for so long.
func withCertificate(t *testing.T, s *config.Settings, validity time.Duration) {
	t.Helper()
	s.Domain, s.BaseURL.Text, s.HTTPAddr = []string{"desk.example"}, "", "127.0.0.1:0"
	s.TLSCert, s.TLSKey = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	programs.SelfSigned(t, s.TLSCert, s.TLSKey, validity, "desk.example")
}
