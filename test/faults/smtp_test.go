package faults

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/mailer/mailtest"
)

// mailFault is a way in which a mail server fails, and the promised result.
type mailFault struct {
	name  string
	fault mailtest.Fault
	long  bool // takes as long as a send may take: only make faults runs it

	status int // 200 or 502
	state  records.State
	mails  int // that the server has stored
}

// login makes the server ask for one, which the stage AUTH needs.
var login = mailtest.Options{User: "desk", Password: "secret"}

// mailFaults are one fault for each outcome of a mail. That every stage and every fault has
// its outcome is shown by the tests of package mailer.
var mailFaults = []mailFault{
	{name: "refused", fault: mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse, Code: 451}, status: 502, state: records.Failed},
	{name: "hangs before the 250", fault: mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Hang}, long: true, status: 502, state: records.Unknown, mails: 1},
	{name: "cut before the 250, not stored", fault: mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Lose}, status: 502, state: records.Unknown},
	{name: "cut before the 250, stored", fault: mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut}, status: 502, state: records.Unknown, mails: 1},
	{name: "cut after the 250", fault: mailtest.Fault{Stage: mailtest.Quit, Action: mailtest.Cut}, status: 200, state: records.Sent, mails: 1},
	{name: "hangs after the 250", fault: mailtest.Fault{Stage: mailtest.Quit, Action: mailtest.Hang}, status: 200, state: records.Sent, mails: 1},
}

// TestMailServerFails: a request whose mail cannot be delivered is 502 within the
// time of a send, its inquiry says what is known, everything else is answered
// meanwhile, and no socket or goroutine is left.
func TestMailServerFails(t *testing.T) {
	t.Parallel()
	for i, f := range mailFaults {
		if !whole && (f.long || i%4 != 0) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.play(t)
		})
	}
}

func (f mailFault) play(t *testing.T) {
	server := mailtest.Listen(t, mailtest.Options{})
	server.SetFault(f.fault)
	s := setup{dir: t.TempDir(), mail: server, environ: []string{withAdmin}}
	p := s.start(t)
	_, _ = p.admin(t, "/healthz") // the connection stays
	before := p.sockets()
	c := newCaller(t, p.url)
	sent := make(chan answer, 1)
	go func() { sent <- c.contact("", "") }()
	c.checkRest(t)
	f.check(t, <-sent)
	c.checkRest(t)

	server.WaitIdle()
	c.leave()
	eventually(t, "the sockets to be closed", func() bool { return p.sockets() <= before })
	if _, running := p.admin(t, "/debug/pprof/goroutine?debug=2"); strings.Contains(running, "frontdesk/mailer.") || !strings.Contains(running, "frontdesk/internal/outbox.") {
		t.Errorf("what sends mails is still running, or nothing can be seen of it:\n%s", running)
	}
	p.stop()
	if n := len(server.Messages()); n != f.mails {
		t.Errorf("%d mails arrived, want %d", n, f.mails)
	}
	if all := inquiries(t, s.dir); len(all) != 1 || all[0].State != f.state {
		t.Errorf("the inquiries are %+v, want one that is %s", all, f.state)
	}
}

func (f mailFault) check(t *testing.T, got answer) {
	t.Helper()
	if f.status == http.StatusOK {
		if got.status != http.StatusOK {
			t.Fatalf("the answer is %d (%v): %s", got.status, got.err, got.body)
		}
	} else {
		wantCode(t, got, f.status, contract.BadGateway)
	}
	limit := mailer.SendTimeout // which a fault that is noticed at once does not take
	if f.long {
		limit *= 3 // a busy machine's time
		if got.took < mailer.SendTimeout {
			t.Errorf("given up after %v, want %v", got.took, mailer.SendTimeout)
		}
	}
	if got.took > limit {
		t.Errorf("the answer took %v, want at most %v", got.took, limit)
	}
}
