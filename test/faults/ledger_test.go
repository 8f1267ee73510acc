package faults

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

// ledger is what callers sent and were answered.
type ledger struct {
	mu   sync.Mutex
	sent []*sentRequest // by number
}

// sentRequest is a pilot request. One with a key is sent again while it fails.
type sentRequest struct {
	key      string
	statuses []int // of each try, 0 without an answer
}

func (r *sentRequest) accepted() bool {
	return len(r.statuses) > 0 && r.statuses[len(r.statuses)-1] == 200
}

// Every other request has a key.
func (l *ledger) next() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, r := len(l.sent), &sentRequest{}
	if n%2 == 0 {
		r.key = "key-" + mark(n)
	}
	l.sent = append(l.sent, r)
	return n
}

func (l *ledger) request(n int) *sentRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent[n]
}

func (l *ledger) note(n int, got answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent[n].statuses = append(l.sent[n].statuses, got.status)
}

func (l *ledger) unaccepted() (numbers []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n, r := range l.sent {
		if r.key != "" && !r.accepted() {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

type summary struct {
	requests, tries, accepted, unanswered, unstored, mails int
	unconfirmed, again                                     int // mails whose 250 was lost, and mails that came once more
	lost, wrong, twice                                     int // broken promises
}

// An accepted request is recorded as sent and has its mail, a failed one has none until it is tried again, and a mail
// comes again only where an answer was lost, of the mail server or of a killed instance, and never once its request is
// settled. All mails of a request are identical. settled has the number of mails of requests that were recorded as
// sent.
func (l *ledger) check(
	t *testing.T, server *mailtest.Server, stored []records.Inquiry, settled map[int]int,
) (sum summary) {
	t.Helper()
	mails, inquiries := arrived(t, server), map[int]records.Inquiry{}
	for _, one := range stored {
		n := markOf(t, one.Message)
		if _, twice := inquiries[n]; twice {
			t.Errorf("request %d is stored twice", n)
		}
		inquiries[n] = one
	}
	for n, r := range l.sent {
		state, got := inquiries[n].State, mails[n]
		unconfirmed, needless := 0, 0
		for i, mail := range got {
			header, _ := mail.Read(t)
			id, wanted := header.Get("Message-Id"), "<"+inquiries[n].MessageID+">"
			if id != wanted || string(mail.Data) != string(got[0].Data) {
				t.Errorf("request %d has a mail that differs from its record: %s", n, id)
			}
			if mail.Unconfirmed {
				unconfirmed++
			} else if i < len(got)-1 {
				needless++
			}
		}
		unanswered := 0
		for _, status := range r.statuses {
			switch status {
			case 200, 502:
			case 500: // the database was away or busy for longer than a caller waits
				sum.unstored++
			case 0:
				unanswered++
			default:
				t.Errorf("request %d is answered %d", n, status)
			}
		}
		broken := ""
		switch {
		case r.accepted() && len(got) == 0, r.key != "" && !r.accepted():
			broken, sum.lost = "lost", sum.lost+1
		case r.accepted() && state != records.Sent, state == records.Sent && len(got) == 0,
			state == records.Failed && len(got) > unconfirmed, state == records.Pending:
			broken, sum.wrong = "in a wrong state", sum.wrong+1
		case needless > 0 && unanswered == 0, settled[n] > 0 && len(got) > settled[n]:
			broken, sum.twice = "mailed twice by our fault", sum.twice+1
		}
		if broken != "" {
			t.Errorf("request %d is %s: answered %v, %d mails, %q", n, broken, r.statuses, len(got), state)
		}
		if r.accepted() {
			sum.accepted++
		}
		sum.tries, sum.unanswered = sum.tries+len(r.statuses), sum.unanswered+unanswered
		sum.mails, sum.unconfirmed = sum.mails+len(got), sum.unconfirmed+unconfirmed
		sum.again += max(0, len(got)-1)
	}
	sum.requests = len(l.sent)
	t.Logf("%d faults of mail: %+v", server.Faults(), sum)
	return sum
}

func mark(i int) string { return fmt.Sprintf("mark-%06d-", i) }

var marked = regexp.MustCompile(`mark-(\d{6})-`)

func markOf(t *testing.T, text string) int {
	t.Helper()
	found := marked.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no request has this text: %s", text)
	}
	i, _ := strconv.Atoi(found[1]) // six digits
	return i
}

func arrived(t *testing.T, server *mailtest.Server) map[int][]mailtest.Mail {
	t.Helper()
	mails := map[int][]mailtest.Mail{}
	for _, mail := range server.Messages() {
		_, text := mail.Read(t)
		i := markOf(t, text)
		mails[i] = append(mails[i], mail)
	}
	return mails
}

var everyStage = []mailtest.Stage{
	mailtest.Greeting, mailtest.Hello, mailtest.Auth, mailtest.From, mailtest.To, mailtest.Data, mailtest.FinalDot,
	mailtest.Quit,
}

// A conversation breaks at each stage with a probability of 5 %.
func (c *chance) mailFaultAt(stages []mailtest.Stage, more ...mailtest.Action) mailtest.Fault {
	actions := append([]mailtest.Action{mailtest.Refuse, mailtest.Refuse, mailtest.Lose, mailtest.Cut}, more...)
	for _, stage := range stages {
		if c.n(20) == 0 {
			return mailtest.Fault{Stage: stage, Action: actions[c.n(len(actions))], Code: []int{451, 554}[c.n(2)]}
		}
	}
	return mailtest.Fault{}
}
