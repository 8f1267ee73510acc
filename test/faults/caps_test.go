package faults

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/mailer/mailtest"
)

// TestDailySends: no network takes more than a tenth of the sends of a day, all
// together take no more than those, and the owner gets one notice, which counts what is
// in quarantine.
func TestDailySends(t *testing.T) {
	t.Parallel()
	mails := mailtest.Listen(t, mailtest.Options{})
	s := setup{dir: t.TempDir(), mail: mails, environ: []string{"FRONTDESK_DAILY_SENDS=20"}}
	p := s.start(t)
	c := newCaller(t, p.url)
	requests := 0
	send := func(addr string) answer {
		requests++
		return c.send(http.MethodPost, contract.PathContact, pilotRequest(mark(requests), false), from(addr)...)
	}
	refused := func(addr string) {
		t.Helper()
		got := send(addr)
		wantCode(t, got, http.StatusTooManyRequests, contract.RateLimited)
		if got.header.Get("Retry-After") != "60" || !strings.Contains(got.body, "daily limit") {
			t.Errorf("Retry-After %q: %s", got.header.Get("Retry-After"), got.body)
		}
	}
	for _, network := range []string{"192.0.2.%d", "2001:db8:1:%d::1"} { // a /24 and a /48
		for i := range 2 {
			wantStatus(t, send(fmt.Sprintf(network, i)), http.StatusOK)
		}
		refused(fmt.Sprintf(network, 2))
	}
	for i := range 8 {
		wantStatus(t, send(fmt.Sprintf("198.51.%d.7", i)), http.StatusOK)
		wantStatus(t, send(fmt.Sprintf("2001:db8:%x::7", 16+i)), http.StatusOK)
	}
	refused("203.0.113.7")
	refused("2001:db8:99::7")
	c.checkRest(t)
	p.stop() // which waits for the notice
	var notices int
	for _, mail := range mails.Messages() {
		if strings.Contains(mail.Subject(t), "daily limit") {
			notices++
			if _, text := mail.Read(t); !strings.Contains(text, "look like spam: 0") {
				t.Errorf("the notice does not count what is in quarantine: %s", text)
			}
		}
	}
	if stored := inquiries(t, s.dir); notices != 1 || len(stored) != 20 || len(mails.Messages()) != 21 {
		t.Errorf("%d notices, %d inquiries and %d mails; want 1, 20 and 21", notices, len(stored), len(mails.Messages()))
	}
}

// TestDailyRows: over the limit of a day questions and feedback are counted instead of
// stored, and their callers do not notice. Pilot requests are stored.
func TestDailyRows(t *testing.T) {
	t.Parallel()
	const rows, requests = 5, 12
	mails := mailtest.Listen(t, mailtest.Options{})
	s := setup{dir: t.TempDir(), mail: mails, environ: []string{withAdmin, fmt.Sprintf("FRONTDESK_DAILY_ROWS=%d", rows)}}
	p := s.start(t)
	c := newCaller(t, p.url)
	for i := range requests {
		wantStatus(t, c.ask(asked(fmt.Sprintf("Can a parr%st sing?", strings.Repeat("o", i+1)))), http.StatusOK)
		wantStatus(t, c.send(http.MethodPost, contract.PathFeedback, `{"helpful":true,"q":"How much does it cost?"}`), http.StatusOK)
		c.wantContact(t, i)
	}
	eventually(t, "what is not stored to be counted", func() bool {
		return p.metric(t, "frontdesk_notes_dropped_total") == fmt.Sprint(2*requests-rows)
	})
	p.stop()
	stored := 0
	for line := range strings.Lines(string(s.run(t, "export"))) {
		if strings.Contains(line, `"type":"question"`) || strings.Contains(line, `"type":"feedback"`) {
			stored++
		}
	}
	if stored != rows {
		t.Errorf("%d questions and pieces of feedback are stored, want %d", stored, rows)
	}
	wantSent(t, s.dir, mails, requests)
}

// run runs a command of the program with the settings of the service.
func (s setup) run(t *testing.T, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program(t), args...)
	cmd.Env = s.cmd(t).Env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return out
}
