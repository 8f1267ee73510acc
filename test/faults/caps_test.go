package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

// capped is a service whose daily limit of real sends is 20: two for one network.
func capped(t *testing.T) (setup, *mailtest.Server) {
	t.Helper()
	mails := mailtest.Listen(t, mailtest.Options{})
	return setup{dir: t.TempDir(), mail: mails, environ: []string{"FRONTDESK_DAILY_SENDS=20"}}, mails
}

// TestDailySends: no network takes more than a tenth of the sends of a day, all
// together take no more than those, and the owner gets one notice, which counts what is
// in quarantine.
func TestDailySends(t *testing.T) {
	t.Parallel()
	s, mails := capped(t)
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

// TestQuarantine fills in the field of the form that people do not see: the request is
// stored and not mailed, its sender reads that it was received, the owner gets a notice
// with the count, and one command mails it.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	s, mails := capped(t)
	p := s.start(t)
	c := newCaller(t, p.url)
	form := url.Values{
		"name": {"Ada Lovelace"}, "business": {"Analytical Engines Ltd"}, "email": {"ada@example.com"}, "message": {mark(1)},
		"website": {"https://spam.example"},
	}
	got := c.send(http.MethodPost, contract.PathContactPage, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
	wantStatus(t, got, http.StatusOK)
	for _, word := range []string{"was mailed", "was sent", "by e-mail was"} {
		if strings.Contains(got.body, word) {
			t.Errorf("the sender reads %q", word)
		}
	}
	if !strings.Contains(got.body, "received") {
		t.Errorf("the sender does not read that the message was received:\n%s", got.body)
	}
	mails.Wait(1)
	if _, text := mails.Messages()[0].Read(t); !strings.Contains(text, "look like spam: 1") || strings.Contains(text, mark(1)) {
		t.Errorf("the notice is %s", text)
	}
	p.stop()

	var listed []records.Inquiry
	if err := json.Unmarshal(s.run(t, "inquiries", "--quarantined", "--json"), &listed); err != nil || len(listed) != 1 {
		t.Fatalf("%d in quarantine (%v), want 1", len(listed), err)
	}
	s.run(t, "inquiries", "--resend", listed[0].ID)
	last := mails.Wait(2)[1]
	if _, text := last.Read(t); !strings.Contains(text, mark(1)) {
		t.Errorf("the mail that the owner asked for is %s", text)
	}
	if all := inquiries(t, s.dir); !slices.ContainsFunc(all, func(i records.Inquiry) bool { return i.State == records.Sent }) {
		t.Errorf("the inquiries are %+v, want one that is sent", all)
	}
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
